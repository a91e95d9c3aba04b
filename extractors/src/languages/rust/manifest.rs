//! What a `Cargo.toml` says of where crates are.

use toml::{Table, Value};

use super::facts::{Dependency, Manifest};

/// Reads a manifest; an unreadable one says nothing.
pub(super) fn parse(text: &str) -> Manifest {
    let Ok(table) = text.parse::<Table>() else {
        return Manifest::default();
    };
    let text = |path: &[&str]| lookup(&table, path).and_then(Value::as_str).map(str::to_owned);
    let name = text(&["lib", "name"]).or_else(|| text(&["package", "name"]));
    Manifest {
        name: name.map(|name| crate_name(&name)),
        lib: text(&["lib", "path"]),
        dependencies: lookup(&table, &["dependencies"])
            .into_iter()
            .chain(
                lookup(&table, &["target"])
                    .and_then(Value::as_table)
                    .into_iter()
                    .flat_map(|targets| targets.values().filter_map(|target| target.get("dependencies"))),
            )
            .flat_map(dependencies)
            .collect(),
        workspace: table.contains_key("workspace"),
        shared: lookup(&table, &["workspace", "dependencies"])
            .map(dependencies)
            .unwrap_or_default(),
    }
}

fn lookup<'a>(table: &'a Table, path: &[&str]) -> Option<&'a Value> {
    let (last, parents) = path.split_last()?;
    let mut table = table;
    for part in parents {
        table = table.get(*part)?.as_table()?;
    }
    table.get(*last)
}

/// The dependencies of a section that have a place, or leave it to the workspace.
fn dependencies(section: &Value) -> Vec<Dependency> {
    let Some(section) = section.as_table() else {
        return Vec::new();
    };
    section
        .iter()
        .filter_map(|(name, value)| {
            let path = value.get("path").and_then(Value::as_str).map(str::to_owned);
            let shared = value.get("workspace").and_then(Value::as_bool) == Some(true);
            (path.is_some() || shared).then(|| Dependency {
                name: crate_name(name),
                path,
            })
        })
        .collect()
}

fn crate_name(name: &str) -> String {
    name.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_versions_are_not() {
        let manifest = parse(
            r#"
            [package]
            name = "my-app"
            [lib]
            path = "rust/acp.rs"
            [dependencies]
            my-core = { path = "../core" }
            my-wire = { workspace = true }
            serde = "1"
            [workspace.dependencies]
            my-wire = { path = "wire" }
            "#,
        );
        let dependency = |name: &str, path: Option<&str>| Dependency {
            name: name.into(),
            path: path.map(str::to_owned),
        };
        assert_eq!(
            manifest,
            Manifest {
                name: Some("my_app".into()),
                lib: Some("rust/acp.rs".into()),
                dependencies: vec![dependency("my_core", Some("../core")), dependency("my_wire", None)],
                workspace: true,
                shared: vec![dependency("my_wire", Some("wire"))],
            }
        );
        assert_eq!(parse("[package"), Manifest::default());
    }
}
