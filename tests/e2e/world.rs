//! A small world on loopback: an npm registry, GitHub and Homebrew in one server, and two agents that publish there.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::fixture::Home;
use crate::loopback::{NpmPackage, Reply, Server};

/// The types of `quill` at its versions, oldest first.
pub(crate) const QUILL: [(&str, &str); 4] = [
    (
        "1.0.0",
        r#"export type Event = Opened | Closed;
export interface Opened { type: "opened"; id: string }
export interface Closed { type: "closed" }
"#,
    ),
    (
        "1.1.0",
        r#"export type Event = Opened | Said | Closed;
export interface Opened { type: "opened"; id: string }
export interface Said { type: "said"; text: string; tokens: number }
export interface Closed { type: "closed" }
"#,
    ),
    // A break: `tokens` is gone.
    (
        "1.2.0",
        r#"export type Event = Opened | Said | Closed;
export interface Opened { type: "opened"; id: string }
export interface Said { type: "said"; text: string }
export interface Closed { type: "closed" }
"#,
    ),
    // Safe for tolerant readers.
    (
        "1.3.0",
        r#"export type Event = Opened | Said | Closed;
export interface Opened { type: "opened"; id: string }
export interface Said { type: "said"; text: string; lang?: string }
export interface Closed { type: "closed" }
"#,
    ),
];

const PLUME: [(&str, &str); 2] = [
    ("0.1.0", "export interface Frame { kind: \"frame\"; n: number }\n"),
    (
        "0.2.0",
        "export interface Frame { kind: \"frame\"; n: number; note?: string }\n",
    ),
];

const QUILL_AGENT: &str = r#"
id = "quill"
name = "Quill"
tier = 1
binary = { name = "quill" }
families = ["json-event-stream/v1"]

[[channels]]
kind = "npm"
package = "quill"

[[channels]]
kind = "homebrew-formula"
name = "quill-cli"

[[channels]]
kind = "github-releases"
repo = "acme/quill"

[[sources]]
kind = "npm"
location = "quill"

[[sources.eras]]
family = "json-event-stream/v1"
scope = ["index.d.ts"]
roots = [{ type = "Event", direction = "output" }]
"#;

const PLUME_AGENT: &str = r#"
id = "plume"
name = "Plume"
tier = 2
binary = { name = "plume" }
families = ["json-event-stream/v1"]

[[channels]]
kind = "npm"
package = "@acme/plume"

[[sources]]
kind = "npm"
location = "@acme/plume"

[[sources.eras]]
family = "json-event-stream/v1"
scope = ["*.d.ts"]
"#;

/// An agent with an npm package `NAME` and nothing else, whose `index.d.ts` is read.
pub(crate) fn simple_agent(name: &str) -> String {
    PLUME_AGENT
        .replace("@acme/plume", name)
        .replace("plume", name)
        .replace("Plume", name)
}

/// The world and the home of the bot that looks at it.
pub(crate) struct World {
    pub(crate) home: Home,
    pub(crate) server: Server,
}

impl World {
    /// `quill` up to 1.2.0 and `plume`; Homebrew is one version behind; GitHub refuses.
    pub(crate) fn new() -> Self {
        let (home, server) = (Home::new(), Server::start());
        home.write("agents/quill.toml", QUILL_AGENT)
            .write("agents/plume.toml", PLUME_AGENT);
        let world = Self { home, server };
        world.runs(&["quill", "plume"]);
        world.server.npm(&quill(3));
        world.server.npm(&package("@acme/plume", &PLUME));
        let formula = json!({"name": "quill-cli", "versions": {"stable": "1.1.0"}}).to_string();
        world.server.at("/formula/quill-cli.json", Reply::ok(formula));
        world.server.at(
            "/repos/acme/quill/releases",
            Reply::status(403, "{\"message\": \"Resource not accessible\"}"),
        );
        world
    }

    /// Writes the settings: every service is the server, and only these agents run.
    pub(crate) fn runs(&self, agents: &[&str]) {
        let url = self.server.url();
        let services = ["npm", "pypi", "crates", "github_api", "github_web", "homebrew"];
        let endpoints: String = services.map(|service| format!("{service} = \"{url}\"\n")).concat();
        self.home.write(
            "bot.toml",
            format!("[agents]\nonly = {agents:?}\ndirectory = \"agents\"\n\n[endpoints]\n{endpoints}"),
        );
    }

