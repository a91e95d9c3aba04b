//! Claims end to end: `matrix`, `promote`, `compatibility` on trees whose captures never ran.

use agent_contracts_registry::Store;
use agent_contracts_registry::testing::Run;
use serde_json::Value;

use crate::fixture::Home;
use crate::support;

/// A tree with these captures, in the folder of a test; the agents are those that are built in.
fn tree(runs: &[Run]) -> Home {
    let home = Home::new();
    let store = Store::open(&home.path().join("contracts")).unwrap();
    let writer = store.lock().unwrap();
    for run in runs {
        writer.put_shape(&run.shape_record()).unwrap();
        writer.put_observation(&run.observation()).unwrap();
    }
    drop(writer);
    home.ok(&["matrix"]);
    home
}

fn two_days() -> [Run; 2] {
    [Run::of("0.133.0"), Run::of("0.133.0").at("2026-06-28T10:00:00Z")]
}

fn promote<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["promote"];
    all.extend(args);
    all.extend(["--by", "octocat", "--why", "a test", "--redaction-checked"]);
    all
}

fn matrix_of(home: &Home) -> String {
    std::fs::read_to_string(home.path().join("contracts/registry/support-matrix.json")).unwrap()
}

fn statuses(home: &Home) -> Vec<(String, String)> {
    let matrix: Value = serde_json::from_str(&matrix_of(home)).unwrap();
    let entries = matrix["agents"].as_array().unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let codex = entries.iter().filter(|entry| entry["agent"] == "codex");
    codex
        .map(|entry| (word(&entry["support_status"]), word(&entry["version_ranges"][0])))
        .collect()
}

#[test]
fn the_matrix_is_written_checked_and_mended() {
    let home = tree(&two_days());
    assert!(home.ok(&["matrix"]).contains("nothing changed"));
    assert!(home.ok(&["matrix", "--check"]).contains("is what the records give"));
    assert_eq!(home.json(&["matrix", "--check", "--json"])["current"], true);
    assert!(statuses(&home).contains(&("version_range_verified".to_owned(), "0.133.0".to_owned())));

    let lie = matrix_of(&home).replace("\"0.133.0\"", "\"0.134.0\"");
    home.write("contracts/registry/support-matrix.json", &lie);
    let (code, out, err) = home.run(&["matrix", "--check"]);
    assert_eq!(code, 1, "{err}");
    assert!(
        out.contains("--- registry/support-matrix.json") && out.contains("+        \"0.133.0\""),
        "{out}"
    );
    assert!(err.contains("hint: run `agent-contracts matrix`"), "{err}");
    home.ok(&["matrix"]);
    home.ok(&["matrix", "--check"]);
    let (code, _, _) = home.run(&["matrix", "--check", "--release-gate"]);
    assert_eq!(code, 2);
}

#[test]
fn a_tree_without_captures_claims_that_nothing_works() {
    let home = Home::new();
    let (code, out, _) = home.run(&["matrix", "--check"]);
    assert_eq!(code, 1, "there is no matrix yet: {out}");
    assert!(home.ok(&["matrix"]).contains("0 of them say that something works"));
    assert!(!matrix_of(&home).contains("verified\": \"") && !matrix_of(&home).contains("observations/"));
    assert_eq!(home.run(&["matrix", "--release-gate"]).0, 1);
}

