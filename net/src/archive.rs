//! Archives of packages, read in memory under limits: gzipped tar and zip. Nothing is ever written to disk.
//!
//! An archive comes from a stranger. It may claim sizes that are not true, hold more than fits, name places outside of
//! itself, or hold one name twice with different content so that two readers see two things. Each of these is an error;
//! none of them is worked around. Links are left out and told, since what they point at is read under its own name.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A gzipped tar: npm, crates.io, PyPI's source distributions.
    TarGz,
    /// A zip: PyPI's wheels.
    Zip,
}

/// What an archive may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that all entries may unpack to.
    pub total: u64,
    /// Bytes of a kept entry; a larger one is left out and told.
    pub entry: u64,
    /// How many entries there may be.
    pub entries: usize,
    /// How many times larger than packed it may unpack, once it is past [`Limits::ratio_from`].
    pub ratio: u64,
    /// Below so many unpacked bytes any ratio is fine.
    pub ratio_from: u64,
    /// Bytes of a path.
    pub path: usize,
}

impl Default for Limits {
    /// Wide enough for every package that we know of: the largest unpack to some 400 MB in some 20,000 entries, at
    /// about 10 to 1.
    fn default() -> Self {
        Self {
            total: 1 << 30,
            entry: 64 << 20,
            entries: 200_000,
            ratio: 150,
            ratio_from: 32 << 20,
            path: 4096,
        }
    }
}

/// What to do with an archive.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// Whether the first folder of every path is the package itself and is left out of the paths.
    pub strip_first: bool,
    /// Whether the content of an entry is kept, by its path and size; others are only listed.
    pub keep: &'a dyn Fn(&str, u64) -> bool,
    /// What it may cost.
    pub limits: Limits,
}

/// What an archive holds.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// Every file, by its path.
    pub files: BTreeMap<String, Content>,
    /// Entries that are no files with a name, by path (lossy where it is no UTF-8), with the reason.
    pub skipped: Vec<(String, Skip)>,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// It was kept.
    Kept(Arc<[u8]>),
    /// It was not asked for. Its size in bytes.
    NotKept(u64),
    /// It is over [`Limits::entry`]. Its size in bytes.
    TooLarge(u64),
}

/// Why an entry was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Skip {
    /// A symbolic or hard link, and where it points.
    Link(String),
    /// Its name is no UTF-8.
    Name,
}

