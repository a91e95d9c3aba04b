//! What a file, or a tree of files, is on the wire: source and the printed model.

mod linking;
mod tables;
mod types;
mod unread;

use crate::testing::{MemoryTree, print_file};

/// The model of one file, for a source whose lines may be indented.
fn print(source: &str) -> String {
    print_file("src/lib.rs", source)
}

/// Each source gives exactly these lines.
fn check(table: &[(&str, &str)]) {
    for (source, expected) in table {
        let expected: Vec<&str> = expected
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(print(source).lines().collect::<Vec<_>>(), expected, "{source}");
    }
}

/// The model of the files of a tree whose paths start with `scope`.
fn link(files: &[(&str, &str)], scope: &[&str]) -> String {
    MemoryTree::new(files).link(scope).print()
}
