//! Which versions are compared with which. Pure.
//!
//! A release is compared with the release before it, so that what only came and went in prereleases is no change of a
//! release. A prerelease is compared with the version before it, whatever that is. Where there is no release yet, the
//! first one is compared with the prerelease before it. Versions of one commit are one.

/// What the plan has to know of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate<'a> {
    pub(super) prerelease: bool,
    /// What it stands for; the same in two versions when they are one.
    pub(super) revision: &'a str,
    /// It has files of the protocol.
    pub(super) readable: bool,
}

/// What happens with a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planned {
    /// It cannot be compared.
    Left,
    /// It is the first one.
    First,
    /// It is what the given one is.
    Same(usize),
    /// It is compared with the given one.
    From(usize),
}

/// One entry a version, which are given oldest first.
pub(super) fn plan(versions: &[Candidate<'_>]) -> Vec<Planned> {
    let only_prereleases = !versions.iter().any(|one| one.readable && !one.prerelease);
    let (mut release, mut newest): (Option<usize>, Option<usize>) = (None, None);
    let mut planned = Vec::with_capacity(versions.len());
    for (index, version) in versions.iter().enumerate() {
        if !version.readable {
            planned.push(Planned::Left);
            continue;
        }
        let apart = version.prerelease && !only_prereleases;
        let base = if apart { newest } else { release.or(newest) };
        planned.push(match base {
            None => Planned::First,
            Some(base) if versions.get(base).is_some_and(|base| base.revision == version.revision) => {
                Planned::Same(base)
            }
            Some(base) => Planned::From(base),
        });
        newest = Some(index);
        if !apart {
            release = Some(index);
        }
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `v` a release, `p` a prerelease, in capitals when it has the commit of the one before it, `-` without files.
    fn planned(line: &str) -> String {
        let mut commit = 0;
        let revisions: Vec<String> = line
            .chars()
            .map(|c| {
                commit += usize::from(!c.is_uppercase());
                commit.to_string()
            })
            .collect();
        let candidates: Vec<Candidate<'_>> = line
            .chars()
            .zip(&revisions)
            .map(|(c, revision)| Candidate {
                prerelease: c.eq_ignore_ascii_case(&'p'),
                revision,
                readable: c != '-',
            })
            .collect();
        let words = plan(&candidates).into_iter().map(|one| match one {
            Planned::Left => "-".to_owned(),
            Planned::First => "first".to_owned(),
            Planned::Same(base) => format!("={base}"),
            Planned::From(base) => base.to_string(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn releases_follow_releases_and_prereleases_what_is_before_them() {
        for (line, expected) in [
            ("vvv", "first 0 1"),
            ("vppv", "first 0 1 0"),
            ("vppvp", "first 0 1 0 3"),
            ("ppv", "first 0 1"),
            ("ppp", "first 0 1"),
            ("v-v", "first - 0"),
            ("-v", "- first"),
            ("vVv", "first =0 1"),
            ("vpV", "first 0 0"),
            ("vPpv", "first =0 1 0"),
            ("", ""),
        ] {
            assert_eq!(planned(line), expected, "{line}");
        }
    }
}
