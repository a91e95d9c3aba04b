//! `scan AGENT --all` and `history AGENT`, on a repository whose names come, go, come back and are renamed.

use std::fmt::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::fixture::{Home, Repo};
use crate::support;

const AGENT: &str = r#"
id = "quill"
name = "Quill & <Co>"
tier = 2
binary = { name = "quill" }
families = ["json-event-stream/v1"]
[version]
tag_pattern = '^v(?P<version>\d+\.\d+\.\d+(?:-rc\.\d+)?)$'
[[sources]]
kind = "git"
location = "acme/quill"
flags = ["src/cli.ts"]
[[sources.eras]]
family = "json-event-stream/v1"
scope = ["src/events.ts"]
roots = [{ type = "Event", direction = "output" }]
"#;

/// A version of the events: the members of `Usage` beside its two first, the name of the text, what else there is.
struct Version<'a> {
    usage: &'a str,
    usage_type: &'a str,
    text: &'a str,
    id: &'a str,
    more: &'a [(&'a str, &'a str, &'a str)],
}

const FIRST: Version<'_> = Version {
    usage: "",
    usage_type: "Usage",
    text: "final_text",
    id: "string",
    more: &[("Note", "note", "level: \"low\" | \"high\"")],
};

fn events(version: &Version<'_>) -> String {
    let Version {
        usage,
        usage_type,
        text,
        id,
        more,
    } = version;
    let names: Vec<&str> = more.iter().map(|(name, ..)| *name).collect();
    let arms = [&["Started", "Completed"][..], &names].concat().join(" | ");
    let mut source = format!(
        "export type Event = {arms};\n\
         export interface Started {{ type: \"turn.started\"; id: {id} }}\n\
         export interface Completed {{ type: \"turn.completed\"; usage: {usage_type}; {text}: string }}\n\
         export interface {usage_type} {{ input: number; output: number{usage} }}\n"
    );
    for (name, tag, members) in *more {
        let _ = writeln!(source, "export interface {name} {{ type: \"{tag}\"; {members} }}");
    }
    source
}

fn flags(names: &[&str]) -> String {
    let tests = names
        .iter()
        .map(|name| format!("if (arg === \"{name}\") {{ on = true; }}\n"));
    format!("for (const arg of process.argv) {{\n{}}}\n", tests.collect::<String>())
}

const WIDER: &[(&str, &str, &str)] = &[("Note", "note", "level: \"low\" | \"high\" | \"top\"")];
const CACHED: &str = "; cached: number";

fn releases(repo: &Repo<'_>) {
    repo.write("README.md", "nothing yet").release("v0.1.0");
    let release = |tag: &str, version: &Version<'_>, names: &[&str]| {
        repo.write("src/events.ts", events(version))
            .write("src/cli.ts", flags(names))
            .release(tag);
    };
    release("v1.0.0", &FIRST, &["--json"]);
    release("v1.1.0-rc.1", &Version { usage: CACHED, ..FIRST }, &["--json"]);
    release("v1.1.0-rc.2", &FIRST, &["--json", "--model"]);
    let widened = Version {
        usage: CACHED,
        more: WIDER,
        ..FIRST
    };
    release("v1.1.0", &widened, &["--json", "--model"]);
    // A hotfix off the branch of before: what was new is not in it. A type gets another name, which nobody sees.
    let hotfix = Version {
        usage_type: "TokenUsage",
        more: WIDER,
        ..FIRST
    };
    release("v1.1.1", &hotfix, &["--json", "--model"]);
    let renamed = Version {
        usage: CACHED,
        usage_type: "TokenUsage",
        text: "finalText",
        id: "string",
        more: WIDER,
    };
    release("v1.2.0", &renamed, &["--json"]);
    repo.git(&["tag", "v1.2.1"]);
    let last = Version {
        id: "number",
        more: &[("Pause", "pause", "")],
        ..renamed
    };
    release("v2.0.0", &last, &["--json", "--model"]);
    let spark = Version {
        more: &[("Pause", "pause", ""), ("Spark", "spark", "")],
        ..last
    };
    release("v2.1.0-rc.1", &spark, &["--json", "--model"]);
    repo.release("nightly");
}

fn quill() -> Home {
    let home = Home::new();
    home.write("agents/quill.toml", AGENT);
    releases(&home.repo("clone"));
    home
}

/// The arguments of a run on the clone.
fn on_clone<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["--agents", "agents"], args, &["--repo", "clone"]].concat()
}

