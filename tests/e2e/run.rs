//! `run` and what follows from it, against a world on loopback.

use serde_json::Value;

use crate::loopback::{Reply, tgz};
use crate::world::{QUILL, World, package, quill};

/// `AGENT FROM..TO SEVERITY new|known` of each step that a run tells.
fn steps(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let steps = document["steps"].as_array().unwrap().iter();
    steps
        .map(|step| {
            let standing = if step["new"] == true { "new" } else { "known" };
            let (from, to) = (text(&step["from"]["version"]), text(&step["to"]["version"]));
            format!(
                "{} {from}..{to} {} {standing}",
                text(&step["agent"]),
                text(&step["severity"])
            )
        })
        .collect()
}

/// The kinds of the events that a run tells.
fn kinds(document: &Value) -> Vec<String> {
    let events = document["events"].as_array().unwrap().iter();
    events
        .map(|event| event["event"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_first_run_scans_the_last_two_stable_versions_and_keeps_everything() {
    let world = World::new();
    insta::assert_snapshot!(world.ok(&["run", "--once"]), @r"
    agent  step            worst     findings    most important, and the report
    quill  1.1.0 -> 1.2.0  breaking  1 breaking  `said` loses `tokens` (number)
                                                 contracts/reports/diffs/quill/1.1.0..1.2.0-ID.md
    plume  0.1.0 -> 0.2.0  additive  1 additive  `frame` gains `note` (`string?`)
                                                 contracts/reports/diffs/plume/0.1.0..0.2.0-ID.md

    channels:
    - quill: homebrew-formula:quill-cli has 1.1.0, 1 stable release behind 1.2.0, since 2020-01-03T00:00:00Z

    not reached, or not read:
    - github-releases:acme/quill (quill): refused with status 403; check the credentials that the client of this source uses

    2 new steps in contracts, 1 new alert in the outbox, 1 capture wanted; TIMES
    ");

    let tree = world.tree();
    let (profiles, paths): (Vec<&str>, Vec<&str>) = tree
        .paths()
        .into_iter()
        .partition(|path| path.starts_with("registry/profiles/"));
    let agents: Vec<_> = profiles.iter().map(|path| tree.json(path)["agent"].clone()).collect();
    assert!(
        agents.contains(&"quill".into()) && agents.contains(&"codex".into()),
        "{agents:?}"
    );
    let paths: Vec<String> = paths.into_iter().map(without_ids).collect();
    insta::assert_snapshot!(paths.join("\n"), @r"
    registry/agents.json
    registry/releases/plume.json
    registry/releases/quill.json
    registry/support-matrix.json
    reports/alerts/source_protocol_risk/quill/1.2.0-ID.card.json
    reports/alerts/source_protocol_risk/quill/1.2.0-ID.entry.json
    reports/alerts/source_protocol_risk/quill/1.2.0-ID.md
    reports/diffs/plume/0.1.0..0.2.0-ID.md
    reports/diffs/quill/1.1.0..1.2.0-ID.md
    shapes/json-event-stream/sha256-ID.shape.json
    shapes/json-event-stream/sha256-ID.shape.json
    source-evidence/index.json
    source-evidence/plume/0.2.0/ID.evidence.json
    source-evidence/quill/1.2.0/ID.evidence.json
    ");

    let releases = tree.json("registry/releases/quill.json");
    let versions: Vec<&str> = releases["releases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|release| release["version"].as_str().unwrap())
        .collect();
    assert_eq!(versions, ["1.2.0", "1.1.0", "1.0.0"]);
    let brewed = &releases["releases"][1]["channels"];
    assert_eq!(
        brewed.as_object().unwrap().len(),
        2,
        "npm and Homebrew have 1.1.0: {brewed}"
    );

    let evidence = tree.json(tree.one("source-evidence/quill/", ".evidence.json"));
    insta::assert_json_snapshot!(evidence["extensions"]["step"], @r#"
        {
          "from": {
            "files": 1,
            "source": "npm:quill@1.1.0",
            "types": 4,
            "version": "1.1.0"
          },
          "to": {
            "files": 1,
            "source": "npm:quill@1.2.0",
            "types": 4,
            "version": "1.2.0"
          }
        }
        "#);
    let shape = tree.json(evidence["derived_shape"]["path"].as_str().unwrap());
    assert_eq!(shape["signature"], evidence["derived_shape"]["signature"]);
    assert_eq!(shape["validity_level"], "source_derived");
    let report = tree.text(tree.one("reports/diffs/quill/", ".md"));
    assert!(report.contains("`said` loses `tokens`"), "{report}");

    // The break is to be told: an entry, the text of an issue, a card.
    let entry = tree.json(tree.one("reports/alerts/source_protocol_risk/quill/", ".entry.json"));
    assert_eq!(
        (&entry["subject"], &entry["state"]),
        (&"1.2.0".into(), &"pending".into())
    );
    let issue = tree.text(entry["issue"]["path"].as_str().unwrap());
    assert!(issue.contains("tokens"), "{issue}");
    let card = tree.json(entry["card"]["path"].as_str().unwrap());
    assert!(card.to_string().contains("tokens"), "{card}");

    // Where the services are is nobody's affair.
    for (path, (bytes, _)) in &tree.0 {
        assert!(
            !String::from_utf8_lossy(bytes).contains("127.0.0.1"),
            "{path} holds an address"
        );
    }
}

/// Hashes of records depend on the extractors, so only that they are there is told.
fn without_ids(path: &str) -> String {
    let is_id = |part: &str| part.len() >= 8 && part.chars().all(|c| c.is_ascii_hexdigit());
    let mut out = String::new();
    for part in path.split_inclusive(['/', '-', '.']) {
        let (word, end) = part.split_at(part.len() - usize::from(part.ends_with(['/', '-', '.'])));
        out.push_str(if is_id(word) { "ID" } else { word });
        out.push_str(end);
    }
    out
}

#[test]
fn a_second_run_writes_nothing_and_says_so() {
    let world = World::new();
    world.ok(&["run", "--once"]);
    let first = world.tree();
    insta::assert_snapshot!(world.ok(&["run", "--once"]), @r"
    agent  step                    worst     findings    most important, and the report
    quill  1.1.0 -> 1.2.0 (known)  breaking  1 breaking  `said` loses `tokens` (number)
                                                         contracts/reports/diffs/quill/1.1.0..1.2.0-ID.md
    plume  0.1.0 -> 0.2.0 (known)  additive  1 additive  `frame` gains `note` (`string?`)
                                                         contracts/reports/diffs/plume/0.1.0..0.2.0-ID.md

    not reached, or not read:
    - github-releases:acme/quill (quill): refused with status 403; check the credentials that the client of this source uses

    0 new steps in contracts, 0 new alerts in the outbox, 1 capture wanted; TIMES
    ");
    assert_eq!(world.tree(), first, "bytes and times of every file");
    let document = world.json(&["run"]);
    assert_eq!(
        steps(&document),
        ["plume 0.1.0..0.2.0 additive known", "quill 1.1.0..1.2.0 breaking known"]
    );
    assert_eq!(document["alerts"], Value::Array(vec![]));
    // GitHub refused for the third time, which is the one thing to tell.
    assert_eq!(kinds(&document), ["blind_since"]);
    assert_eq!(kinds(&world.json(&["run"])), Vec::<String>::new());
    assert_eq!(world.tree(), first);
}

#[test]
fn two_worlds_that_are_the_same_give_the_same_tree_and_words() {
    let (one, other) = (World::new(), World::new());
    assert_eq!(one.ok(&["run"]), other.ok(&["run"]));
    assert_eq!(one.tree().without_moments(), other.tree().without_moments());
    let told = |world: &World| {
        (
            world.ok(&["queue", "list", "--json"]).lines().count(),
            world.ok(&["outbox", "list"]),
        )
    };
    assert_eq!(told(&one), told(&other));
}

#[test]
fn a_version_that_comes_out_between_runs_is_one_step_and_is_told() {
    let world = World::new();
    world.ok(&["run"]);
    world.server.npm(&quill(4));
    let document = world.json(&["run"]);
    assert_eq!(
        steps(&document),
        ["plume 0.1.0..0.2.0 additive known", "quill 1.2.0..1.3.0 additive new"]
    );
    let told: Vec<&Value> = document["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["event"] == "release_seen")
        .collect();
    assert_eq!(told.len(), 1, "{document:#}");
    assert_eq!(
        (&told[0]["version"], &told[0]["standing"]),
        (&"1.3.0".into(), &"newest".into())
    );
    let again = world.json(&["run"]);
    assert_eq!(
        steps(&again),
        ["plume 0.1.0..0.2.0 additive known", "quill 1.2.0..1.3.0 additive known"]
    );
    assert!(
        !kinds(&again).contains(&"release_seen".to_owned()),
        "news are told once"
    );
}

#[test]
fn several_versions_between_runs_are_scanned_one_after_the_other() {
    let world = World::new();
    world.server.npm(&quill(2));
    world.ok(&["run", "quill"]);
    world.server.npm(&quill(4));
    let document = world.json(&["run", "quill"]);
    assert_eq!(
        steps(&document),
        ["quill 1.1.0..1.2.0 breaking new", "quill 1.2.0..1.3.0 additive new"]
    );
}

#[test]
fn a_version_that_is_unpublished_is_told_and_its_evidence_stays() {
    let world = World::new();
    world.ok(&["run"]);
    let before = world.tree();
    world.server.npm(&quill(3).unpublish("1.2.0"));
    let document = world.json(&["run"]);
    let withdrawn: Vec<&Value> = document["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["event"] == "release_withdrawn")
        .collect();
    assert_eq!(withdrawn.len(), 1, "{document:#}");
    assert_eq!(
        (&withdrawn[0]["version"], &withdrawn[0]["everywhere"]),
        (&"1.2.0".into(), &true.into())
    );
    let after = world.tree();
    let record = after.json("registry/releases/quill.json");
    assert_eq!(
        record["releases"][0]["version"], "1.2.0",
        "a release that is gone is still known"
    );
    assert_eq!(record["releases"][0]["withdrawn"], true);
    for path in before
        .paths()
        .into_iter()
        .filter(|path| path.contains("evidence/quill"))
    {
        assert_eq!(before.0[path], after.0[path], "{path}");
    }
    // What cannot be installed is not captured.
    let queue = world.json(&["queue", "list"]);
    let versions: Vec<&Value> = queue.as_array().unwrap().iter().map(|job| &job["version"]).collect();
    assert!(!versions.contains(&&Value::from("1.2.0")), "{queue:#}");
    // The whole package may go as well.
    world.server.at("/quill", Reply::status(404, "{}"));
    let (code, out, err) = world.bot(&["run"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("npm:quill"), "{out}");
    assert_eq!(world.tree().paths(), after.paths());
}

#[test]
fn what_cannot_be_reached_is_listed_and_stops_nobody() {
    let world = World::new();
    world.with_agent("broken");
    world.server.at("/broken", Reply::ok("<html>sign in first</html>"));
    let out = world.ok(&["run"]);
    insta::assert_snapshot!(out, @r"
agent  step            worst     findings    most important, and the report
quill  1.1.0 -> 1.2.0  breaking  1 breaking  `said` loses `tokens` (number)
                                             contracts/reports/diffs/quill/1.1.0..1.2.0-ID.md

channels:
- quill: homebrew-formula:quill-cli has 1.1.0, 1 stable release behind 1.2.0, since 2020-01-03T00:00:00Z

not reached, or not read:
- npm:broken (broken): the answer is not usable: it is no JSON: expected value at line 1 column 1
  hint: try again; if it stays, report it to the registry
- github-releases:acme/quill (quill): refused with status 403; check the credentials that the client of this source uses

1 new step in contracts, 1 new alert in the outbox, 1 capture wanted; TIMES
");
    assert_eq!(world.bot(&["run", "--strict"]).0, 3);
    assert_eq!(world.bot(&["discover", "--strict"]).0, 3);
    // A check that fails is said before that.
    assert_eq!(world.bot(&["run", "--strict", "--fail-on", "breaking"]).0, 1);
}

#[test]
fn fail_on_looks_at_what_the_tree_says_of_the_newest_step() {
    let world = World::new();
    assert_eq!(world.bot(&["run", "--fail-on", "breaking"]).0, 1);
    assert_eq!(world.bot(&["run", "plume", "--fail-on", "risky"]).0, 0);
    assert_eq!(world.bot(&["run", "plume", "--fail-on", "additive"]).0, 1);
}

#[test]
fn a_broken_archive_is_named_and_its_step_is_read_when_it_is_mended() {
    let world = World::new();
    let good = quill(3);
    let hostile = quill(2).archive("1.2.0", tgz(&[("package/../../x.d.ts", QUILL[2].1)]));
    world.server.npm(&hostile);
    let document = world.json(&["run"]);
    assert_eq!(steps(&document), ["plume 0.1.0..0.2.0 additive new"]);
    let why = document["unreached"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["why"].to_string())
        .collect::<String>();
    assert!(
        why.contains("leads out of the archive") && why.contains("npm:quill@1.2.0"),
        "{why}"
    );
    assert!(!world.tree().paths().iter().any(|path| path.contains("evidence/quill")));
    world.server.npm(&good);
    assert_eq!(
        steps(&world.json(&["run"])),
        ["plume 0.1.0..0.2.0 additive known", "quill 1.1.0..1.2.0 breaking new"]
    );
}

#[test]
fn a_listing_that_is_cut_short_is_no_withdrawal() {
    let world = World::new();
    let many: Vec<(String, &str)> = (0..12)
        .map(|minor| (format!("1.{minor}.0"), QUILL[minor % 2].1))
        .collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(version, types)| (version.as_str(), *types)).collect();
    let whole = package("quill", &many);
    world.server.npm(&whole);
    world.ok(&["run"]);
    let before = world.tree();

    // The connection ends early: nothing is known, nothing changes, and it is said.
    world
        .server
        .at("/quill", Reply::cut(whole.metadata(&world.server.url()).to_string()));
    let (code, out, _) = world.bot(&["run"]);
    assert_eq!(code, 0);
    assert!(out.contains("cut short"), "{out}");
    assert_eq!(world.tree(), before);

    // A listing that is whole JSON and lacks most versions is no news either.
    world.server.npm(&package("quill", &many[..2]));
    let document = world.json(&["run"]);
    assert!(!document.to_string().contains("release_withdrawn"), "{document:#}");
    let record = world.tree().json("registry/releases/quill.json");
    assert!(
        record["releases"]
            .as_array()
            .unwrap()
            .iter()
            .all(|release| release["withdrawn"] == false)
    );
}

#[test]
fn versions_that_are_none_are_set_aside() {
    let world = World::new();
    let odd = quill(3).version("not-a-version", QUILL[0].1).version("1.2", QUILL[0].1);
    world.server.npm(&odd);
    let document = world.json(&["run"]);
    assert_eq!(
        steps(&document),
        ["plume 0.1.0..0.2.0 additive new", "quill 1.1.0..1.2.0 breaking new"]
    );
    let notes = document["notes"].to_string();
    assert!(notes.contains("not-a-version"), "{notes}");
}

#[test]
fn a_lost_state_directory_doubles_nothing() {
    let world = World::new();
    world.ok(&["run"]);
    let before = world.tree();
    world.forget();
    let document = world.json(&["run"]);
    assert_eq!(
        steps(&document),
        ["plume 0.1.0..0.2.0 additive known", "quill 1.1.0..1.2.0 breaking known"]
    );
    assert_eq!(document["alerts"], Value::Array(vec![]));
    assert!(!document["events"].to_string().contains("release_seen"), "{document:#}");
    assert_eq!(world.tree(), before);
    // Nor does a damaged one.
    for file in ["watch/quill.json", "http.sqlite"] {
        let path = world.home.path().join(".cache/agent-contracts").join(file);
        if path.exists() {
            std::fs::write(path, "no record of ours").unwrap();
        }
    }
    let (code, out, _) = world.bot(&["run"]);
    assert_eq!(code, 0, "{out}");
    assert_eq!(world.tree(), before);
}

#[test]
fn what_is_wanted_and_what_would_be_told_can_be_read() {
    let world = World::new();
    world.ok(&["run"]);
    let queue = world.json(&["queue", "list"]);
    assert_eq!(queue.as_array().unwrap().len(), 1, "{queue:#}");
    assert_eq!(
        (&queue[0]["agent"], &queue[0]["version"]),
        (&"quill".into(), &"1.2.0".into())
    );
    assert_eq!(
        queue[0]["reason"],
        "no version was ever verified; 1 breaking in the source of json-event-stream/v1 since 1.1.0"
    );
    let list = world.ok(&["queue", "list"]);
    assert!(list.lines().nth(1).unwrap().starts_with("quill"), "{list}");

    let outbox = world.ok(&["outbox", "list"]);
    insta::assert_snapshot!(outbox, @r"
        id        kind                  agent  version  severity  state    title
        2049793b  source_protocol_risk  quill  1.2.0    breaking  pending  Quill 1.2.0: 1 breaking; said loses tokens (number)
        ");
    let id = outbox.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    let shown = world.ok(&["outbox", "show", id]);
    assert!(
        shown.contains(".card.json") && shown.contains("`said` loses `tokens`"),
        "{shown}"
    );
    assert_eq!(world.json(&["outbox", "show", id])["subject"], "1.2.0");
}

#[test]
fn discover_shows_every_channel_and_keeps_nothing_in_the_tree() {
    let world = World::new();
    let out = world.ok(&["discover"]);
    let lines: Vec<String> = out
        .lines()
        .map(|line| {
            line.split_once(" since ")
                .map_or(line, |(start, _)| start)
                .trim_end()
                .to_owned()
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
        agent  channel                     latest  lag       highest stable  verified  sight
        plume  npm:@acme/plume             0.2.0   -         0.2.0           -         seen
        quill  npm:quill                   1.2.0   -         1.2.0           -         seen
               homebrew-formula:quill-cli  1.1.0   1 behind                            seen
               github-releases:acme/quill  -       -                                   missed
        ");
    assert!(!world.home.path().join("contracts").exists());
    let rows = world.json(&["discover", "quill"]);
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(
        (&rows[0]["agent"], &rows[0]["highest_stable"]),
        (&"quill".into(), &"1.2.0".into())
    );
    let channels = rows[0]["channels"].as_array().unwrap();
    let states: Vec<&Value> = channels.iter().map(|channel| &channel["sight"]["state"]).collect();
    assert_eq!(states, ["seen", "seen", "missed"]);
    assert_eq!(channels[1]["behind"], 1);
    // What is new stays new for `run`.
    assert_eq!(steps(&world.json(&["run"])).len(), 2);
}

#[test]
fn offline_uses_what_is_known_and_asks_nobody() {
    let world = World::new();
    world.ok(&["run"]);
    let before = world.tree();
    world.server.asked();
    let (code, out, err) = world.bot(&["--offline", "run"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(world.server.asked(), Vec::<String>::new());
    assert_eq!(world.tree(), before);
    assert!(out.contains("--offline"), "{out}");
    // Packages that were read are kept.
    let from_npm = [
        "--offline",
        "scan",
        "--from",
        "npm:quill@1.1.0",
        "--to",
        "npm:quill@1.2.0",
    ];
    assert!(world.ok(&from_npm).contains("loses `tokens`"));
    // With nothing known, it says so and ends well.
    world.forget();
    let (code, out, _) = world.bot(&["--offline", "discover"]);
    assert_eq!(code, 0);
    assert!(out.contains("quill"), "{out}");
}

#[test]
fn a_second_scan_asks_for_no_archive_again() {
    let world = World::new();
    world.ok(&["run"]);
    assert!(world.server.asked().iter().any(|path| path.contains(".tgz")));
    world.server.npm(&quill(4));
    world.ok(&["run"]);
    let archives: Vec<String> = world
        .server
        .asked()
        .into_iter()
        .filter(|path| path.contains(".tgz"))
        .collect();
    assert_eq!(archives, ["/quill/-/quill-1.3.0.tgz"]);
}
