//! What is generated is committed as it would be generated now.

use std::collections::BTreeSet;
use std::path::Path;

use agent_contracts_registry::generated;
use agent_contracts_registry::validate::codes;

#[test]
fn schemas_and_types_are_not_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let stale: Vec<String> = generated::files()
        .unwrap()
        .into_iter()
        .filter(|(path, text)| std::fs::read_to_string(root.join(path)).ok().as_ref() != Some(text))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(
        stale,
        Vec::<String>::new(),
        "run `cargo run -p agent-contracts-registry --bin generate` and commit"
    );
}

#[test]
fn codes_are_unique_and_explained() {
    let all = codes::all();
    let unique: BTreeSet<&str> = all.iter().map(|code| code.code.as_str()).collect();
    assert_eq!(unique.len(), all.len());
    for code in &all {
        assert_eq!(codes::of(&code.code).as_ref(), Some(code));
        assert!(!code.title.is_empty() && !code.mend.is_empty());
    }
    assert_eq!(codes::of("OBS999"), None);
    assert_eq!(codes::of("é"), None);
}
