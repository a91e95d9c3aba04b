//! Pointers that git LFS leaves in place of a file.

/// What a pointer says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    /// `sha256:` and the hash of the content.
    pub(super) oid: String,
    /// Size of the content in bytes.
    pub(super) size: u64,
}

/// A pointer is never longer (git-lfs, `docs/spec.md`: pointer files are less than 1024 bytes).
pub(super) const MAX_POINTER: u64 = 1024;

/// Reads a pointer: exactly the lines `version`, `oid sha256:` and `size`, as `docs/spec.md` of git-lfs has them.
/// Text that only talks about pointers is none.
pub(super) fn pointer(bytes: &[u8]) -> Option<Pointer> {
    if bytes.len() as u64 >= MAX_POINTER {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    if lines.next()? != "version https://git-lfs.github.com/spec/v1" {
        return None;
    }
    let oid = lines.next()?.strip_prefix("oid ")?;
    let hash = oid.strip_prefix("sha256:")?;
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    if hash.len() != 64 || !hash.chars().all(hex) {
        return None;
    }
    let size = lines.next()?.strip_prefix("size ")?.parse().ok()?;
    lines.next().is_none().then(|| Pointer {
        oid: oid.to_owned(),
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_lines_are_a_pointer() {
        let hash = "a".repeat(64);
        let real = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize 12\n");
        let expected = Pointer {
            oid: format!("sha256:{hash}"),
            size: 12,
        };
        assert_eq!(pointer(real.as_bytes()), Some(expected));
        assert!(pointer(real.trim_end().as_bytes()).is_some());
        for other in [
            format!("{real}more\n"),
            real.replace("spec/v1", "spec/v2"),
            real.replace("sha256:a", "sha256:g"),
            real.replace("size 12", "size many"),
            real.replace("oid sha256:", "oid md5:"),
            format!("// {real}"),
            format!("{real}{}", "x".repeat(2000)),
            "version 1.0\noid x\nsize 1\n".to_owned(),
            String::new(),
        ] {
            assert_eq!(pointer(other.as_bytes()), None, "{other}");
        }
    }
}
