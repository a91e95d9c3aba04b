//! Versions and tags: a total order in every scheme, and readings that agree with themselves.

use std::cmp::Ordering;

use agent_contracts_config::agent::VersionDef;
use agent_contracts_config::scheme::{Reading, Scheme};
use agent_contracts_wire::version::VersionScheme;

/// Each line is a version or a tag.
pub fn versions(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<&str> = text.lines().take(4).collect();
    for order in [
        VersionScheme::Semver,
        VersionScheme::Pep440,
        VersionScheme::Calver,
        VersionScheme::EpochHash,
    ] {
        let scheme = Scheme::new(&VersionDef {
            scheme: order,
            tag_pattern: Some(r"^(?:rust-)?v?(?<version>\d.*)$".to_owned()),
            prerelease: Some("nightly".to_owned()),
            platform_suffixes: [("linux-x64".to_owned(), "-linux-x64".to_owned())].into(),
            ..VersionDef::default()
        });
        for line in &lines {
            if let Some(read) = order.read(line) {
                let again = order.read(&read.text);
                assert!(again.as_ref() == Some(&read), "{line} is {read:?}, which is {again:?}");
            }
            if let Reading::Release(version) = scheme.read(line) {
                assert_eq!(scheme.read(&version.text), Reading::Release(version));
            }
            let _ = scheme.read_tag(line);
        }
        for a in &lines {
            for b in &lines {
                let ab = order.compare(a, b);
                assert_eq!(ab, order.compare(b, a).reverse(), "{order:?} {a:?} {b:?}");
                assert_eq!(ab == Ordering::Equal, a == b, "{order:?} {a:?} {b:?}");
                for c in &lines {
                    if ab.is_le() && order.compare(b, c).is_le() {
                        assert!(order.compare(a, c).is_le(), "{order:?} {a:?} {b:?} {c:?}");
                    }
                }
            }
        }
    }
}
