//! Archives of packages.

use std::io::Write as _;

use agent_contracts_net::archive::{Content, Format, Limits, Wanted, unpack};

/// What an archive may cost here: small enough that a bomb would be seen as one.
const LIMITS: Limits = Limits {
    total: 1 << 20,
    entry: 64 << 10,
    entries: 256,
    ratio: 100,
    ratio_from: 64 << 10,
    path: 512,
};

/// The first byte says what the others are: a gzipped tar, a zip, or a tar that is gzipped here, since no fuzzer finds a
/// check sum.
pub fn archive(data: &[u8]) {
    let Some((kind, bytes)) = data.split_first() else {
        return;
    };
    let (bytes, format) = match kind % 3 {
        0 => (bytes.to_vec(), Format::TarGz),
        1 => (bytes.to_vec(), Format::Zip),
        _ => (gzipped(bytes), Format::TarGz),
    };
    for strip_first in [false, true] {
        let wanted = Wanted {
            strip_first,
            keep: &|path, _| !path.ends_with("/skipped"),
            limits: LIMITS,
        };
        let Ok(unpacked) = unpack(&bytes, format, wanted) else {
            continue;
        };
        let mut total = 0;
        for (path, content) in &unpacked.files {
            assert!(
                !path.starts_with('/') && !path.split('/').any(|part| part == ".."),
                "{path} leads out"
            );
            if let Content::Kept(text) = content {
                assert!(text.len() as u64 <= LIMITS.entry, "{path} is too large");
                total += text.len() as u64;
            }
        }
        assert!(total <= LIMITS.total, "it unpacks to {total} bytes");
        assert!(
            unpacked.files.len() + unpacked.skipped.len() <= LIMITS.entries,
            "too many entries"
        );
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}
