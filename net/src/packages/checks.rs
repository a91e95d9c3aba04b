//! Check sums, as registries write them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;

/// A check sum that an archive has to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// SHA-512.
    Sha512(Vec<u8>),
    /// SHA-384.
    Sha384(Vec<u8>),
    /// SHA-256.
    Sha256(Vec<u8>),
    /// SHA-1; only where a registry tells nothing better.
    Sha1(Vec<u8>),
}

impl Check {
    /// Its name.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Sha512(_) => "SHA-512",
            Self::Sha384(_) => "SHA-384",
            Self::Sha256(_) => "SHA-256",
            Self::Sha1(_) => "SHA-1",
        }
    }

    /// Whether `bytes` has it.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Sha512(sum) => sha2::Sha512::digest(bytes)[..] == sum[..],
            Self::Sha384(sum) => sha2::Sha384::digest(bytes)[..] == sum[..],
            Self::Sha256(sum) => sha2::Sha256::digest(bytes)[..] == sum[..],
            Self::Sha1(sum) => sha1::Sha1::digest(bytes)[..] == sum[..],
        }
    }

    /// A SHA-256 in hexadecimal.
    pub(super) fn sha256_hex(text: &str) -> Option<Self> {
        hex::decode(text).ok().filter(|sum| sum.len() == 32).map(Self::Sha256)
    }

    /// A SHA-1 in hexadecimal.
    pub(super) fn sha1_hex(text: &str) -> Option<Self> {
        hex::decode(text).ok().filter(|sum| sum.len() == 20).map(Self::Sha1)
    }

    /// The strongest sums of a text in the form of W3C's Subresource Integrity: `sha512-BASE64 sha1-BASE64`. Of several
    /// of one kind any may hold there; registries write one.
    pub(super) fn integrity(text: &str) -> Option<Self> {
        let sums = text.split_whitespace().filter_map(|word| {
            let (kind, sum) = word.split('?').next()?.split_once('-')?;
            let sum = STANDARD.decode(sum).ok()?;
            match (kind, sum.len()) {
                ("sha512", 64) => Some((3, Self::Sha512(sum))),
                ("sha384", 48) => Some((2, Self::Sha384(sum))),
                ("sha256", 32) => Some((1, Self::Sha256(sum))),
                ("sha1", 20) => Some((0, Self::Sha1(sum))),
                _ => None,
            }
        });
        sums.max_by_key(|(strength, _)| *strength).map(|(_, sum)| sum)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn the_strongest_sum_of_a_line_counts() {
        // The sums of the empty text.
        let sha1 = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=";
        let sha256 = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        for (text, kind) in [
            (sha1.to_owned(), "SHA-1"),
            (format!("{sha1} {sha256}"), "SHA-256"),
            (format!("{sha256}?opt {sha1}"), "SHA-256"),
            (format!("md5-AAAA sha512-short {sha1}"), "SHA-1"),
        ] {
            let check = Check::integrity(&text).unwrap();
            assert_eq!(check.kind(), kind);
            assert!(check.holds(b"") && !check.holds(b"x"));
        }
        assert_eq!(Check::integrity("nonsense"), None);
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(Check::sha256_hex(hex).unwrap().holds(b""));
        assert_eq!(Check::sha256_hex("e3b0"), None);
        assert!(
            Check::sha1_hex("da39a3ee5e6b4b0d3255bfef95601890afd80709")
                .unwrap()
                .holds(b"")
        );
    }
}
