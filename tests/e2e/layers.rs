//! Imports go down only, and pure crates stay pure.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// The layers, lowest first, as in ARCHITECTURE.md. A crate may use those of lower lines only.
const LAYERS: &[&[&str]] = &[
    &["wire"],
    &["shapes", "extractors"],
    &["source-evidence", "redact", "config"],
    &["registry"],
    &["net", "reports", "replay"],
    &["capture", "scanner", "watchers"],
    &["notifiers"],
    &["agent-contracts"],
];

/// Crates without network, clock, environment or async.
const PURE: &[&str] = &[
    "wire",
    "extractors",
    "shapes",
    "redact",
    "config",
    "source-evidence",
    "registry",
    "reports",
    "replay",
];

/// What no pure crate may have in its closure.
const IMPURE: &[&str] = &["tokio", "reqwest", "octocrab", "gix", "hyper"];

/// Tools of the developers, which nothing may depend on but tests.
const TOOLS: &[&str] = &["eval", "benches"];

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .exec()
        .unwrap()
}

fn short(name: &str) -> &str {
    name.strip_prefix("agent-contracts-").unwrap_or(name)
}

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

/// Every edge between two crates of the workspace that breaks the layers, in words.
fn forbidden<'a>(edges: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    edges
        .into_iter()
        .filter_map(|(from, to)| match (layer_of(from), layer_of(to)) {
            (Some(upper), Some(lower)) if lower < upper => None,
            (Some(_), Some(_)) => Some(format!("{from} imports {to}, which is not below it")),
            _ => Some(format!("{from} imports {to}, and one of them stands in no layer")),
        })
        .collect()
}

#[test]
fn crates_import_downwards_only() {
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata
        .workspace_packages()
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let edges: Vec<(&str, &str)> = metadata
        .workspace_packages()
        .into_iter()
        .filter(|package| !TOOLS.contains(&short(&package.name)))
        .flat_map(|package: &Package| {
            package
                .dependencies
                .iter()
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| (short(&package.name), short(&dependency.name)))
        })
        .filter(|(_, to)| ours.contains(format!("agent-contracts-{to}").as_str()))
        .collect();
    assert!(edges.len() > 20, "the workspace was not read: {edges:?}");
    assert_eq!(forbidden(edges), Vec::<String>::new());
}

#[test]
fn every_crate_stands_in_one_layer() {
    for package in metadata().workspace_packages() {
        let name = short(&package.name);
        let lines = LAYERS.iter().filter(|layer| layer.contains(&name)).count();
        assert_eq!(
            lines,
            usize::from(!TOOLS.contains(&name)),
            "{name} stands in {lines} layers of tests/e2e/layers.rs"
        );
    }
}

#[test]
fn an_edge_up_or_sideways_is_found() {
    assert_eq!(
        forbidden([("scanner", "wire"), ("agent-contracts", "notifiers")]),
        Vec::<String>::new()
    );
    assert_eq!(
        forbidden([("wire", "scanner")]),
        ["wire imports scanner, which is not below it"]
    );
    assert_eq!(
        forbidden([("scanner", "watchers")]),
        ["scanner imports watchers, which is not below it"]
    );
    assert_eq!(forbidden([("scanner", "unheard-of")]).len(), 1);
}

#[test]
fn pure_crates_hold_no_network_and_no_async() {
    let metadata = metadata();
    let resolve = metadata.resolve.as_ref().unwrap();
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut checked = 0;
    for package in metadata
        .workspace_packages()
        .into_iter()
        .filter(|package| PURE.contains(&short(&package.name)))
    {
        let (mut seen, mut open) = (BTreeSet::new(), vec![&package.id]);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let name = metadata[id].name.as_str();
            assert!(!IMPURE.contains(&name), "{} holds {name} in its closure", package.name);
            for dependency in &nodes[id].deps {
                if dependency
                    .dep_kinds
                    .iter()
                    .any(|kind| kind.kind != DependencyKind::Development)
                {
                    open.push(&dependency.pkg);
                }
            }
        }
        checked += 1;
    }
    assert!(checked >= 8, "only {checked} pure crates were found");
}
