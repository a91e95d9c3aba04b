//! What stands in a file before any grammar looks at it: text, or the reason why there is none.
//!
//! Shared by the languages so that a Git LFS pointer, an over-large file or a binary one is named in the same words
//! everywhere. It never guesses at an encoding: what is no UTF-8 is said to be none.

use agent_contracts_wire::model::Degraded;
use serde::{Deserialize, Serialize};

/// The largest file that is parsed, in bytes. The largest real one that we know holds 1.6 MB.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// A part of a file that was not read, as the facts of the file keep it: [`Degraded`] without the path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Damage {
    /// First and last line, from 1; `None` for the whole file.
    pub(crate) lines: Option<(u32, u32)>,
    /// Why, for people.
    pub(crate) why: String,
    /// Names that may be declared inside.
    pub(crate) hides: Vec<String>,
}

impl Damage {
    /// The whole file is lost.
    pub(crate) fn whole(why: impl Into<String>) -> Self {
        Self {
            lines: None,
            why: why.into(),
            hides: vec![],
        }
    }

    /// The same, said of the file at `path`.
    pub(crate) fn at(&self, path: &str) -> Degraded {
        Degraded {
            file: path.to_owned(),
            lines: self.lines,
            why: self.why.clone(),
            hides: self.hides.clone(),
        }
    }
}

/// The text of a file without its byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Damage> {
    if is_lfs_pointer(bytes) {
        return Err(Damage::whole("content unavailable: LFS pointer"));
    }
    if bytes.len() > MAX_BYTES {
        return Err(Damage::whole(format!("over the budget of {} MB", MAX_BYTES >> 20)));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|_| Damage::whole("content is no UTF-8 text"))
}

/// Whether the whole file is a Git LFS pointer: its version line first, then `oid` and `size`, under 1 KB
/// (git-lfs, docs/spec.md). A text that merely quotes one is none.
fn is_lfs_pointer(bytes: &[u8]) -> bool {
    if bytes.len() >= 1024 {
        return false;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut lines = text.lines();
    lines.next() == Some("version https://git-lfs.github.com/spec/v1")
        && text
            .lines()
            .any(|line| line.strip_prefix("oid sha256:").is_some_and(|hash| hash.len() == 64))
        && text.lines().all(|line| line.contains(' '))
        && text.lines().any(|line| {
            line.strip_prefix("size ")
                .is_some_and(|size| size.parse::<u64>().is_ok())
        })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_pointer_is_no_content_and_a_text_about_pointers_is() {
        let pointer = format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 42\n",
            "a".repeat(64)
        );
        assert_eq!(
            text(pointer.as_bytes()).unwrap_err().why,
            "content unavailable: LFS pointer"
        );
        for near in [
            pointer.replace("size 42", "size is 42 bytes"),
            format!("// {pointer}"),
            format!("{pointer}\nand_more\n"),
            pointer.replace("spec/v1", "spec/v10"),
        ] {
            assert_eq!(text(near.as_bytes()).unwrap(), near);
        }
    }

    #[test]
    fn marks_bytes_and_sizes() {
        assert_eq!(text(b"\xef\xbb\xbf{}").unwrap(), "{}");
        assert_eq!(text(b"\xff\xfe{").unwrap_err().why, "content is no UTF-8 text");
        assert_eq!(
            text(&vec![b' '; MAX_BYTES + 1]).unwrap_err().why,
            "over the budget of 16 MB"
        );
    }
}