    /// A package and an agent of its own, which runs beside `quill`.
    pub(crate) fn with_agent(&self, name: &str) {
        self.home.write(&format!("agents/{name}.toml"), simple_agent(name));
        self.runs(&["quill", name]);
    }

    /// `agent-contracts --settings bot.toml ARGS`.
    pub(crate) fn bot(&self, args: &[&str]) -> (i32, String, String) {
        self.home.run(&[&["--settings", "bot.toml"], args].concat())
    }

    /// As [`World::bot`], and it has to end with 0. Times of work and waiting are left out.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let (code, out, err) = self.bot(args);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}\n{out}");
        without_times(&out)
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.home.json(&[&["--settings", "bot.toml", "--json"], args].concat())
    }

    /// Every file of the tree with its bytes and the time of its last change.
    pub(crate) fn tree(&self) -> Tree {
        Tree::read(&self.home.path().join("contracts"))
    }

    pub(crate) fn forget(&self) {
        std::fs::remove_dir_all(self.home.path().join(".cache")).unwrap();
    }
}

/// `quill` with its first versions.
pub(crate) fn quill(versions: usize) -> NpmPackage {
    package("quill", &QUILL[..versions])
}

pub(crate) fn package(name: &str, versions: &[(&str, &str)]) -> NpmPackage {
    versions
        .iter()
        .fold(NpmPackage::new(name), |package, (version, types)| {
            package.version(version, types)
        })
}

/// The last line of a run says how long it took, and the names of reports hold hashes that depend on the extractors.
pub(crate) fn without_times(out: &str) -> String {
    let lines = out.lines().map(|line| match line.split_once(" wanted; ") {
        Some((counts, _)) => format!("{counts} wanted; TIMES\n"),
        None => match line.rsplit_once('-') {
            Some((start, id)) if id.len() == "01234567.md".len() && id.contains(".md") => format!("{start}-ID.md\n"),
            _ => format!("{line}\n"),
        },
    });
    lines.collect()
}

/// The files of a tree, by path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree(pub(crate) BTreeMap<String, (Vec<u8>, SystemTime)>);

impl Tree {
    fn read(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut waiting = vec![root.to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let entry = entry.unwrap();
                // The lock and what is half written are no part of what is published.
                if entry.file_name() == ".store" {
                    continue;
                }
                if entry.file_type().unwrap().is_dir() {
                    waiting.push(entry.path());
                } else {
                    let name = entry.path().strip_prefix(root).unwrap().display().to_string();
                    let changed = entry.metadata().unwrap().modified().unwrap();
                    files.insert(name, (std::fs::read(entry.path()).unwrap(), changed));
                }
            }
        }
        Self(files)
    }

    pub(crate) fn paths(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The one file whose path begins and ends like this.
    pub(crate) fn one(&self, start: &str, end: &str) -> &str {
        let found: Vec<&str> = self
            .paths()
            .into_iter()
            .filter(|path| path.starts_with(start) && path.ends_with(end))
            .collect();
        assert_eq!(found.len(), 1, "{start}…{end}: {found:?}");
        found[0]
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.0[path].0).unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> &str {
        std::str::from_utf8(&self.0[path].0).unwrap()
    }

    /// Every file with its text, in which the moments of a run are left out.
    pub(crate) fn without_moments(&self) -> BTreeMap<String, String> {
        let files = self.0.iter();
        files
            .map(|(path, (bytes, _))| {
                let text = String::from_utf8(bytes.clone()).unwrap();
                (path.clone(), mask_moments(&text))
            })
            .collect()
    }
}

/// Every `20YY-MM-DDTHH:MM:SS…Z` becomes `WHEN`, but for the days on which the loopback registry published.
fn mask_moments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("20") {
        let candidate = &rest[at..];
        let end = candidate
            .find('Z')
            .filter(|end| (19..=27).contains(end) && candidate.as_bytes()[10] == b'T');
        match end {
            Some(end) if !candidate.starts_with("2020-01-") => {
                out.push_str(&rest[..at]);
                out.push_str("WHEN");
                rest = &candidate[end + 1..];
            }
            _ => {
                out.push_str(&rest[..at + 2]);
                rest = &rest[at + 2..];
            }
        }
    }
    out + rest
}
