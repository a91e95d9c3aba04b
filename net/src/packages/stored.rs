//! What is kept of a package on disk: its listing and the content that was asked for, not its archive. An archive may
//! hold a hundred megabytes of binaries beside a few kilobytes of types.
//!
//! The form is gzip over a line of JSON, the listing, and the contents one after the other in its order.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::archive::{Content, Skip, Unpacked};

#[derive(Serialize, Deserialize)]
struct Head {
    files: Vec<(String, u64, State)>,
    skipped: Vec<(String, Option<String>)>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
enum State {
    Kept,
    NotKept,
    TooLarge,
}

pub(super) fn encode(unpacked: &Unpacked) -> std::io::Result<Vec<u8>> {
    let files = unpacked.files.iter().map(|(path, content)| match content {
        Content::Kept(bytes) => (path.clone(), bytes.len() as u64, State::Kept),
        Content::NotKept(size) => (path.clone(), *size, State::NotKept),
        Content::TooLarge(size) => (path.clone(), *size, State::TooLarge),
    });
    let skipped = unpacked.skipped.iter().map(|(path, why)| match why {
        Skip::Link(target) => (path.clone(), Some(target.clone())),
        Skip::Name => (path.clone(), None),
    });
    let head = Head {
        files: files.collect(),
        skipped: skipped.collect(),
    };
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    serde_json::to_writer(&mut packed, &head)?;
    packed.write_all(b"\n")?;
    for content in unpacked.files.values() {
        if let Content::Kept(bytes) = content {
            packed.write_all(bytes)?;
        }
    }
    packed.finish()
}

/// `None` when it is not in this form.
pub(super) fn decode(bytes: &[u8]) -> Option<Unpacked> {
    let mut all = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut all).ok()?;
    let end = all.iter().position(|&byte| byte == b'\n')?;
    let head: Head = serde_json::from_slice(&all[..end]).ok()?;
    let mut rest = &all[end + 1..];
    let mut unpacked = Unpacked::default();
    for (path, size, state) in head.files {
        let content = match state {
            State::Kept => {
                let (content, after) = rest.split_at_checked(usize::try_from(size).ok()?)?;
                rest = after;
                Content::Kept(content.into())
            }
            State::NotKept => Content::NotKept(size),
            State::TooLarge => Content::TooLarge(size),
        };
        unpacked.files.insert(path, content);
    }
    unpacked.skipped = head
        .skipped
        .into_iter()
        .map(|(path, target)| (path, target.map_or(Skip::Name, Skip::Link)))
        .collect();
    Some(unpacked)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_is_kept_is_the_same_again() {
        let mut unpacked = Unpacked::default();
        for (path, content) in [
            ("a\nb.ts", Content::Kept(b"one\ntwo"[..].into())),
            ("b", Content::NotKept(7)),
            ("c", Content::TooLarge(8)),
            ("d", Content::Kept(b""[..].into())),
            ("e", Content::Kept(b"\0\xff"[..].into())),
        ] {
            unpacked.files.insert(path.to_owned(), content);
        }
        unpacked.skipped = vec![
            ("l".to_owned(), Skip::Link("t".to_owned())),
            ("n".to_owned(), Skip::Name),
        ];
        let bytes = encode(&unpacked).unwrap();
        assert_eq!(decode(&bytes), Some(unpacked));
        assert_eq!(decode(&bytes[..bytes.len() / 2]), None);
        assert_eq!(decode(b""), None);
    }
}
