//! Random single edits that make a record untrue: told wherever the tree holds a witness; what has none is listed here as
//! a class, and the manifest of a published tree tells it.

use std::collections::BTreeMap;
use std::fs;

use agent_contracts_registry::Store;
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::validate::{self, Options};
use agent_contracts_wire::canonical;
use serde_json::{Value, json};

use crate::witness::{AGENTS, MATRIX, NOW, PROBE, Witness};

/// How many edits are made. The figure of the issue is 1,000.
const EDITS: usize = 1000;
const SEED: u64 = 0x5eed_2026_1201;

/// Members whose value nothing else in a tree knows: they come from one place only.
const WITHOUT_WITNESS: &[(&str, &[&str])] = &[
    // Hashes and names of things that are not in the tree, and what people wrote.
    (
        "observations/",
        &[
            "/install",
            "/command",
            "/capture/runner",
            "/capture/workflow_run_url",
            "/capture/raw_stdout_sha256",
            "/capture/raw_stderr_sha256",
            "/capture/raw_artifact_visibility",
            "/redaction/tool_version",
            "/extensions/evidence/capture_tool_version",
            "/extensions/provider",
            "/extensions/versions",
            "/parser_replay",
            "/validity_level",
            "/capture/captured_at",
            "/extensions/evidence",
            "/extensions/profile",
        ],
    ),
    // Left out, it is what it was.
    ("shapes/", &["/stderr_class"]),
    ("registry/releases/", &["/releases"]),
    ("registry/agents.json", &["/agents"]),
    (
        "probes/",
        &[
            "/about",
            "/group",
            "/timeout_s",
            "/outcome",
            "/task",
            "/must_see",
            "/credentials",
            "/network",
        ],
    ),
    ("errors/", &["/classifier_input", "/expected_failure_classification"]),
    (
        "source-evidence/",
        &[
            "/discovered_at",
            "/extensions/step",
            "/extensions/findings",
            "/extensions/unresolved_total",
            "/extensions/degraded_total",
            "/cli_version",
        ],
    ),
    (
        "registry/support-matrix.json",
        &["/generated_at", "/open_design_min_commit", "/agents"],
    ),
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}

fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                pointers(
                    member,
                    &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), found)),
        _ => {}
    }
    if !at.is_empty() {
        found.push(at.to_owned());
    }
}

/// One edit of the value at a pointer. Says what it did; `None` when it changed nothing.
fn edit(record: &mut Value, pointer: &str, random: &mut Random) -> Option<&'static str> {
    let before = record.clone();
    let (parent, name) = pointer.rsplit_once('/')?;
    let what = if random.below(5) == 0 {
        match record.pointer_mut(parent)? {
            Value::Object(members) => {
                members.remove(&name.replace("~1", "/").replace("~0", "~"));
            }
            Value::Array(items) => {
                items.remove(name.parse().ok()?);
            }
            _ => return None,
        }
        "removed"
    } else {
        let value = record.pointer_mut(pointer)?;
        match value {
            Value::String(text) => *text = other_text(text, random),
            Value::Number(_) => *value = json!(value.as_u64()? + 1),
            Value::Bool(flag) => *flag = !*flag,
            Value::Array(items) if !items.is_empty() => {
                items.pop();
            }
            _ => return None,
        }
        "changed"
    };
    (*record != before).then_some(what)
}

const WORDS: &[&[&str]] = &[
    &[
        "darwin-arm64",
        "darwin-x64",
        "linux-x64",
        "linux-arm64",
        "win32-x64",
        "unknown",
    ],
    &[
        "runtime_observed",
        "confirmed",
        "community_confirmed",
        "server_variant",
        "source_derived",
        "synthetic_mock",
    ],
    &[
        "plain/v1",
        "claude-stream-json/v1",
        "json-event-stream/v1",
        "acp-json-rpc/v1",
    ],
    &["success", "nonzero", "signal", "timeout", "unknown"],
    &[
        "version_range_verified",
        "server_variant_possible",
        "newer_than_verified",
        "too_old",
        "known_breaking",
    ],
    &["string", "number", "boolean", "null", "object", "array"],
    &["stdin", "stdout", "stderr"],
    &["cli->server", "server->cli"],
    &["plain", "jsonl", "json", "json-rpc"],
];

