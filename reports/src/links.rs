//! Addresses of source lines that people can open. Only what stands on github.com has one that we can be sure of.

use agent_contracts_source_evidence::StepSide;
use agent_contracts_wire::Location;

/// The page of a source line. `None` when the source is no repository on GitHub.
#[must_use]
pub fn source_line(side: &StepSide, location: &Location) -> Option<String> {
    if location.file.is_empty() {
        return None;
    }
    let (repo, tag) = github(&side.source)?;
    let rev = side.commit.as_deref().unwrap_or(tag);
    let mut url = format!(
        "https://github.com/{repo}/blob/{}/{}",
        encoded(rev),
        encoded(&location.file)
    );
    if location.line > 0 {
        url.push_str("#L");
        url.push_str(&location.line.to_string());
    }
    Some(url)
}

/// `owner/name` and the revision of `git:owner/name@REV` and `git:https://github.com/owner/name@REV`.
fn github(source: &str) -> Option<(&str, &str)> {
    let location = source.strip_prefix("git:")?;
    let location = location.strip_prefix("https://github.com/").unwrap_or(location);
    let (repo, rev) = location.split_once('@')?;
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    let (owner, name) = repo.split_once('/')?;
    (plain(owner) && plain(name) && !rev.is_empty()).then_some((repo, rev))
}

/// Percent-encodes everything that is not plain in a path, `/` kept.
pub(crate) fn encoded(path: &str) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/') {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(source: &str, commit: Option<&str>, file: &str) -> Option<String> {
        let side = StepSide {
            source: source.to_owned(),
            commit: commit.map(str::to_owned),
            ..StepSide::default()
        };
        let location = Location {
            file: file.to_owned(),
            line: 7,
        };
        source_line(&side, &location)
    }

    #[test]
    fn only_repositories_on_github_have_a_page() {
        let page = Some("https://github.com/openai/codex/blob/rust-v0.42.0/src/a.rs#L7".to_owned());
        assert_eq!(link("git:openai/codex@rust-v0.42.0", None, "src/a.rs"), page);
        assert_eq!(
            link("git:https://github.com/openai/codex.git@rust-v0.42.0", None, "src/a.rs"),
            page
        );
        assert_eq!(
            link("git:a/b@@scope/x@1", Some("abc123"), "a b/ü.ts"),
            Some("https://github.com/a/b/blob/abc123/a%20b/%C3%BC.ts#L7".to_owned())
        );
        for other in [
            "git:/tmp/repo@v1",
            "git:https://git.corp/x/y@v1",
            "npm:@a/b@1.0.0",
            "dir:x",
            "git:../x@v1",
        ] {
            assert_eq!(link(other, None, "a"), None, "{other}");
        }
    }
}
