//! Every rule's examples are tests: each pair fires exactly the rules it names.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use super::{ALL, EXAMPLES, LISTED, explain};
use crate::diff::{DiffOptions, diff};
use crate::finding::Severity;
use crate::notation::model;

/// A pair of models and the rules that it fires, severity `none` left out.
pub(super) struct Example {
    pub(super) name: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
    pub(super) fires: &'static [&'static str],
}

#[test]
fn each_example_fires_exactly_the_rules_it_names() {
    let mut failures = Vec::new();
    for (rule, examples) in EXAMPLES {
        for example in *examples {
            let found = diff(&model(example.old), &model(example.new), &DiffOptions::default());
            let mut fired: Vec<&str> = found
                .findings
                .iter()
                .filter(|f| f.severity > Severity::None)
                .map(|f| f.rule.as_str())
                .collect();
            fired.sort_unstable();
            let mut wanted = example.fires.to_vec();
            wanted.sort_unstable();
            if fired != wanted {
                failures.push(format!(
                    "{rule}, {}: wanted {wanted:?}, got {fired:?}\n{:#?}",
                    example.name, found.findings
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} examples failed\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn each_rule_has_an_example_that_fires_it_and_one_that_does_not() {
    for (rule, examples) in EXAMPLES {
        assert!(
            examples.iter().any(|example| example.fires.contains(rule)),
            "{rule} has no positive example"
        );
        assert!(
            examples.iter().any(|example| !example.fires.contains(rule)),
            "{rule} has no negative example"
        );
    }
}

#[test]
fn every_file_of_the_folder_is_listed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let listed: BTreeSet<&str> = LISTED.iter().copied().collect();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".rs") else { continue };
        if !matches!(stem, "mod" | "examples") {
            assert!(
                listed.contains(stem),
                "src/rules/{name} is not listed: add the line `{stem},` to `rules!` in src/rules/mod.rs"
            );
        }
    }
    for (stem, rule) in LISTED.iter().zip(ALL) {
        assert_eq!(*stem, rule.id, "the id of a rule is the name of its file");
    }
}

#[test]
fn a_rule_explains_itself() {
    insta::assert_snapshot!(explain("field_added").unwrap());
    assert!(explain("no_such_rule").is_none());
    for rule in ALL {
        let text = explain(rule.id).unwrap();
        assert!(text.contains(rule.title) && text.contains("Before:"), "{text}");
        assert!(rule.explanation.len() > 30, "{} explains too little", rule.id);
    }
}
