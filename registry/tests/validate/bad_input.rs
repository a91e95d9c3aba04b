//! What nobody meant to write: a code and a place, never a panic.

use std::fs;

use agent_contracts_redact::Rules;
use agent_contracts_registry::records::{KINDS, Kind};
use agent_contracts_registry::validate;

use crate::witness::Witness;

/// The codes that these bytes get as an observation.
fn codes(bytes: &[u8]) -> Vec<String> {
    let kind = Kind::of_id("observation").unwrap();
    let problems = validate::record(kind, "x.observation.json", bytes, &Rules::builtin().unwrap());
    problems
        .iter()
        .map(|problem| format!("{} {}", problem.code, problem.pointer))
        .collect()
}

#[test]
fn texts_that_are_no_records() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let cases: &[(&[u8], &str)] = &[
        (b"", "FIL005 "),
        (b"{\"schema_version\": 1", "FIL005 "),
        (b"{} {}", "FIL005 "),
        (b"{'a': 1}", "FIL005 "),
        (b"{\"a\": NaN}", "FIL005 "),
        (b"{\"a\": Infinity}", "FIL005 "),
        (b"{\"a\": 1e999}", "FIL007 "),
        (
            b"{\"capture\": {\"a\": 1, \"b\": [{\"x\": 1, \"x\": 2}]}}",
            "FIL006 /capture/b/0/x",
        ),
        (b"{\"a/b\": 9007199254740993}", "FIL007 /a~1b"),
        (b"{\"a\": -9007199254740993}", "FIL007 /a"),
        (b"{\"a\": 1e300}", "FIL007 /a"),
        (b"\xef\xbb\xbf{}", "FIL004 "),
        (b"{\"a\": \"\xff\"}", "FIL003 "),
        (b"{\"a\": \"\\ud800\"}", "FIL005 "),
        (b"null", "OBS003 "),
        (b"[]", "OBS003 "),
        (deep.as_bytes(), "FIL008 "),
    ];
    for (bytes, want) in cases {
        let found = codes(bytes);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        assert!(
            found.iter().any(|code| code == want),
            "{shown}: {want} is not among {found:?}"
        );
    }
}

#[test]
fn every_truncation_of_a_record_has_a_code() {
    let witness = Witness::new();
    let bytes = fs::read(witness.path().join(&witness.observation)).unwrap();
    // The last byte is the newline, which nothing needs.
    for end in (0..bytes.len() - 1).step_by(7) {
        assert!(!codes(&bytes[..end]).is_empty(), "the first {end} bytes");
    }
}

#[test]
fn every_flipped_byte_is_read_without_a_panic() {
    let witness = Witness::new();
    let rules = Rules::builtin().unwrap();
    let mut bytes = fs::read(witness.path().join(&witness.shape)).unwrap();
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80] {
            bytes[at] ^= mask;
            for kind in KINDS.iter().filter(|kind| kind.id == "shape" || kind.id == "manifest") {
                let _ = validate::record(kind, "x", &bytes, &rules);
            }
            bytes[at] ^= mask;
        }
        if at > 400 {
            break;
        }
    }
}

#[test]
fn a_huge_file_is_not_read() {
    let witness = Witness::new();
    let file = fs::File::create(witness.path().join("registry/promotions.json")).unwrap();
    // Sparse: a gigabyte that takes no room.
    file.set_len(1 << 30).unwrap();
    assert!(
        witness
            .problems()
            .contains(&"FIL002 registry/promotions.json#".to_owned())
    );
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_told_and_not_followed() {
    let witness = Witness::new();
    std::os::unix::fs::symlink("/etc/hostname", witness.path().join("docs.md")).unwrap();
    std::os::unix::fs::symlink(witness.path(), witness.path().join("loop")).unwrap();
    let problems = witness.problems();
    assert!(problems.contains(&"FIL009 docs.md#".to_owned()), "{problems:?}");
    assert!(problems.contains(&"FIL009 loop#".to_owned()), "{problems:?}");
}

#[test]
fn a_leap_second_and_a_day_that_is_not_are_no_times() {
    let witness = Witness::new();
    for time in [
        "2016-12-31T23:59:60Z",
        "2026-02-30T10:00:00Z",
        "2026-06-27T10:00:00+02:00",
    ] {
        witness.edit(&witness.second, |value| value["capture"]["captured_at"] = time.into());
        let place = format!("OBS005 {}#/capture/captured_at", witness.second);
        assert!(witness.problems().contains(&place), "{time}: {:?}", witness.problems());
    }
}

#[test]
fn a_path_that_goes_up_is_no_path() {
    let witness = Witness::new();
    witness.edit(&witness.second, |value| {
        value["shape"]["path"] = "shapes/../../x.shape.json".into()
    });
    assert!(
        witness
            .problems()
            .contains(&format!("OBS005 {}#/shape/path", witness.second))
    );
}

#[test]
fn what_is_shown_of_a_wrong_value_is_no_secret() {
    let witness = Witness::new();
    let key = format!("sk-proj-{}", "aB3".repeat(14));
    witness.edit(&witness.second, |value| value["platform"] = key.clone().into());
    let report = witness.report();
    assert!(report.problems.iter().any(|problem| problem.code == "PUB001"));
    assert!(!format!("{report:?}").contains(&key));
}