/// Why an archive is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It unpacks to more than the limit.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// It unpacks to suspiciously more than its size.
    #[error("it unpacks to more than {ratio} times its size, as a zip bomb does")]
    Bomb {
        /// The limit.
        ratio: u64,
    },
    /// It has too many entries.
    #[error("it has more than {limit} entries")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// An entry leads out of the archive.
    #[error("its entry `{path}` leads out of the archive")]
    Escapes {
        /// The path, shortened.
        path: String,
    },
    /// An entry has a name that no file can have.
    #[error("its entry `{path}` has an impossible name: {why}")]
    Name {
        /// The path, shortened.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An entry is a device or a pipe.
    #[error("its entry `{path}` is neither file, folder nor link")]
    Special {
        /// The path, shortened.
        path: String,
    },
    /// One name stands for two contents.
    #[error("it holds `{path}` twice, with different content")]
    Twice {
        /// The path, shortened.
        path: String,
    },
    /// It has a name twice in its directory.
    #[error("it holds one name twice")]
    TwiceInDirectory,
    /// An entry has another size than it says.
    #[error("its entry `{path}` says that it has {told} bytes and has not")]
    Lies {
        /// The path, shortened.
        path: String,
        /// The size that it tells.
        told: u64,
    },
    /// It ends too early.
    #[error("it is cut short")]
    CutShort,
    /// It cannot be decoded.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// Reads an archive.
pub fn unpack(bytes: &[u8], format: Format, wanted: Wanted<'_>) -> Result<Unpacked, ArchiveError> {
    match format {
        Format::TarGz => untar(bytes, wanted),
        Format::Zip => unzip(bytes, wanted),
    }
}

fn untar(bytes: &[u8], wanted: Wanted<'_>) -> Result<Unpacked, ArchiveError> {
    let meter = Meter::new(flate2::read::GzDecoder::new(bytes), bytes.len(), wanted.limits);
    let mut archive = tar::Archive::new(meter);
    let mut gathered = Gathered::new(wanted);
    for entry in archive.entries().map_err(from_io)? {
        let mut entry = entry.map_err(from_io)?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() || kind.is_pax_local_extensions() {
            continue;
        }
        gathered.count()?;
        let raw = entry.path_bytes().into_owned();
        let Some(path) = gathered.path(&raw)? else { continue };
        if kind.is_dir() {
            continue;
        }
        if kind.is_symlink() || kind.is_hard_link() {
            let target = entry.link_name_bytes().unwrap_or_default();
            let target = String::from_utf8_lossy(&target).into_owned();
            gathered.unpacked.skipped.push((path.text(), Skip::Link(target)));
            continue;
        }
        if !kind.is_file() && !kind.is_contiguous() && !kind.is_gnu_sparse() {
            return Err(ArchiveError::Special { path: shown(&raw) });
        }
        let size = entry.size();
        gathered.file(&path, size, &mut entry)?;
    }
    // What follows the last entry still counts, and the check sum stands at the very end.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(from_io)?;
    Ok(gathered.finish())
}

fn unzip(bytes: &[u8], wanted: Wanted<'_>) -> Result<Unpacked, ArchiveError> {
    let mut archive = zip::ZipArchive::new(io::Cursor::new(bytes)).map_err(from_zip)?;
    if archive.has_duplicate_names() {
        return Err(ArchiveError::TwiceInDirectory);
    }
    let mut gathered = Gathered::new(wanted);
    let mut used = 0_u64;
    for index in 0..archive.len() {
        gathered.count()?;
        let mut entry = archive.by_index(index).map_err(from_zip)?;
        let raw = entry.name_raw().to_vec();
        let Some(path) = gathered.path(&raw)? else { continue };
        if entry.is_dir() {
            continue;
        }
        if entry.is_symlink() {
            let mut target = Vec::new();
            let limit = wanted.limits.path as u64;
            entry.by_ref().take(limit).read_to_end(&mut target).map_err(from_io)?;
            let target = String::from_utf8_lossy(&target).into_owned();
            gathered.unpacked.skipped.push((path.text(), Skip::Link(target)));
            continue;
        }
        let size = entry.size();
        // Entries that are not asked for are not unpacked, so only those that are count.
        if !gathered.keeps(&path, size) {
            gathered.list(&path, size);
            continue;
        }
        let limits = Limits {
            total: wanted.limits.total.saturating_sub(used),
            ..wanted.limits
        };
        let packed = usize::try_from(entry.compressed_size()).unwrap_or(usize::MAX);
        let mut meter = Meter::new(entry, packed, limits);
        gathered.file(&path, size, &mut meter)?;
        // A longer entry than told would otherwise be cut at the told size in silence.
        if io::copy(&mut meter, &mut io::sink()).map_err(from_io)? > 0 {
            return Err(lies(&raw, size));
        }
        used += meter.read;
    }
    Ok(gathered.finish())
}

/// Entries as they come, checked.
struct Gathered<'a> {
    wanted: Wanted<'a>,
    unpacked: Unpacked,
    entries: usize,
}

/// A path below the package.
enum Path {
    Text(String),
    Lossy(String),
}

impl Path {
    fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Lossy(text) => text.clone(),
        }
    }
}

impl<'a> Gathered<'a> {
    fn new(wanted: Wanted<'a>) -> Self {
        Self {
            wanted,
            unpacked: Unpacked::default(),
            entries: 0,
        }
    }

    fn count(&mut self) -> Result<(), ArchiveError> {
        self.entries += 1;
        let limit = self.wanted.limits.entries;
        if self.entries > limit {
            Err(ArchiveError::TooMany { limit })
        } else {
            Ok(())
        }
    }

