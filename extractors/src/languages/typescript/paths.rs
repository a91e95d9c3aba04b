//! Which file an import means.
//!
//! Relative specifiers the way the compiler finds them (`./x.js` is `x.ts` or `x.d.ts`, a folder is its index), packages
//! of the same repository by their manifests, and the usual aliases of a source root (`@/x`, `~/x`, `#/x`, `src/x`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::SourceTree;

/// The parts of a `package.json` that say where its types are.
#[derive(Debug, Default, Deserialize)]
struct Manifest {
    #[serde(default)]
    name: String,
    types: Option<String>,
    typings: Option<String>,
    main: Option<String>,
    #[serde(default)]
    exports: serde_json::Value,
}

/// Finds files of one tree.
pub(super) struct Paths<'a> {
    tree: &'a dyn SourceTree,
    /// Folder and manifest of each package of the tree, by name; read when first asked for.
    packages: Option<BTreeMap<String, (String, Manifest)>>,
}

impl<'a> Paths<'a> {
    pub(super) const fn new(tree: &'a dyn SourceTree) -> Self {
        Self { tree, packages: None }
    }

    /// The file that `module` means in the file `from`; `None` when it is not in the tree.
    pub(super) fn find(&mut self, from: &str, module: &str) -> Option<String> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        if module.starts_with('.') {
            return self.source_file(&join(folder, module)?);
        }
        if let Some(found) = self.in_package(module) {
            return Some(found);
        }
        let below = ["@/", "~/", "#/", "#"]
            .iter()
            .find_map(|alias| module.strip_prefix(alias));
        let below = below.or_else(|| module.starts_with("src/").then_some(module))?;
        let mut folder = Some(folder);
        while let Some(here) = folder {
            for root in [join(here, below), join(here, &format!("src/{below}"))] {
                if let Some(found) = root.and_then(|path| self.source_file(&path)) {
                    return Some(found);
                }
            }
            folder = match here {
                "" => None,
                _ => Some(here.rsplit_once('/').map_or("", |(parent, _)| parent)),
            };
        }
        None
    }

    fn exists(&self, path: &str) -> bool {
        self.tree
            .paths()
            .binary_search_by(|probe| probe.as_str().cmp(path))
            .is_ok()
    }

    /// The source or declaration file behind a path as an import or a manifest writes it.
    fn source_file(&self, path: &str) -> Option<String> {
        const ENDINGS: [(&str, &[&str]); 7] = [
            (".d.ts", &[".d.ts", ".ts"]),
            (".d.mts", &[".d.mts", ".mts"]),
            (".d.cts", &[".d.cts", ".cts"]),
            (".js", &[".ts", ".d.ts", ".js.d.ts"]),
            (".mjs", &[".mts", ".d.mts", ".ts"]),
            (".cjs", &[".cts", ".d.cts", ".ts"]),
            (".ts", &[".ts", ".d.ts"]),
        ];
        const BARE: [&str; 8] = ["", ".ts", ".d.ts", ".mts", ".d.mts", ".cts", "/index.ts", "/index.d.ts"];
        let try_all = |stem: &str, endings: &[&str]| {
            endings
                .iter()
                .map(|ending| format!("{stem}{ending}"))
                .find(|path| super::reads(path) && self.exists(path))
        };
        for (ending, endings) in ENDINGS {
            if let Some(stem) = path.strip_suffix(ending)
                && let Some(found) = try_all(stem, endings)
            {
                return Some(found);
            }
        }
        try_all(path, &BARE).or_else(|| try_all(path, &["/index.mts", "/index.d.mts", ".d.cts"]))
    }

    /// A module of a package that lies in the same tree.
    fn in_package(&mut self, module: &str) -> Option<String> {
        let tree = self.tree;
        let packages = self.packages.get_or_insert_with(|| packages(tree));
        if packages.is_empty() {
            return None;
        }
        let mut parts = module.splitn(if module.starts_with('@') { 3 } else { 2 }, '/');
        let mut name = parts.next()?.to_owned();
        if module.starts_with('@') {
            name = format!("{name}/{}", parts.next()?);
        }
        let inner = parts.next();
        let (folder, manifest) = packages.get(&name)?;
        let key = inner.map_or_else(|| ".".to_owned(), |inner| format!("./{inner}"));
        let mut named: Vec<String> = Vec::new();
        targets(manifest.exports.get(&key), &mut named);
        match inner {
            None => {
                if manifest.exports.is_string() {
                    targets(Some(&manifest.exports), &mut named);
                }
                named.extend(
                    [&manifest.types, &manifest.typings, &manifest.main]
                        .into_iter()
                        .flatten()
                        .cloned(),
                );
                named.extend(["src/index.ts", "index.ts", "index.d.ts"].map(str::to_owned));
            }
            Some(inner) => named.extend([format!("src/{inner}"), inner.to_owned()]),
        }
        let folder = folder.clone();
        named.iter().find_map(|target| {
            let path = join(&folder, target)?;
            // What is published from `dist/` is built from `src/`.
            let built = ["dist/", "build/", "lib/", "out/"].iter().find_map(|built| {
                let inner = target.trim_start_matches("./").strip_prefix(built)?;
                Some([
                    inner.to_owned(),
                    inner.trim_start_matches("types/").trim_start_matches("src/").to_owned(),
                ])
            });
            let sources = built
                .into_iter()
                .flatten()
                .filter_map(|inner| join(&folder, &format!("src/{inner}")));
            std::iter::once(path)
                .chain(sources)
                .find_map(|path| self.source_file(&path))
        })
    }
}

