//! `validate`: the committed tree is true, and a lie about it ends with 1, its code and its place.

use std::path::Path;

use serde_json::Value;

use crate::fixture::Home;

fn committed() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/contracts").to_owned()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_committed_tree_is_true() {
    let home = Home::new();
    let out = home.ok(&["validate", "--tree", &committed()]);
    assert!(out.trim_end().ends_with(" records: 0 errors, 0 warnings"), "{out}");
}

#[test]
fn a_lie_is_told_with_code_and_place_in_every_format() {
    let home = Home::new();
    copy(Path::new(&committed()), &home.path().join("contracts"));
    let file = "registry/releases/codex.json";
    let text = std::fs::read_to_string(home.path().join("contracts").join(file)).unwrap();
    home.write(
        &format!("contracts/{file}"),
        text.replacen("\"prerelease\": false", "\"prerelease\": \"no\"", 1),
    );

    let (code, out, err) = home.run(&["validate"]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(
        out.starts_with("registry/releases/codex.json\n  REL003 /releases/0/prerelease: a value has another type\n"),
        "{out}"
    );

    let json = home.json(&["validate", "--json"]);
    assert_eq!(json["valid"], false);
    assert_eq!(json["problems"][0]["code"], "REL003");
    assert_eq!(json["problems"][0]["pointer"], "/releases/0/prerelease");
    assert_eq!(json["problems"][0]["found"], "\"no\"");

    let sarif = home.json(&["validate", "--format", "sarif"]);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "REL003");
    assert_eq!(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        file
    );
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["rules"][0]["id"], "REL003");

    // One file or folder of the tree: only its problems are told.
    let (code, out, _) = home.run(&["validate", &format!("contracts/{file}")]);
    assert_eq!(code, 1, "{out}");
    assert_eq!(home.run(&["validate", "contracts/probes"]).0, 0);
}

#[test]
fn a_record_that_stands_alone_is_checked_by_its_name() {
    let home = Home::new();
    home.write("x.observation.json", "{\"schema_version\": 1, \"schema_version\": 1}");
    let (code, out, _) = home.run(&["validate", "x.observation.json"]);
    assert_eq!(code, 1);
    assert!(
        out.contains("FIL006 /schema_version: an object has one member twice"),
        "{out}"
    );
    home.write("notes.json", "{\"must_see\": [\"done\"]}");
    assert_eq!(
        home.run(&["validate", "notes.json", "--kind", "expected-min-events"]).0,
        0
    );
    for (args, words) in [
        (&["validate", "notes.json"][..], "say what it is with --kind"),
        (
            &["validate", "notes.json", "--kind", "observatoin"],
            "did you mean `observation`?",
        ),
        (&["validate", "nowhere.json"], "cannot look at nowhere.json"),
        (&["validate"], "there is no tree at contracts"),
    ] {
        let complaint = home.complaint(args);
        assert!(
            complaint.starts_with("exit 2\n") && complaint.contains(words),
            "{args:?}: {complaint}"
        );
    }
}

#[test]
fn codes_are_explained() {
    let home = Home::new();
    let out = home.ok(&["explain", "OBS024"]);
    assert_eq!(
        out,
        "OBS024: the shape is not there\nto do: add the file of the shape\n"
    );
    let codes = home.json(&["validate", "--codes", "--json"]);
    assert!(codes.as_array().map_or(0, Vec::len) > 200);
    assert!(
        codes
            .as_array()
            .into_iter()
            .flatten()
            .all(|code| code["mend"].as_str().is_some_and(|mend| !mend.is_empty()))
    );
    assert_eq!(codes[0]["code"], Value::from("AGT001"));
}