fn ok(home: &Home, args: &[&str]) -> String {
    home.ok(&on_clone(args))
}

fn json(home: &Home, args: &[&str]) -> Value {
    home.json(&on_clone(&[&["--json"], args].concat()))
}

/// `version what` of every event of the names that `history --name NAME` gives, by their addresses.
fn told(history: &Value) -> Vec<String> {
    let names = history["sources"][0]["names"].as_array().unwrap();
    let line = |name: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let events = name["events"].as_array().unwrap().iter();
        let events: Vec<String> = events
            .map(|event| format!("{} {}", text(&event["version"]), text(&event["what"])))
            .collect();
        format!(
            "{} {}: since {}, {}; {}",
            text(&name["holder"]),
            text(&name["path"]),
            text(&name["since"]),
            text(&name["now"]),
            events.join(", ")
        )
    };
    names.iter().map(line).collect()
}

#[test]
fn every_step_is_told_and_the_others_are_counted() {
    let home = quill();
    insta::assert_snapshot!("steps_text", ok(&home, &["scan", "quill", "--all"]));
    insta::assert_snapshot!(
        "steps_markdown",
        ok(&home, &["scan", "quill", "--all", "--format", "markdown"])
    );
    let steps = json(&home, &["scan", "quill", "--all"]);
    let line = &steps["sources"][0]["line"];
    let totals = &line["totals"];
    assert_eq!((&totals["releases"], &totals["prereleases"]), (&7.into(), &3.into()));
    assert_eq!(
        (&totals["steps"], &totals["changed"], &totals["no_files"]),
        (&7.into(), &7.into(), &1.into())
    );
    let states: Vec<String> = line["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            format!(
                "{} {}",
                point["version"].as_str().unwrap(),
                point["state"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(states[0], "0.1.0 no_files");
    assert!(states.contains(&"1.2.1 same".to_owned()), "{states:?}");
    // A release is compared with the release before it, a prerelease with the version before it.
    let pairs: Vec<String> = steps["sources"][0]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| format!("{} {}", step["from"].as_str().unwrap(), step["to"].as_str().unwrap()))
        .collect();
    assert_eq!(
        pairs,
        [
            "1.0.0 1.1.0-rc.1",
            "1.1.0-rc.1 1.1.0-rc.2",
            "1.0.0 1.1.0",
            "1.1.0 1.1.1",
            "1.1.1 1.2.0",
            "1.2.1 2.0.0",
            "2.0.0 2.1.0-rc.1"
        ]
    );
}

#[test]
fn a_name_is_followed_through_all_versions() {
    let home = quill();
    insta::assert_snapshot!("history_text", ok(&home, &["history", "quill"]));
    insta::assert_snapshot!(
        "history_markdown",
        ok(&home, &["history", "quill", "--format", "markdown"])
    );
    let of = |name: &str| told(&json(&home, &["history", "quill", "--name", name]));
    assert_eq!(
        of("cached"),
        ["turn.completed usage.cached: since 1.1.0, present; 1.1.0 appeared, 1.1.1 left, 1.2.0 came_back"]
    );
    // The type of `usage` got another name; its members did not.
    assert_eq!(of("input"), ["turn.completed usage.input: since 1.0.0, present; "]);
    // One name in another style is the same name, written anew.
    assert_eq!(
        of("final_text"),
        [
            "turn.completed finalText: since 1.2.0, present; 1.2.0 appeared",
            "turn.completed final_text: since 1.0.0, gone; 1.2.0 left"
        ]
    );
    assert_eq!(of("id"), ["turn.started id: since 1.0.0, present; 2.0.0 changed"]);
    assert_eq!(of("spark"), ["spark : since -, present; 2.1.0-rc.1 appeared"]);
    insta::assert_json_snapshot!(
        "history_json",
        json(&home, &["history", "quill", "--name", "cached"])["sources"][0]["names"]
    );
}

#[test]
fn flags_have_a_history_of_their_own() {
    let home = quill();
    let of = |name: &str| told(&json(&home, &["history", "quill", "--flags", "--name", name]));
    assert_eq!(of("--json"), [" : since 1.0.0, present; "]);
    assert_eq!(
        of("--model"),
        [" : since 1.1.0, present; 1.1.0 appeared, 1.2.0 left, 2.0.0 came_back"]
    );
    insta::assert_snapshot!("history_flags", ok(&home, &["history", "quill", "--flags"]));
    let (code, ..) = home.run(&on_clone(&[
        "scan",
        "quill",
        "--all",
        "--flags",
        "--fail-on",
        "breaking",
    ]));
    assert_eq!(code, 1);
}

#[test]
fn the_picture_stands_alone_and_holds_no_markup_of_others() {
    let home = quill();
    let picture = ok(&home, &["history", "quill", "--format", "svg"]);
    insta::assert_snapshot!("history_svg", picture.replace("><", ">\n<"));
    assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(picture.contains("role=\"img\"") && picture.contains("<title id=\"title\">Quill &amp; &lt;Co&gt;"));
    for word in ["href", "url(", "<script", "<image", "@import"] {
        assert!(!picture.contains(word), "{word} asks for something from elsewhere");
    }
}

#[test]
fn the_exit_code_answers_fail_on_and_wrong_requests_are_named() {
    let home = quill();
    for (limit, expected) in [("breaking", 1), ("additive", 1)] {
        let (code, out, _) = home.run(&on_clone(&["scan", "quill", "--all", "--fail-on", limit]));
        assert_eq!((code, out.is_empty()), (expected, false), "{limit}");
    }
    let complaints = [
        home.complaint(&on_clone(&["history", "quill", "--name", "cachd"])),
        home.complaint(&on_clone(&["history", "quill", "--name", "cache"])),
        home.complaint(&on_clone(&["history", "quill", "--format", "sarif"])),
        home.complaint(&on_clone(&["scan", "quill", "--all", "--format", "sarif"])),
        home.complaint(&["--agents", "agents", "agents", "list", "--format", "svg"]),
        home.complaint(&["scan", "--all", "--from", "dir:a", "--to", "dir:b"]),
    ];
    insta::assert_snapshot!("complaints", complaints.join("\n---\n"));
}

#[test]
fn tags_that_are_gone_or_moved_are_said() {
    let home = quill();
    let before = ok(&home, &["scan", "quill", "--all"]);
    assert!(!before.contains("moved:") && !before.contains("gone:"), "{before}");
    let clone = home.repo("clone");
    clone.git(&["tag", "-d", "v1.1.0-rc.2"]);
    clone.git(&["tag", "-f", "v1.1.1", "v1.1.0"]);
    let after = ok(&home, &["scan", "quill", "--all"]);
    assert!(
        after.contains("gone: 1.1.0-rc.2 was there at an earlier look"),
        "{after}"
    );
    assert!(after.contains("moved: 1.1.1 stood for "), "{after}");
    assert_eq!(
        after,
        ok(&home, &["scan", "quill", "--all"]),
        "it is said as long as it is known"
    );
    // What it stands for now is what counts: the hotfix is what 1.1.0 is.
    let of = told(&json(&home, &["history", "quill", "--name", "cached"]));
    assert_eq!(
        of,
        ["turn.completed usage.cached: since 1.1.0, present; 1.1.0 appeared"]
    );
}

#[test]
fn a_new_tag_adds_to_a_history_what_a_history_from_nothing_says() {
    let home = quill();
    ok(&home, &["history", "quill"]);
    let clone = home.repo("clone");
    clone.write("src/events.ts", events(&FIRST)).release("v3.0.0");
    for verb in [&["history", "quill"][..], &["scan", "quill", "--all", "--json"]] {
        let warm = ok(&home, verb);
        let cold = ok(&home, &[verb, &["--state", "elsewhere"]].concat());
        assert_eq!(warm, cold);
        std::fs::remove_dir_all(home.path().join("elsewhere")).unwrap();
    }
}

#[test]
fn what_a_killed_run_left_behind_is_used_and_changes_nothing() {
    let home = Home::new();
    home.write("agents/quill.toml", AGENT);
    let clone = home.repo("clone");
    for minor in 0..60 {
        let members = format!("; member_{minor}: number");
        let version = Version {
            usage: &members,
            ..FIRST
        };
        clone
            .write("src/events.ts", events(&version))
            .release(&format!("v1.{minor}.0"));
    }
    let args = on_clone(&["--state", "state", "scan", "quill", "--all", "--json"]);
    let start = Instant::now();
    let expected = home.ok(&args);
    let took = start.elapsed();
    for part in 1..6_u32 {
        std::fs::remove_dir_all(home.path().join("state")).unwrap();
        let mut child = support::command(home.path())
            .args(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(took.mul_f64(0.18).saturating_mul(part) + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(home.ok(&args), expected, "killed after {part} fifths");
    }
}