/// The packages that lie in the tree.
fn packages(tree: &dyn SourceTree) -> BTreeMap<String, (String, Manifest)> {
    let mut packages = BTreeMap::new();
    let manifests: BTreeSet<&String> = tree
        .paths()
        .iter()
        .filter(|path| (path.ends_with("/package.json") || *path == "package.json") && !path.contains("node_modules/"))
        .collect();
    for path in manifests {
        let Some(text) = tree.text(path) else { continue };
        // A broken manifest belongs to no package: imports of it stay unresolved, and say so.
        let Ok(manifest) = serde_json::from_slice::<Manifest>(&text) else {
            continue;
        };
        if !manifest.name.is_empty() {
            let folder = path.trim_end_matches("package.json").trim_end_matches('/').to_owned();
            packages.entry(manifest.name.clone()).or_insert((folder, manifest));
        }
    }
    packages
}

/// The files that an entry of `exports` names, those of types first.
fn targets(entry: Option<&serde_json::Value>, found: &mut Vec<String>) {
    match entry {
        Some(serde_json::Value::String(path)) => found.push(path.clone()),
        Some(serde_json::Value::Object(conditions)) => {
            for condition in ["types", "import", "default", "require", "node"] {
                targets(conditions.get(condition), found);
            }
        }
        _ => {}
    }
}

/// `relative` seen from `folder`; `None` when it leaves the tree.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryTree;

    #[test]
    fn imports_are_found_the_way_the_compiler_finds_them() {
        let tree = MemoryTree::new(&[
            (
                "packages/a/package.json",
                r#"{"name": "@x/a", "types": "./dist/index.d.ts", "exports": {"./deep": {"types": "./dist/deep.d.ts"}}}"#,
            ),
            ("packages/a/src/index.ts", ""),
            ("packages/a/src/deep.ts", ""),
            ("packages/b/package.json", "{ broken"),
            ("packages/b/src/main.ts", ""),
            ("packages/b/src/util/index.ts", ""),
            ("packages/b/src/types.d.ts", ""),
            ("packages/b/src/m.mts", ""),
        ]);
        let mut paths = Paths::new(&tree);
        let cases = [
            ("./types.js", Some("packages/b/src/types.d.ts")),
            ("./types", Some("packages/b/src/types.d.ts")),
            ("./types.d.ts", Some("packages/b/src/types.d.ts")),
            ("./util", Some("packages/b/src/util/index.ts")),
            ("./util/index.js", Some("packages/b/src/util/index.ts")),
            ("./m.mjs", Some("packages/b/src/m.mts")),
            ("../../a/src/deep.ts", Some("packages/a/src/deep.ts")),
            ("@/types", Some("packages/b/src/types.d.ts")),
            ("@x/a", Some("packages/a/src/index.ts")),
            ("@x/a/deep", Some("packages/a/src/deep.ts")),
            ("@x/unknown", None),
            ("./gone", None),
            ("../../../../outside", None),
        ];
        for (module, expected) in cases {
            assert_eq!(
                paths.find("packages/b/src/main.ts", module).as_deref(),
                expected,
                "{module}"
            );
        }
    }
}
