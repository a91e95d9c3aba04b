//! The Python package index, as pip finds it: `PIP_INDEX_URL`, `pip.conf`, and the default that pip's own help prints.
//!
//! `PIP_FIND_LINKS` names files and folders beside the index and is no index. `PIP_NO_INDEX` means that none is used.

use std::path::PathBuf;

use super::{Endpoint, Registry, Surroundings};
use crate::NetError;

pub(super) fn find(surroundings: &Surroundings) -> Result<Option<Endpoint>, NetError> {
    let file = |key: &str| {
        files(surroundings)
            .iter()
            .filter_map(|path| Surroundings::read(path))
            .filter_map(|text| value(&text, key))
            .next_back()
    };
    let on = |text: &str| matches!(text.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on");
    let no_index = surroundings
        .var("PIP_NO_INDEX")
        .map(str::to_owned)
        .or_else(|| file("no-index"));
    if no_index.is_some_and(|text| on(&text)) {
        return Err(NetError::Unavailable {
            name: Registry::Pypi.name().into(),
            why: "pip is told to use no index (no-index)".into(),
        });
    }
    let found = if let Some(address) = surroundings.var("PIP_INDEX_URL") {
        Some((address.to_owned(), "the environment"))
    } else if let Some(address) = file("index-url") {
        Some((address, "pip.conf"))
    } else {
        ask(surroundings).map(|address| (address, "pip, when asked"))
    };
    found
        .map(|(address, origin)| Endpoint::new(Registry::Pypi, &address, origin))
        .transpose()
}

/// pip's files from the weakest to the strongest (pip's documentation of configuration files).
fn files(surroundings: &Surroundings) -> Vec<PathBuf> {
    let mut files = vec![PathBuf::from("/etc/pip.conf"), PathBuf::from("/etc/xdg/pip/pip.conf")];
    if let Some(home) = &surroundings.home {
        files.push(home.join(".pip/pip.conf"));
        files.push(home.join("Library/Application Support/pip/pip.conf"));
        files.push(home.join("AppData/Roaming/pip/pip.ini"));
        let config = surroundings
            .var("XDG_CONFIG_HOME")
            .map_or_else(|| home.join(".config"), PathBuf::from);
        files.push(config.join("pip/pip.conf"));
    }
    if let Some(environment) = surroundings.var("VIRTUAL_ENV") {
        files.push(PathBuf::from(environment).join("pip.conf"));
    }
    match surroundings.var("PIP_CONFIG_FILE") {
        // As with pip: the null device means "read none".
        Some("/dev/null" | "nul") => files.clear(),
        Some(path) => files.push(PathBuf::from(path)),
        None => {}
    }
    files
}

/// The value of `key` in `[download]`, `[install]` or `[global]`, the first that has it.
fn value(text: &str, key: &str) -> Option<String> {
    let mut found: [Option<String>; 3] = Default::default();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').trim();
        } else if let Some((name, value)) = line.split_once(['=', ':'])
            && name.trim().replace('_', "-") == key
            && let Some(place) = ["download", "install", "global"]
                .iter()
                .position(|name| *name == section)
        {
            found[place] = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
        }
    }
    found.into_iter().flatten().next()
}

/// `pip install --help` ends the line of `--index-url` with `(default ADDRESS)`, also where a file changed it. A password
/// in there is masked by pip; such an address is no help.
fn ask(surroundings: &Surroundings) -> Option<String> {
    let askers: [(&str, &[&str]); 4] = [
        ("pip", &["install", "--help"]),
        ("pip3", &["install", "--help"]),
        ("python3", &["-m", "pip", "install", "--help"]),
        ("python", &["-m", "pip", "install", "--help"]),
    ];
    askers
        .iter()
        .filter_map(|(program, arguments)| (surroundings.ask)(program, arguments))
        .find_map(|help| {
            let after = &help[help.find("--index-url")?..];
            let address = after[after.find("(default ")? + "(default ".len()..]
                .split([')', ' ', '\n'])
                .next()?;
            (address.contains("://") && !address.contains("****")).then(|| address.to_owned())
        })
}