#[test]
fn a_claim_is_explained() {
    let home = tree(&two_days());
    let text = home.ok(&["matrix", "--explain", "codex@0.133.0"]);
    for part in [
        "rule observed",
        "observations/codex/0.133.0/linux-x64/2026-06-28T100000Z",
        "made from registry/agents.json",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = home.json(&["matrix", "--explain", "codex@0.133.0", "--json"]);
    assert_eq!(json["claims"][0]["rule"]["id"], "observed");
    assert_eq!(json["claims"][0]["observations"].as_array().unwrap().len(), 2);
    assert!(
        home.ok(&["matrix", "--explain", "codex@0.133.1"])
            .contains("unknown: no observation")
    );
    insta::assert_snapshot!(home.complaint(&["matrix", "--explain", "codx@0.133.0"]), @r"
    exit 2
    error: no agent `codx`, did you mean `codex`?; `agents list` names them all
    ");
    assert!(
        home.complaint(&["matrix", "--explain", "codex"])
            .contains("hint: write AGENT@VERSION")
    );
}

#[test]
fn the_release_gate_judges_the_moment_that_it_is_given() {
    let home = tree(&two_days());
    let verdict = |now: &str| {
        let gate = home.json(&["matrix", "--release-gate", "--now", now, "--json"]);
        let asked = gate["asked"].as_array().unwrap();
        let codex = asked
            .iter()
            .find(|one| one["agent"] == "codex" && one["protocol_family"] == "json-event-stream/v1");
        codex.unwrap()["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("2026-07-05T10:00:00Z"), "fresh");
    assert_eq!(verdict("2026-07-05T10:00:01Z"), "stale");
    let (code, out, _) = home.run(&["matrix", "--release-gate", "--now", "2026-07-05T10:00:00Z"]);
    assert_eq!(code, 1, "other agents have no claim");
    assert!(out.contains("failed for 2026-07-05T10:00:00Z"), "{out}");
}

#[test]
fn a_decision_is_made_once_shown_in_the_matrix_and_taken_back_by_another() {
    let home = tree(&two_days());
    let before = matrix_of(&home);
    let (code, out, err) = home.run(&promote(&["codex@0.133.0", "--to", "community_confirmed"]));
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("no reproduction is linked (PRM026)") && err.contains("hint: "),
        "{err}"
    );

    let done = home.json(&[&promote(&["codex@0.133.0", "--to", "confirmed"])[..], &["--json"]].concat());
    let path = done["path"].as_str().unwrap().to_owned();
    assert!(path.starts_with("registry/promotions/codex/"), "{done}");
    assert!(matrix_of(&home).contains("\"validity_level\": \"confirmed\""));
    home.ok(&["matrix", "--check"]);
    let again = home.json(&[&promote(&["codex@0.133.0", "--to", "confirmed"])[..], &["--json"]].concat());
    assert_eq!(again["refusals"][0]["code"], "PRM032", "{again}");

    let id = path.split('.').nth(1).unwrap();
    let out = home.ok(&["promote", "--undo", id, "--by", "octocat", "--why", "a test"]);
    assert!(out.starts_with("decided: registry/promotions/codex/"), "{out}");
    assert_eq!(matrix_of(&home), before);
    assert!(home.path().join("contracts").join(path).exists(), "nothing is deleted");
    let unknown = ["promote", "--undo", "ffffffff", "--by", "octocat", "--why", "a test"];
    assert_eq!(home.run(&unknown).0, 2);
}

#[test]
fn of_two_decisions_at_once_one_holds() {
    let home = tree(&two_days());
    let args = promote(&["codex@0.133.0", "--to", "confirmed"]);
    let mut both = [(); 2].map(|()| {
        let mut command = support::command(home.path());
        command
            .args(&args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    });
    let mut codes = both.each_mut().map(|child| child.wait().unwrap().code().unwrap());
    codes.sort_unstable();
    assert_eq!(codes, [0, 1]);
    let store = Store::open(&home.path().join("contracts")).unwrap();
    assert_eq!(store.claim_records().unwrap().decisions.len(), 1);
}

#[test]
fn variants_and_what_breaks_are_decided_and_cleared() {
    let [first, second] = two_days();
    let (first, second) = (first, second.shape("b"));
    let home = tree(&[first.clone(), second.clone()]);
    let digits = |run: &Run| run.shape_record().signature[7..15].to_owned();
    let (one, two) = (digits(&first), digits(&second));
    let has = |status: &str| statuses(&home).iter().any(|(word, _)| word == status);
    assert!(has("server_variant_possible"));
    let variant = format!("{one}=compatible");
    let out = home.ok(&promote(&[
        "codex@0.133.0",
        "--to",
        "server_variant",
        "--variant",
        &variant,
    ]));
    let path = out.lines().next().unwrap().trim_start_matches("decided: ").to_owned();
    assert!(matrix_of(&home).contains("\"status\": \"compatible\"\n"));
    home.ok(&promote(&["codex", "--clear", &path, "--shape", &one]));
    assert!(has("version_range_verified") && !has("server_variant_possible"));
    let breaks = [
        "codex@0.133.0",
        "--to",
        "known_breaking_shape",
        "--shape",
        &two,
        "--breaks",
        "it hangs",
    ];
    home.ok(&promote(&breaks));
    assert!(matrix_of(&home).contains("\"reason\": \"it hangs\""));
    let wrong = promote(&["codex@0.133.0", "--to", "server_variant", "--variant", "x"]);
    assert!(home.complaint(&wrong).contains("DIGITS=STATUS"));
    assert_eq!(
        home.run(&promote(&["codex@0.133.0", "--to", "known_breaking"])).0,
        2,
        "what breaks?"
    );
}

#[test]
fn compatibility_of_a_version_is_the_same_every_time() {
    let home = tree(&two_days());
    let ask = [
        "compatibility",
        "codex",
        "--version",
        "0.133.0",
        "--platform",
        "linux-x64",
        "--json",
    ];
    insta::assert_snapshot!(home.ok(&ask), @r#"
    {
      "schema_version": 1,
      "generated_at": "2026-06-28T10:00:00Z",
      "agent": "codex",
      "installed_version": "0.133.0",
      "platform": "linux-x64",
      "status": "version_range_verified",
      "policy": {
        "allow_run": "warn",
        "user_action": "run_local_probe"
      },
      "evidence": {
        "version_range": "0.133.0",
        "shape_signature": "sha256:d297eb369e7483c0e0c45ce2e9ab580eb4b6f6592c79d9d7cabd1f6dba5af2b8",
        "observed_at": "2026-06-28T10:00:00Z",
        "source": "support_matrix",
        "server_variant_possible": false
      }
    }
    "#);
    assert_eq!(home.ok(&ask), home.ok(&ask));
    insta::assert_snapshot!(home.ok(&["compatibility", "codex", "--version", "0.43.0"]), @r"
    agent  version  status   policy  next action
    codex  0.43.0   too_old  block   upgrade_cli
    ");
    let (code, out, err) = home.run(&[&ask[..], &["--probe"]].concat());
    assert_eq!(code, 0);
    assert!(
        out.contains("version_range_verified") && err.contains("cannot be run yet"),
        "{err}"
    );
    assert_eq!(home.run(&["compatibility", "codxe", "--version", "1.0.0"]).0, 2);
    assert_eq!(home.run(&["compatibility", "codex", "--version", "1 0"]).0, 2);
    assert_eq!(home.run(&["compatibility", "codex", "--platform", "amiga"]).0, 2);
}

#[cfg(unix)]
#[test]
fn an_installed_binary_is_asked_for_its_version() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tree(&two_days());
    let ask = |script: Option<&str>| {
        let bin = home.path().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        let file = bin.join("codex");
        let _ = std::fs::remove_file(&file);
        if let Some(script) = script {
            std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let mut command = support::command(home.path());
        command
            .env("PATH", path)
            .args(["compatibility", "codex", "--platform", "linux-x64", "--json"]);
        let (code, out, err) = support::run(&mut command);
        assert_eq!(code, 0, "{err}");
        let dto: Value = serde_json::from_str(&out).unwrap();
        (
            dto["installed_version"].as_str().map(str::to_owned),
            dto["status"].as_str().unwrap().to_owned(),
            err,
        )
    };
    let (version, status, err) = ask(Some("echo codex-cli 0.133.0"));
    assert_eq!(
        (version.as_deref(), status.as_str(), err.as_str()),
        (Some("0.133.0"), "version_range_verified", "")
    );
    let (version, status, err) = ask(None);
    assert_eq!((version, status.as_str()), (None, "unknown"));
    assert!(err.contains("`codex` is not installed here"), "{err}");
    for script in ["echo banner; exit 3", "exec yes banner", "exec sleep 60"] {
        let (version, status, err) = ask(Some(script));
        assert_eq!((version, status.as_str()), (None, "unknown"), "{script}");
        assert!(err.starts_with("note: codex: "), "{script}: {err}");
    }
    let all = home.json(&["compatibility", "--json"]);
    let agents = all["agents"].as_array().unwrap();
    assert!(agents.len() > 20 && agents.iter().all(|agent| agent["agent"] != "acp"));
}
