//! The libraries that command lines are written with. A new one is one module and one line in the list below.

use std::rc::Rc;

use super::code::Code;
use super::collect::Found;
use super::files::{File, Files};

/// How the flags of one library are read.
pub(crate) struct Library {
    pub(crate) language: &'static Code,
    /// A file that holds none of these is not read.
    pub(crate) hints: &'static [&'static str],
    /// Reads the flags of the given files of the scope, which are sorted by path.
    pub(crate) read: fn(&Files<'_>, &[Rc<File>], &mut Found),
}

macro_rules! libraries {
    ($($module:ident),+ $(,)?) => {
        $(pub(super) mod $module;)+

        /// The libraries, in the order they are read.
        pub(crate) const LIBRARIES: &[&Library] = &[$(&$module::LIBRARY),+];

        /// Their modules.
        #[cfg(test)]
        const MODULES: &[&str] = &[$(stringify!($module)),+];
    };
}

libraries! {
    clap_derive,
    clap_builder,
    yargs,
    commander,
    parse_args,
    hand_written,
    cobra,
    argparse,
    click,
    typer,
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_of_a_library_has_its_line() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/flags/libraries");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|name| name != "mod")
            .collect();
        let listed: BTreeSet<String> = MODULES.iter().map(|&name| name.to_owned()).collect();
        let missing: Vec<_> = files.symmetric_difference(&listed).collect();
        assert!(missing.is_empty(), "add or remove in `libraries!`: {missing:?}");
    }
}