fn other_text(text: &str, random: &mut Random) -> String {
    if let Some(words) = WORDS.iter().find(|words| words.contains(&text)) {
        return words[random.below(words.len())].to_owned();
    }
    let digits: Vec<usize> = text
        .char_indices()
        .filter(|(_, char)| char.is_ascii_hexdigit())
        .map(|(at, _)| at)
        .collect();
    if digits.is_empty() {
        return format!("{text}x");
    }
    let at = digits[random.below(digits.len())];
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn single_edits_are_told_or_have_no_witness() {
    let witness = Witness::new();
    // A promotion names whole files by their hash, so that any edit of them would be told by it alone.
    witness.remove(&witness.promotion);
    witness.claim();
    let store = Store::open(witness.path()).unwrap();
    let options = Options {
        now: NOW.parse().ok(),
        only: Vec::new(),
    };
    let files = [
        witness.observation.clone(),
        witness.second.clone(),
        witness.shape.clone(),
        witness.evidence.clone(),
        witness.error.clone(),
        MATRIX.to_owned(),
        AGENTS.to_owned(),
        PROBE.to_owned(),
        "registry/releases/quill.json".to_owned(),
        crate::witness::profile().place(),
    ];
    assert_eq!(validate::tree(&store, &options).unwrap().problems, []);
    let mut random = Random(SEED);
    let (mut told, mut made) = (0, 0);
    let mut untold: BTreeMap<String, usize> = BTreeMap::new();
    while made < EDITS {
        let file = &files[random.below(files.len())];
        let text = fs::read(witness.path().join(file)).unwrap();
        let mut record: Value = serde_json::from_slice(&text).unwrap();
        let mut places = Vec::new();
        pointers(&record, "", &mut places);
        let pointer = places[random.below(places.len())].clone();
        let Some(what) = edit(&mut record, &pointer, &mut random) else {
            continue;
        };
        made += 1;
        let edited = pretty(&record).unwrap();
        witness.text(file, &edited);
        let found = validate::tree(&store, &options).unwrap().problems;
        if found.is_empty() {
            let listed = WITHOUT_WITNESS.iter().any(|(folder, places)| {
                file.starts_with(folder) && places.iter().any(|place| pointer.starts_with(place))
            });
            assert!(listed, "{what} {pointer} of {file}, and nothing was told");
            assert_ne!(
                canonical::sha256(edited.as_bytes()),
                canonical::sha256(&text),
                "the manifest would not tell"
            );
            let folder = file.split('/').next().unwrap();
            *untold.entry(format!("{folder}{}", general(&pointer))).or_default() += 1;
        } else {
            told += 1;
        }
        witness.text(file, &text);
    }
    eprintln!("{told} of {made} edits are told; without a witness: {untold:#?}");
    assert!(told * 10 > made * 6, "{told} of {made}");
}

/// A pointer with `*` for places in lists.
fn general(pointer: &str) -> String {
    let names = pointer
        .split('/')
        .map(|name| if name.parse::<usize>().is_ok() { "*" } else { name });
    names.collect::<Vec<_>>().join("/")
}

#[test]
fn the_manifest_tells_what_has_no_other_witness() {
    let witness = Witness::new();
    witness.remove(&witness.promotion);
    witness.claim();
    let store = Store::open(witness.path()).unwrap();
    let manifest =
        agent_contracts_registry::manifest::of(&store, NOW.parse().unwrap(), "0.1.0".parse().unwrap()).unwrap();
    witness.json("manifest.json", &manifest);
    assert_eq!(witness.problems(), Vec::<String>::new());
    witness.edit(&witness.observation, |value| {
        value["capture"]["runner"] = json!("debian-14")
    });
    witness.text("reports/more.md", "x\n");
    witness.remove(&witness.error);
    let problems = witness.problems();
    for code in ["MAN020", "MAN021", "MAN022"] {
        assert!(
            problems.iter().any(|problem| problem.starts_with(code)),
            "{code}: {problems:?}"
        );
    }
}
