//! Flags that left the scope, or came into it, without a change on the command line.
//!
//! A comparison knows a flag on one side only. Before it calls that flag gone or new, the other side is searched near
//! the file that declares it: parsers are split into files and moved between them all the time. Found is only what has
//! the same command and a common spelling.

use std::collections::BTreeSet;

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::Flag;

use super::code;
use super::files::{Files, contains, is_test, parent};
use crate::SourceTree;

/// The most files that are searched.
const MAX_FILES: usize = 3000;
/// What marks the folder of a package.
const MANIFESTS: [&str; 6] = [
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
];

/// The flags of `other` that `model`, made of the files `scope` of `tree`, lacks, as far as files of `tree` outside of
/// the scope declare them. They are not `in_scope`.
pub fn elsewhere(tree: &dyn SourceTree, scope: &[String], model: &WireModel, other: &WireModel) -> Vec<Flag> {
    let lacking: Vec<&Flag> = other
        .flags
        .iter()
        .filter(|flag| flag.in_scope && !has(&model.flags, flag))
        .collect();
    if lacking.is_empty() {
        return Vec::new();
    }
    let known: BTreeSet<&str> = scope.iter().map(String::as_str).collect();
    let more: BTreeSet<String> = near(tree, &lacking)
        .into_iter()
        .filter(|path| !known.contains(path.as_str()))
        .collect();
    if more.is_empty() {
        return Vec::new();
    }
    // Together with the scope, so that commands find their parents.
    let all: Vec<String> = scope.iter().cloned().chain(more.iter().cloned()).collect();
    let mut found = super::extract_beside(tree, &all, &|path| known.contains(path)).flags;
    found.retain(|flag| more.contains(&flag.place.file) && lacking.iter().any(|lacking| same(lacking, flag)));
    for flag in &mut found {
        flag.in_scope = false;
    }
    found
}

/// Whether one of `flags` takes a call with `flag`.
fn has(flags: &[Flag], flag: &Flag) -> bool {
    let above = |other: &Flag| {
        other.inherited && (other.command.is_empty() || flag.command.starts_with(&format!("{} ", other.command)))
    };
    flags
        .iter()
        .any(|other| same(other, flag) || (above(other) && spelled_alike(other, flag)))
}

fn same(one: &Flag, other: &Flag) -> bool {
    one.command == other.command && spelled_alike(one, other)
}

fn spelled_alike(one: &Flag, other: &Flag) -> bool {
    let spellings = |flag: &Flag| -> BTreeSet<String> { flag.aliases.iter().chain([&flag.name]).cloned().collect() };
    spellings(one).intersection(&spellings(other)).next().is_some()
}

/// The files around those that declare `flags` on the other side and hold the name of one of them.
fn near(tree: &dyn SourceTree, flags: &[&Flag]) -> BTreeSet<String> {
    let none = [];
    let files = Files::new(tree, &none);
    let mut found = BTreeSet::new();
    let mut searched = 0;
    let origins: BTreeSet<&str> = flags.iter().map(|flag| flag.place.file.as_str()).collect();
    for origin in origins {
        let Some(code) = code::of(origin) else { continue };
        let mut words: Vec<String> = Vec::new();
        for flag in flags.iter().filter(|flag| flag.place.file == origin) {
            let plain = flag.name.trim_start_matches('-');
            words.extend([plain.to_owned(), plain.replace('-', "_")]);
        }
        let folder = around(&files, origin);
        for path in files.below(&folder) {
            let same_language = code::of(path).is_some_and(|other| other.id == code.id);
            if !same_language || is_test(path) || found.contains(path) {
                continue;
            }
            searched += 1;
            if searched > MAX_FILES {
                return found;
            }
            let text = tree.text(path);
            if text.is_some_and(|text| words.iter().any(|word| contains(&text, word.as_bytes()))) {
                found.insert(path.clone());
            }
        }
    }
    found
}

/// The folder above that of a file, but within its package, and never the whole tree when the file is in a folder.
fn around(files: &Files<'_>, path: &str) -> String {
    let own = parent(path);
    let above = parent(own);
    let package = files.folder_with(path, &MANIFESTS).unwrap_or_default();
    let within = package.is_empty() || above == package || above.starts_with(&format!("{package}/"));
    if above.is_empty() || !within {
        own.to_owned()
    } else {
        above.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::extract;
    use crate::testing::MemoryTree;

    fn names(old: &[(&str, &str)], new: &[(&str, &str)], scope: &str) -> Vec<String> {
        let (old, new) = (MemoryTree::new(old), MemoryTree::new(new));
        let within =
            |tree: &MemoryTree| -> Vec<String> { tree.paths().iter().filter(|path| *path == scope).cloned().collect() };
        let (old_scope, new_scope) = (within(&old), within(&new));
        let (old_model, new_model) = (extract(&old, &old_scope), extract(&new, &new_scope));
        elsewhere(&old, &old_scope, &old_model, &new_model)
            .into_iter()
            .map(|flag| flag.name)
            .collect()
    }

    const PARSER: &str = r#"if (arg === "--mode") { x = args[++i]; } else if (arg === "--json") { y = true; }"#;

    #[test]
    fn a_parser_that_moved_into_the_scope_is_found_where_it_was() {
        let old = [
            ("pkg/package.json", "{}"),
            ("pkg/src/main.ts", PARSER),
            ("other/src/main.ts", PARSER),
        ];
        let new = [("pkg/package.json", "{}"), ("pkg/src/cli/args.ts", PARSER)];
        assert_eq!(names(&old, &new, "pkg/src/cli/args.ts"), ["--json", "--mode"]);
    }

    #[test]
    fn a_flag_of_another_command_or_of_a_test_is_another_flag() {
        let new = [(
            "cmd/run.go",
            "package cmd\nvar runCmd = &cobra.Command{Use: \"run\"}\nfunc init() { runCmd.Flags().Bool(\"quiet\", false, \"\") } // spf13/cobra",
        )];
        let other = "package cmd\nvar rootCmd = &cobra.Command{Use: \"x\"}\nfunc init() { rootCmd.Flags().Bool(\"quiet\", false, \"\"); rootCmd.AddCommand(runCmd) } // spf13/cobra";
        assert_eq!(
            names(&[("cmd/root.go", other)], &new, "cmd/run.go"),
            Vec::<String>::new()
        );
        let tests = [("pkg/src/cli.test.ts", PARSER)];
        assert_eq!(
            names(&tests, &[("pkg/src/args.ts", PARSER)], "pkg/src/args.ts"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_both_sides_have_is_not_looked_for() {
        let both = [("pkg/src/args.ts", PARSER), ("pkg/src/main.ts", PARSER)];
        assert_eq!(names(&both, &both, "pkg/src/args.ts"), Vec::<String>::new());
    }
}
