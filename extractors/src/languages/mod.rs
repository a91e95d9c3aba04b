//! The languages we read. A new one is one module and one line in the list below.

use std::collections::BTreeMap;

use agent_contracts_wire::WireModel;
use serde::{Deserialize, Serialize};

use crate::SourceTree;

/// What facts of every language are made of: the helpers that all share, and the wire types that facts hold.
const SHARED: &str = concat!(
    include_str!("../content.rs"),
    include_str!("../literals.rs"),
    include_str!("../stability.rs"),
    include_str!("../syntax.rs"),
    include_str!("../types.rs"),
    include_str!("../../../wire/src/model.rs"),
    include_str!("../../../wire/src/finding.rs"),
);

macro_rules! languages {
    ($($variant:ident => $module:ident),+ $(,)?) => {
        $(pub mod $module;)+

        /// The modules, as listed below.
        #[cfg(test)]
        const LISTED: &[&str] = &[$(stringify!($module)),+];

        /// What one file says, before any name is resolved.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub enum FileFacts {
            $(
                #[doc = concat!("Read by [`", stringify!($module), "`].")]
                $variant($module::Facts),
            )+
        }

        /// The language that reads `path`, by its id; `None` when none does.
        pub fn language_of(path: &str) -> Option<&'static str> {
            $(if $module::reads(path) { return Some($module::ID); })+
            None
        }

        /// Reads one file by itself. `None` when no language reads it. Never fails: what cannot be read is said in the
        /// facts.
        pub fn parse(path: &str, text: &[u8]) -> Option<FileFacts> {
            $(if $module::reads(path) { return Some(FileFacts::$variant($module::parse(path, text))); })+
            None
        }

        /// What a kept fact depends on beside the bytes of its file: the sources of the extractors and their grammars.
        pub fn fingerprint() -> String {
            let mut all = SHARED.to_owned();
            $(all.push_str($module::ID); all.push_str($module::REVISION); all.push('\n');)+
            agent_contracts_wire::canonical::sha256(all.as_bytes())
        }

        /// Links the files of `scope`, language by language, into one model.
        pub fn link(tree: &dyn SourceTree, scope: &[String]) -> WireModel {
            let mut by_language: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for path in scope {
                if let Some(id) = language_of(path) {
                    by_language.entry(id).or_default().push(path);
                }
            }
            let mut model = WireModel::default();
            $(if let Some(paths) = by_language.get($module::ID) { merge(&mut model, $module::link(tree, paths)); })+
            model
        }
    };
}

languages! {
    TypeScript => typescript,
    Rust => rust,
    JsonSchema => json_schema,
    Go => go,
    Python => python,
}

/// Adds `other` to `model`. A name that both hold keeps its first meaning; the second gets its path behind an `@`.
fn merge(model: &mut WireModel, other: WireModel) {
    for (id, decl) in other.types {
        let id = if model.types.contains_key(&id) {
            format!("{id}@{}", decl.place.file)
        } else {
            id
        };
        model.types.insert(id, decl);
    }
    for (name, constant) in other.constants {
        model.constants.entry(name).or_insert(constant);
    }
    model.flags.extend(other.flags);
    model.unresolved.extend(other.unresolved);
    model.degraded.extend(other.degraded);
    model.files += other.files;
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn every_language_of_the_folder_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/languages");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let module = name.trim_end_matches(".rs");
            assert!(
                module == "mod" || LISTED.contains(&module),
                "add `Name => {module},` to `languages!` in extractors/src/languages/mod.rs"
            );
        }
    }

    #[test]
    fn each_path_has_one_language_at_most() {
        for path in [
            "a.ts",
            "a.d.ts",
            "a.rs",
            "a.json",
            "a.go",
            "a.py",
            "README.md",
            "Makefile",
            "a",
        ] {
            let readers = usize::from(typescript::reads(path))
                + usize::from(rust::reads(path))
                + usize::from(json_schema::reads(path))
                + usize::from(go::reads(path))
                + usize::from(python::reads(path));
            assert!(readers <= 1, "{path} is read by {readers} languages");
            assert_eq!(readers == 1, language_of(path).is_some(), "{path}");
        }
    }
}
