//! File names made from names that others chose.

use std::fmt::Write as _;

/// Longer names are cut and get a hash; file systems allow 255 bytes, and endings are added to it.
const LONGEST: usize = 120;

/// `text` as one component of a path: letters, digits and `. _ + - @` stay, every other byte becomes `%XX`.
///
/// Two texts never give one name, the name is never `.`, `..`, hidden or empty, and it is valid on every platform that
/// we run on. Versions and tags come from outside: a release may be named `../../etc` or `con`.
#[must_use]
pub fn component(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for (index, byte) in text.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'@' | b'.');
        let hidden = byte == b'.' && (index == 0 || index + 1 == text.len());
        if plain && !hidden {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    match name.as_str() {
        "" => "%".to_owned(),
        _ if name.len() > LONGEST => {
            let hash = crate::canonical::sha256(text.as_bytes());
            // `%-` is no escape, so a shortened name is never another text's whole name.
            format!("{}%-{}", &name[..LONGEST - 10], id8(&hash))
        }
        _ if is_device(&name) => format!("%{:02X}{}", name.as_bytes()[0], &name[1..]),
        _ => name,
    }
}

/// Names that Windows gives to devices, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// The first eight hex digits of a hash that is written `sha256:…`, for file names.
#[must_use]
pub fn id8(hash: &str) -> &str {
    let digits = hash.strip_prefix("sha256:").unwrap_or(hash);
    digits.get(..8).unwrap_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_stay_one_component() {
        for (text, name) in [
            ("0.133.0", "0.133.0"),
            ("1.0.0-rc.1+linux", "1.0.0-rc.1+linux"),
            ("rust-v0.42.0", "rust-v0.42.0"),
            ("@scope/name@1.0.0", "@scope%2Fname@1.0.0"),
            ("..", "%2E%2E"),
            (".", "%2E"),
            ("../../etc", "%2E.%2F..%2Fetc"),
            (".git", "%2Egit"),
            ("v1.", "v1%2E"),
            ("", "%"),
            ("con", "%63on"),
            ("COM1.txt", "%43OM1.txt"),
            ("common", "common"),
            ("50%", "50%25"),
            ("é", "%C3%A9"),
            ("a\\b:c", "a%5Cb%3Ac"),
        ] {
            assert_eq!(component(text), name, "{text:?}");
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let (one, two) = (component(&"x".repeat(4000)), component(&"x".repeat(4001)));
        assert_eq!(one.len(), LONGEST);
        assert_ne!(one, two);
    }

    #[test]
    fn short_ids_come_from_the_hash_alone() {
        assert_eq!(id8("sha256:0123456789abcdef"), "01234567");
        assert_eq!(id8("abc"), "abc");
    }
}
