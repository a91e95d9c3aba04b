//! The text that names a source: `git:PATH_OR_URL@REV`, `npm:NAME@VERSION`, `crate:…`, `pypi:…`, `dir:PATH`.

use std::path::{Path, PathBuf};

use crate::error::ScanError;
use crate::source::git;

/// Where the code of one version is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceSpec {
    /// A revision of a repository on this machine.
    GitPath {
        /// The repository: bare, or the folder that holds `.git`.
        path: PathBuf,
        /// Tag, branch, commit or abbreviated commit.
        revision: String,
    },
    /// A revision of a repository elsewhere.
    GitUrl {
        /// `https://…`, `http://…` or `file://…`.
        url: String,
        /// Tag, branch, commit or abbreviated commit.
        revision: String,
    },
    /// One version of a package of a registry.
    Package {
        /// The registry.
        registry: Registry,
        /// The package.
        name: String,
        /// The version.
        version: String,
    },
    /// A folder.
    Dir {
        /// The folder.
        path: PathBuf,
    },
}

/// The kinds of package registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Registry {
    /// npm.
    Npm,
    /// crates.io.
    Crate,
    /// PyPI.
    Pypi,
}

impl Registry {
    /// The word before the colon.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Crate => "crate",
            Self::Pypi => "pypi",
        }
    }

    fn takes(self, name: &str) -> bool {
        let plain = |part: &str, extra: &str| {
            part.starts_with(|c: char| c.is_ascii_alphanumeric())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || extra.contains(c))
        };
        match self {
            Self::Npm => match name.strip_prefix('@') {
                Some(scoped) => scoped
                    .split_once('/')
                    .is_some_and(|(scope, name)| plain(scope, "-._~") && plain(name, "-._~")),
                None => plain(name, "-._~"),
            },
            Self::Crate => plain(name, "-_"),
            Self::Pypi => plain(name, "-._"),
        }
    }
}

impl SourceSpec {
    /// Reads the text of a source. Looks at the disk to find where the path of a `git:` source ends, since both paths
    /// and tags may hold `@`.
    pub fn parse(text: &str) -> Result<Self, ScanError> {
        Self::parse_with(text, &git::is_repository)
    }

    fn parse_with(text: &str, is_repository: &dyn Fn(&Path) -> bool) -> Result<Self, ScanError> {
        let wrong = |problem: String, hint: &str| ScanError::SourceText {
            text: without_login(text),
            problem,
            hint: hint.to_owned(),
        };
        let Some((kind, rest)) = text.split_once(':') else {
            return Err(wrong("it has no kind".to_owned(), KINDS));
        };
        let package = |registry: Registry| {
            let shape = "write NAME@VERSION, such as npm:@scope/name@1.2.3";
            let (name, version) = match rest.rsplit_once('@') {
                Some((name, version)) if !name.is_empty() => (name, version),
                _ => return Err(wrong("the version is missing".to_owned(), shape)),
            };
            if version.is_empty() {
                return Err(wrong("the version is missing".to_owned(), shape));
            }
            if !version
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-._+!".contains(c))
            {
                return Err(wrong(format!("`{version}` is no version"), shape));
            }
            if !registry.takes(name) {
                return Err(wrong(format!("`{name}` is no name of a package"), shape));
            }
            Ok(Self::Package {
                registry,
                name: name.to_owned(),
                version: version.to_owned(),
            })
        };
        match kind {
            "git" if rest.contains("://") => parse_url(rest).map_err(|(problem, hint)| wrong(problem, hint)),
            "git" => parse_path(rest, is_repository).map_err(|(problem, hint)| wrong(problem, hint)),
            "npm" => package(Registry::Npm),
            "crate" => package(Registry::Crate),
            "pypi" => package(Registry::Pypi),
            "dir" if rest.is_empty() => Err(wrong("the path is missing".to_owned(), "write dir:PATH")),
            "dir" => Ok(Self::Dir { path: rest.into() }),
            other => Err(wrong(format!("there is no kind `{other}`"), KINDS)),
        }
    }
}

/// The text that was parsed, the same again.
impl std::fmt::Display for SourceSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::GitPath { path, revision } => write!(f, "git:{}@{revision}", path.display()),
            Self::GitUrl { url, revision } => write!(f, "git:{url}@{revision}"),
            Self::Package {
                registry,
                name,
                version,
            } => write!(f, "{}:{name}@{version}", registry.prefix()),
            Self::Dir { path } => write!(f, "dir:{}", path.display()),
        }
    }
}

/// A message may be logged, so a login of an address is left out of it.
fn without_login(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let path_at = rest.find('/').unwrap_or(rest.len());
    match rest[..path_at].rfind('@') {
        Some(at) => format!("{scheme}://***@{}", &rest[at + 1..]),
        None => text.to_owned(),
    }
}

