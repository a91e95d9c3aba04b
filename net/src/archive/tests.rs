#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::io::Write;

use super::*;

/// A tar header as bytes, so that it can say what no builder would write.
fn entry(name: &[u8], kind: u8, told: u64, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_mode(0o644);
    header.set_size(told);
    if kind == b'2' || kind == b'1' {
        header.set_link_name_literal("a.ts").unwrap();
    }
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn file(name: &str, content: &str) -> Vec<u8> {
    entry(name.as_bytes(), b'0', content.len() as u64, content.as_bytes())
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tgz(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.extend_from_slice(&[0; 1024]);
    gz(&bytes)
}

fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn small() -> Limits {
    Limits {
        total: 1 << 20,
        entry: 100_000,
        entries: 20,
        ratio: 50,
        ratio_from: 10_000,
        path: 200,
    }
}

fn read(bytes: &[u8], format: Format, strip_first: bool) -> Result<Unpacked, ArchiveError> {
    let wanted = Wanted {
        strip_first,
        keep: &|path, _| path.rsplit('.').next() == Some("ts") || path == "package.json",
        limits: small(),
    };
    unpack(bytes, format, wanted)
}

fn listed(unpacked: &Unpacked) -> String {
    let files = unpacked.files.iter().map(|(path, content)| match content {
        Content::Kept(bytes) => format!("{path}: {}", String::from_utf8_lossy(bytes)),
        Content::NotKept(size) => format!("{path}: {size} bytes not kept"),
        Content::TooLarge(size) => format!("{path}: {size} bytes too large"),
    });
    let skipped = unpacked.skipped.iter().map(|(path, why)| format!("{path}: {why:?}"));
    files.chain(skipped).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_tar_gives_its_files_without_the_folder_of_the_package() {
    let numbers: Vec<String> = (0..20_000).map(|n: u32| n.to_string()).collect();
    let large = numbers.join(" ");
    let bytes = tgz(&[
        entry(b"package/", b'5', 0, b""),
        file("package/package.json", "{}"),
        file("package/dist/a.ts", "a"),
        file("odd/./b.ts", "b"),
        file("package/image.png", "12345"),
        file("package/large.ts", &large),
        file("beside.ts", "beside"),
        entry(b"package/link.ts", b'2', 0, b""),
        entry(b"package/hard.ts", b'1', 0, b""),
        entry(b"package/caf\xe9.ts", b'0', 1, b"c"),
    ]);
    insta::assert_snapshot!(listed(&read(&bytes, Format::TarGz, true).unwrap()), @r#"
    b.ts: b
    dist/a.ts: a
    image.png: 5 bytes not kept
    large.ts: 108889 bytes too large
    package.json: {}
    caf�.ts: Name
    hard.ts: Link("a.ts")
    link.ts: Link("a.ts")
    "#);
}

#[test]
fn a_zip_gives_its_files() {
    let bytes = zipped(&[
        ("pkg/a.ts", "a"),
        ("pkg/__init__.py", "12"),
        ("pkg-1.dist-info/RECORD", ""),
    ]);
    insta::assert_snapshot!(listed(&read(&bytes, Format::Zip, false).unwrap()), @r"
    pkg-1.dist-info/RECORD: 0 bytes not kept
    pkg/__init__.py: 2 bytes not kept
    pkg/a.ts: a
    ");
}

#[test]
fn long_names_of_every_kind_are_read() {
    let mut builder = tar::Builder::new(Vec::new());
    let long = format!("package/{}/a.ts", "d".repeat(150));
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    builder.append_data(&mut header, &long, &b"a"[..]).unwrap();
    let bytes = gz(&builder.into_inner().unwrap());
    let unpacked = read(&bytes, Format::TarGz, true).unwrap();
    assert!(unpacked.files.contains_key(long.strip_prefix("package/").unwrap()));
}

#[test]
fn what_a_stranger_may_send_is_refused_with_the_reason() {
    let plain = [file("p/a.ts", "a"), file("p/b.ts", &"b".repeat(900))];
    let whole = tgz(&plain);
    let mut broken = whole.clone();
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    let many: Vec<Vec<u8>> = (0..30).map(|n| file(&format!("p/{n}.ts"), "")).collect();
    let mut lying_zip = zipped(&[("a.ts", "abc")]);
    // The uncompressed size in the central directory: 24 bytes behind its signature.
    let central = lying_zip.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    lying_zip[central + 24] = 9;
    let mut short_zip = zipped(&[("a.ts", "abc")]);
    let central = short_zip.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    short_zip[central + 24] = 1;
    let mut twice_zip = zipped(&[("a.ts", "1"), ("b.ts", "2")]);
    for at in 0..twice_zip.len() - 4 {
        if &twice_zip[at..at + 4] == b"b.ts" {
            twice_zip[at] = b'a';
        }
    }
    let zeros = "\0".repeat(2 << 20);
    let cases: Vec<(&str, Vec<u8>, Format)> = vec![
        ("`..`", tgz(&[file("package/../../x.ts", "x")]), Format::TarGz),
        (
            "`..` behind `\\`",
            tgz(&[file("package\\..\\x.ts", "x")]),
            Format::TarGz,
        ),
        ("absolute", tgz(&[file("/etc/x.ts", "x")]), Format::TarGz),
        ("drive", tgz(&[file("C:/x.ts", "x")]), Format::TarGz),
        ("zip `..`", zipped(&[("../x.ts", "x")]), Format::Zip),
        ("too long", zipped(&[(&"x".repeat(300), "x")]), Format::Zip),
        ("NUL", zipped(&[("a\0b.ts", "x")]), Format::Zip),
        ("device", tgz(&[entry(b"p/dev", b'3', 0, b"")]), Format::TarGz),
        ("pipe", tgz(&[entry(b"p/fifo", b'6', 0, b"")]), Format::TarGz),
        ("twice", tgz(&[file("p/a.ts", "1"), file("p/a.ts", "2")]), Format::TarGz),
        ("twice in a zip", twice_zip, Format::Zip),
        ("bomb", tgz(&[file("p/x.bin", &zeros[..900_000])]), Format::TarGz),
        ("over the total", tgz(&[file("p/x.bin", &zeros)]), Format::TarGz),
        ("zip bomb", zipped(&[("a.ts", &zeros[..90_000])]), Format::Zip),
        ("entries", tgz(&many), Format::TarGz),
        (
            "told too large",
            tgz(&[entry(b"p/a.ts", b'0', 2000, b"abc")]),
            Format::TarGz,
        ),
        (
            "told enormous",
            tgz(&[entry(b"p/a.ts", b'0', u64::MAX >> 3, b"abc")]),
            Format::TarGz,
        ),
        ("zip told too large", lying_zip, Format::Zip),
        ("zip told too small", short_zip, Format::Zip),
        ("cut", whole[..whole.len() - 12].to_vec(), Format::TarGz),
        ("check sum cut", whole[..whole.len() - 4].to_vec(), Format::TarGz),
        ("cut in a member", gz(&plain.concat()[..700]), Format::TarGz),
        ("flipped", broken, Format::TarGz),
        ("no gzip", b"<html>not found</html>".to_vec(), Format::TarGz),
        ("no zip", b"<html>not found</html>".to_vec(), Format::Zip),
        ("nothing", Vec::new(), Format::TarGz),
    ];
    let told: Vec<String> = cases
        .into_iter()
        .map(
            |(name, bytes, format)| match read(&bytes, format, format == Format::TarGz) {
                Ok(unpacked) => format!("{name}: ACCEPTED {}", listed(&unpacked)),
                Err(error) => format!("{name}: {error}"),
            },
        )
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_same_file_twice_is_one_file() {
    let bytes = tgz(&[file("p/a.ts", "1"), file("p/a.ts", "1")]);
    assert_eq!(read(&bytes, Format::TarGz, true).unwrap().files.len(), 1);
}
