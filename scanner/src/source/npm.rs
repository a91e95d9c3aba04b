//! What the manifest of an npm package promises.
//!
//! A package may name an entry point that its archive does not hold. What it declares is then unknown, which is not the
//! same as gone (case 48 of the incident list).

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_net::archive::Content;
use serde_json::Value;

use super::{Skipped, Unavailable};

/// Endings that may be left out in a manifest.
const ENDINGS: [&str; 9] = [
    "",
    ".js",
    ".mjs",
    ".cjs",
    ".json",
    ".d.ts",
    ".d.mts",
    "/index.js",
    "/index.d.ts",
];

/// Files that `package.json` names as its types or its entry point and that are not there, sorted by path.
pub(super) fn declared_and_missing(files: &BTreeMap<String, Content>) -> Vec<Skipped> {
    let Some(Content::Kept(manifest)) = files.get("package.json") else {
        return Vec::new();
    };
    let Ok(manifest) = serde_json::from_slice::<Value>(manifest) else {
        return Vec::new();
    };
    let mut declared = BTreeSet::new();
    for member in ["types", "typings", "main"] {
        if let Some(path) = manifest.get(member).and_then(Value::as_str) {
            declared.insert((path.to_owned(), member));
        }
    }
    types_of_exports(manifest.get("exports"), &mut declared);
    let mut missing: BTreeMap<String, Skipped> = BTreeMap::new();
    for (path, member) in declared {
        let path = path.trim_start_matches("./").trim_end_matches('/').to_owned();
        let there = |ending: &str| files.contains_key(&format!("{path}{ending}"));
        if !path.is_empty() && !path.contains('*') && !ENDINGS.iter().any(|ending| there(ending)) {
            missing.entry(path.clone()).or_insert(Skipped {
                path,
                why: Unavailable::Declared { member },
            });
        }
    }
    missing.into_values().collect()
}

/// Every `types` condition below `exports`.
fn types_of_exports(exports: Option<&Value>, declared: &mut BTreeSet<(String, &'static str)>) {
    match exports {
        Some(Value::Object(conditions)) => {
            for (name, value) in conditions {
                match value {
                    Value::String(path) if name == "types" => {
                        declared.insert((path.clone(), "exports"));
                    }
                    value => types_of_exports(Some(value), declared),
                }
            }
        }
        Some(Value::Array(choices)) => choices
            .iter()
            .for_each(|choice| types_of_exports(Some(choice), declared)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(manifest: &str, files: &[&str]) -> Vec<String> {
        let mut all: BTreeMap<String, Content> = files
            .iter()
            .map(|path| ((*path).to_owned(), Content::NotKept(1)))
            .collect();
        all.insert("package.json".to_owned(), Content::Kept(manifest.as_bytes().into()));
        let missing = declared_and_missing(&all);
        missing.iter().map(|one| format!("{}: {}", one.path, one.why)).collect()
    }

    #[test]
    fn an_entry_point_that_is_not_there_is_told() {
        let manifest = r#"{"main":"sdk.mjs","types":"./sdk.d.ts","exports":{".":{"import":{"types":"./dist/a.d.ts"}},"./*":{"types":"./dist/*.d.ts"}}}"#;
        insta::assert_snapshot!(missing(manifest, &["cli.js"]).join("\n"), @r"
        dist/a.d.ts: declared file missing: package.json names it as `exports`
        sdk.d.ts: declared file missing: package.json names it as `types`
        sdk.mjs: declared file missing: package.json names it as `main`
        ");
        assert!(missing(manifest, &["sdk.mjs", "sdk.d.ts", "dist/a.d.ts"]).is_empty());
        assert!(missing(r#"{"main":"lib","types":"lib/"}"#, &["lib/index.js", "lib/index.d.ts"]).is_empty());
        assert!(missing("not json", &[]).is_empty());
    }
}