type Wrong = (String, &'static str);

const KINDS: &str = "write git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:NAME@VERSION, pypi:NAME@VERSION or dir:PATH";

const REVISION: &str = "write git:PATH_OR_URL@REV, where REV is a tag, a branch or a commit";

fn parse_url(rest: &str) -> Result<SourceSpec, Wrong> {
    const SCHEMES: &str = "https://, http:// and file:// are read; clone anything else and give its path";
    let (scheme, after) = rest.split_once("://").unwrap_or(("", rest));
    if !["https", "http", "file"].contains(&scheme) {
        return Err((format!("`{scheme}://` is not read"), SCHEMES));
    }
    // An `@` inside of the authority belongs to a login.
    let path_at = after.find('/').unwrap_or(after.len());
    let (authority, path) = after.split_at(path_at);
    if scheme != "file" && authority.contains('@') {
        return Err((
            "the address holds a login, which would be printed".to_owned(),
            "leave the login out; git's credential helpers are not used either",
        ));
    }
    match path.split_once('@') {
        Some((path, revision)) if !revision.is_empty() && !path.is_empty() => Ok(SourceSpec::GitUrl {
            url: format!("{scheme}://{authority}{path}"),
            revision: revision.to_owned(),
        }),
        _ => Err(("the revision is missing".to_owned(), REVISION)),
    }
}

fn parse_path(rest: &str, is_repository: &dyn Fn(&Path) -> bool) -> Result<SourceSpec, Wrong> {
    let mut tried = Vec::new();
    for (at, _) in rest.match_indices('@') {
        let (path, revision) = (&rest[..at], &rest[at + 1..]);
        if path.is_empty() {
            continue;
        }
        if is_repository(Path::new(path)) {
            if revision.is_empty() {
                return Err(("the revision is missing".to_owned(), REVISION));
            }
            return Ok(SourceSpec::GitPath {
                path: path.into(),
                revision: revision.to_owned(),
            });
        }
        tried.push(format!("`{path}`"));
    }
    if tried.is_empty() {
        let problem = if is_repository(Path::new(rest)) {
            "the revision is missing"
        } else {
            "path or revision is missing"
        };
        return Err((problem.to_owned(), REVISION));
    }
    Err((
        format!("{} is no git repository", tried.join(" or ")),
        "give the folder that holds `.git`, or a bare repository",
    ))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn parse(text: &str) -> Result<SourceSpec, ScanError> {
        SourceSpec::parse_with(text, &|path| {
            ["repo", "odd@home/repo", "."]
                .iter()
                .any(|known| path == Path::new(known))
        })
    }

    #[test]
    fn a_source_is_read_and_printed_again() {
        let cases = [
            ("git:repo@v1", "path repo, v1"),
            ("git:repo@@scope/pkg@1.0.0", "path repo, @scope/pkg@1.0.0"),
            ("git:odd@home/repo@v1", "path odd@home/repo, v1"),
            ("git:.@main", "path ., main"),
            ("git:https://github.com/o/r@v1", "url https://github.com/o/r, v1"),
            (
                "git:https://github.com/o/r@@s/p@1.0",
                "url https://github.com/o/r, @s/p@1.0",
            ),
            ("git:file:///tmp/x/r.git@v1", "url file:///tmp/x/r.git, v1"),
            ("npm:@scope/name@1.2.3-rc.1+b", "npm @scope/name 1.2.3-rc.1+b"),
            ("npm:name@1.2.3", "npm name 1.2.3"),
            ("crate:agent-client-protocol@0.1.0", "crate agent-client-protocol 0.1.0"),
            ("pypi:kimi-cli@1!2.0.post1", "pypi kimi-cli 1!2.0.post1"),
            ("dir:some/where@odd", "dir some/where@odd"),
        ];
        for (text, expected) in cases {
            let spec = parse(text).unwrap();
            let told = match &spec {
                SourceSpec::GitPath { path, revision } => format!("path {}, {revision}", path.display()),
                SourceSpec::GitUrl { url, revision } => format!("url {url}, {revision}"),
                SourceSpec::Package {
                    registry,
                    name,
                    version,
                } => format!("{} {name} {version}", registry.prefix()),
                SourceSpec::Dir { path } => format!("dir {}", path.display()),
            };
            assert_eq!(told, expected);
            assert_eq!(spec.to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let told: Vec<String> = [
            "repo@v1",
            "svn:repo@v1",
            "git:repo",
            "git:repo@",
            "git:other",
            "git:nowhere@home/x@v1",
            "git:ssh://git@host/r@v1",
            "git:https://me:secret@host/r@v1",
            "git:https://host/r",
            "npm:@scope/name",
            "npm:name@",
            "npm:../x@1",
            "npm:name@1/../2",
            "crate:a/b@1",
            "dir:",
        ]
        .iter()
        .map(|text| parse(text).unwrap_err().to_string())
        .collect();
        insta::assert_snapshot!(told.join("\n"));
    }
}
