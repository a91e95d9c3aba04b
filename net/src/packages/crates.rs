//! The sparse index of crates.io.
//!
//! Source: the Cargo book, "Registry Index" (paths, lines, `config.json` with the template `dl`).

use serde::Deserialize;

use super::{Check, Listed};
use crate::NetError;
use crate::archive::Format;

#[derive(Debug)]
pub(super) struct Versions {
    name: String,
    download: String,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    vers: String,
    cksum: String,
}

#[derive(Deserialize)]
struct Config {
    dl: String,
}

/// The path of a crate below the index, in segments.
pub(super) fn index_path(name: &str) -> Vec<String> {
    let mut path = prefix(&name.to_ascii_lowercase());
    path.push(name.to_ascii_lowercase());
    path
}

fn prefix(name: &str) -> Vec<String> {
    match name.len() {
        1 | 2 => vec![name.len().to_string()],
        3 => vec!["3".to_owned(), name[..1].to_owned()],
        _ => vec![
            name.get(..2).unwrap_or(name).to_owned(),
            name.get(2..4).unwrap_or_default().to_owned(),
        ],
    }
}

pub(super) fn read(package: &str, name: &str, body: &[u8], config: &[u8]) -> Result<Versions, NetError> {
    let config: Config = serde_json::from_slice(config)
        .map_err(|error| NetError::malformed(package, format!("the index's config.json: {error}")))?;
    let text = std::str::from_utf8(body).map_err(|error| NetError::malformed(package, error.to_string()))?;
    let lines: Result<Vec<Line>, NetError> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let wrong = |error| NetError::malformed(package, format!("line {} of its metadata: {error}", index + 1));
            serde_json::from_str(line).map_err(wrong)
        })
        .collect();
    Ok(Versions {
        name: name.to_owned(),
        download: config.dl,
        lines: lines?,
    })
}

impl Versions {
    pub(super) fn versions(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.vers.clone()).collect()
    }

    pub(super) fn find(&self, version: &str) -> Option<Listed> {
        let line = self.lines.iter().find(|line| line.vers == version)?;
        Some(Listed {
            address: self.address(line),
            checks: Check::sha256_hex(&line.cksum).into_iter().collect(),
            format: Format::TarGz,
            strip_first: true,
        })
    }

    fn address(&self, line: &Line) -> String {
        let lower = self.name.to_ascii_lowercase();
        let markers = [
            ("{crate}", self.name.clone()),
            ("{version}", line.vers.clone()),
            ("{prefix}", prefix(&self.name).join("/")),
            ("{lowerprefix}", prefix(&lower).join("/")),
            ("{sha256-checksum}", line.cksum.clone()),
        ];
        if !markers.iter().any(|(marker, _)| self.download.contains(marker)) {
            return format!(
                "{}/{}/{}/download",
                self.download.trim_end_matches('/'),
                self.name,
                line.vers
            );
        }
        markers.iter().fold(self.download.clone(), |text, (marker, value)| {
            text.replace(marker, value)
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_crate_has_its_place_in_the_index() {
        let cases = [
            ("a", "1/a"),
            ("ab", "2/ab"),
            ("Abc", "3/a/abc"),
            ("Agent-Client", "ag/en/agent-client"),
        ];
        for (name, path) in cases {
            assert_eq!(index_path(name).join("/"), path);
        }
    }

    #[test]
    fn the_template_of_the_index_is_filled_in() {
        let line = format!("{{\"vers\":\"1.0.0\",\"cksum\":\"{}\"}}\n", "0".repeat(64));
        let address = |dl: &str| {
            let config = format!("{{\"dl\":\"{dl}\"}}");
            let versions = read("crate:Abcd", "Abcd", line.as_bytes(), config.as_bytes()).unwrap();
            versions.find("1.0.0").unwrap().address
        };
        assert_eq!(
            address("https://d.example/api/"),
            "https://d.example/api/Abcd/1.0.0/download"
        );
        assert_eq!(
            address("https://d.example/{lowerprefix}/{crate}-{version}"),
            "https://d.example/ab/cd/Abcd-1.0.0"
        );
        assert_eq!(address("https://d.example/{prefix}"), "https://d.example/Ab/cd");
        let broken = read("crate:x", "x", b"{\"vers\":1}", b"{\"dl\":\"x\"}")
            .unwrap_err()
            .to_string();
        assert!(broken.contains("line 1"), "{broken}");
    }
}