    /// The path of an entry inside of the package; `None` for the package's folder itself and what stands beside it.
    fn path(&self, raw: &[u8]) -> Result<Option<Path>, ArchiveError> {
        let name = |why| ArchiveError::Name { path: shown(raw), why };
        if raw.len() > self.wanted.limits.path {
            return Err(name("it is too long"));
        }
        if raw.contains(&0) {
            return Err(name("it holds NUL"));
        }
        // On some systems `\` divides folders too and `C:` begins a path: what could lead out anywhere is refused.
        let absolute = matches!(raw, [b'/' | b'\\', ..] | [_, b':', b'/' | b'\\', ..]);
        if absolute || raw.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"..") {
            return Err(ArchiveError::Escapes { path: shown(raw) });
        }
        let mut parts: Vec<&[u8]> = raw
            .split(|&byte| byte == b'/')
            .filter(|part| !matches!(*part, b"" | b"."))
            .collect();
        if self.wanted.strip_first && !parts.is_empty() {
            parts.remove(0);
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let path = parts.join(&b'/');
        Ok(Some(match String::from_utf8(path) {
            Ok(text) => Path::Text(text),
            Err(error) => Path::Lossy(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        }))
    }

    fn keeps(&self, path: &Path, size: u64) -> bool {
        matches!(path, Path::Text(text) if (self.wanted.keep)(text, size) && size <= self.wanted.limits.entry)
    }

    /// Notes a file whose content is not kept.
    fn list(&mut self, path: &Path, size: u64) {
        match path {
            Path::Lossy(text) => self.unpacked.skipped.push((text.clone(), Skip::Name)),
            Path::Text(text) => {
                let content = if (self.wanted.keep)(text, size) {
                    Content::TooLarge(size)
                } else {
                    Content::NotKept(size)
                };
                self.unpacked.files.entry(text.clone()).or_insert(content);
            }
        }
    }

    /// Reads a file, or notes it.
    fn file(&mut self, path: &Path, size: u64, content: &mut dyn Read) -> Result<(), ArchiveError> {
        if !self.keeps(path, size) {
            self.list(path, size);
            return Ok(());
        }
        let text = path.text();
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(1 << 20));
        content.take(size).read_to_end(&mut bytes).map_err(from_io)?;
        if bytes.len() as u64 != size {
            return Err(lies(text.as_bytes(), size));
        }
        let kept = Content::Kept(bytes.into());
        match self.unpacked.files.get(&text) {
            Some(known) if *known != kept => Err(ArchiveError::Twice {
                path: shown(text.as_bytes()),
            }),
            _ => {
                self.unpacked.files.insert(text, kept);
                Ok(())
            }
        }
    }

    fn finish(mut self) -> Unpacked {
        self.unpacked.skipped.sort_by(|a, b| a.0.cmp(&b.0));
        self.unpacked
    }
}

/// Counts what was unpacked and stops at the limits.
struct Meter<R> {
    inner: R,
    packed: u64,
    read: u64,
    limits: Limits,
}

impl<R> Meter<R> {
    fn new(inner: R, packed: usize, limits: Limits) -> Self {
        Self {
            inner,
            packed: packed as u64,
            read: 0,
            limits,
        }
    }
}

impl<R: Read> Read for Meter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.read += got as u64;
        let limits = &self.limits;
        if self.read > limits.total {
            return Err(io::Error::other(ArchiveError::TooLarge { limit: limits.total }));
        }
        if self.read > limits.ratio_from && self.read / limits.ratio.max(1) > self.packed {
            return Err(io::Error::other(ArchiveError::Bomb { ratio: limits.ratio }));
        }
        Ok(got)
    }
}

fn lies(path: &[u8], told: u64) -> ArchiveError {
    ArchiveError::Lies {
        path: shown(path),
        told,
    }
}

/// A path for a message: short, and without control characters.
fn shown(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let mut shown: String = text.chars().take(120).flat_map(char::escape_debug).collect();
    if text.chars().count() > 120 {
        shown.push('…');
    }
    shown
}

#[expect(clippy::needless_pass_by_value, reason = "stands in map_err")]
fn from_io(error: io::Error) -> ArchiveError {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return ArchiveError::CutShort;
    }
    // Readers wrap each other's errors; our own stands somewhere inside.
    let mut cause: Option<&(dyn std::error::Error + 'static)> = error.get_ref().map(|inner| inner as _);
    while let Some(inner) = cause {
        if let Some(own) = inner.downcast_ref::<ArchiveError>() {
            return own.clone();
        }
        if let Some(io) = inner.downcast_ref::<io::Error>() {
            if io.kind() == io::ErrorKind::UnexpectedEof {
                return ArchiveError::CutShort;
            }
            if let Some(own) = io.get_ref().and_then(|own| own.downcast_ref::<ArchiveError>()) {
                return own.clone();
            }
        }
        cause = inner.source();
    }
    let text = error.to_string();
    if text.contains("unexpected EOF") {
        return ArchiveError::CutShort;
    }
    ArchiveError::Damaged(text)
}

fn from_zip(error: zip::result::ZipError) -> ArchiveError {
    match error {
        zip::result::ZipError::Io(error) => from_io(error),
        other => ArchiveError::Damaged(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
