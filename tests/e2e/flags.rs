//! `scan --flags`: command lines of two versions, from source in a repository or a folder, and from the texts that
//! `--help` printed.

use std::fmt::Write as _;

use serde_json::Value;

use crate::fixture::Home;

/// `SEVERITY RULE COMMAND FLAG` of each finding.
fn told(report: &Value) -> Vec<String> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| {
            let parts = ["severity", "rule", "command", "flag"].map(|key| text(finding, key));
            parts
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

const OLD: &str = r#"
import { Command, Option } from "commander";
const program = new Command("tool").option("-m, --model <id>", "the model").option("--full-auto", "ask nothing");
program.command("exec").option("--json", "print JSON").addOption(new Option("--color <when>").choices(["auto", "never"]));
"#;

const NEW: &str = r#"
import { Command, Option } from "commander";
import { addExec } from "./exec";
const program = new Command("tool").option("-m, --model <id>", "the model");
addExec(program);
"#;

const NEW_EXEC: &str = r#"
import { Command, Option } from "commander";
export function addExec(program: Command) {
  program
    .command("exec")
    .option("--json", "Deprecated: use --format json")
    .option("--format <format>", "the form")
    .addOption(new Option("--color <when>").choices(["auto", "never", "always"]));
}
"#;

/// A repository with two releases of a command line, and the same as two folders.
fn two_releases() -> Home {
    let home = Home::new();
    let repo = home.repo("repo");
    for (tag, folder, files) in [
        ("v1.0.0", "old", vec![("src/cli.ts", OLD)]),
        ("v1.1.0", "new", vec![("src/cli.ts", NEW), ("src/exec.ts", NEW_EXEC)]),
    ] {
        for (path, text) in files {
            repo.write(path, text);
            home.write(&format!("{folder}/{path}"), text);
        }
        repo.release(tag);
    }
    home
}

#[test]
fn a_command_line_in_source() {
    let home = two_releases();
    let git = [
        "scan",
        "--from",
        "git:repo@v1.0.0",
        "--to",
        "git:repo@v1.1.0",
        "--scope",
        "src/*.ts",
        "--flags",
    ];
    insta::assert_snapshot!(home.ok(&git), @r"
    git:repo@v1.0.0 -> git:repo@v1.1.0: the protocol changes (1 breaking, 1 risky, 2 additive)
    breaking  `--full-auto` is gone [flag_removed]
              src/cli.ts:3
              hurts: the CLI refuses what an unchanged host sends; to do: pass it by version, or ask `--help` first
    risky     `exec` `--json` is deprecated [flag_deprecated]
              src/exec.ts:6
    additive  `exec` `--format` is a new flag [flag_added]
              src/exec.ts:7
              hurts: nobody is hurt, it is a new possibility; to do: nothing; use it from this version on if it is useful
    additive  `exec` `--color` accepts always [flag_choice_added]
              src/exec.ts:8
    ");
    let report = home.json(&[&git[..], &["--json"]].concat());
    let expected = [
        "breaking flag_removed --full-auto",
        "risky flag_deprecated exec --json",
        "additive flag_added exec --format",
        "additive flag_choice_added exec --color",
    ];
    assert_eq!(told(&report), expected);
    assert_eq!(report["verdict"], "changes");
    let finding = &report["findings"][0];
    assert_eq!(
        (finding["direction"].as_str(), finding["before"].as_str()),
        (Some("input"), Some("--full-auto"))
    );
    // A folder says what its repository says, and a host may fail on it.
    let folders = [
        "scan", "--from", "dir:old", "--to", "dir:new", "--scope", "src/*.ts", "--flags", "--json",
    ];
    assert_eq!(told(&home.json(&folders)), expected);
    let (code, _, _) = home.run(&[&folders[..], &["--fail-on", "breaking"]].concat());
    assert_eq!(code, 1);
}

const OLD_HELP: &str = "\
Usage: tool [OPTIONS] [PROMPT]

Options:
  -m, --model <MODEL>  The model
      --full-auto      Ask nothing
  -c, --config <key=value>
          Set a value

          [aliases: --set]
  -h, --help           Print help
";

const OLD_EXEC: &str = "\
Run without a terminal

Usage: tool exec [OPTIONS] [PROMPT]

Options:
      --color <COLOR>      When to colour [default: auto] [possible values: auto, never]
  -c, --config <key=value>
          Set a value

          [aliases: --set]
      --json               Print JSON
  -h, --help               Print help
";

#[test]
fn the_help_of_a_program_without_source() {
    let home = Home::new();
    home.write("old/help/main.txt", OLD_HELP)
        .write("old/help/exec.txt", OLD_EXEC)
        .write(
            "new/help/main.txt",
            OLD_HELP.replace("      --full-auto      Ask nothing\n", ""),
        )
        // In colours, and with a description that is wrapped.
        .write(
            "new/help/exec.txt",
            OLD_EXEC
                .replace("auto, never]", "auto, never,\n                           always]")
                .replace(
                    "      --json               Print JSON\n",
                    "      \x1b[1m--format\x1b[0m <FORMAT>    The form\n",
                ),
        );
    let args = [
        "scan", "--from", "dir:old", "--to", "dir:new", "--scope", "help/**", "--flags",
    ];
    insta::assert_snapshot!(home.ok(&args), @r"
    dir:old -> dir:new: the protocol changes (2 breaking, 2 additive)
    breaking  `--full-auto` is gone [flag_removed]
              help/main.txt:5
              hurts: the CLI refuses what an unchanged host sends; to do: pass it by version, or ask `--help` first
    breaking  `exec` `--json` is gone [flag_removed]
              help/exec.txt:11
    additive  `exec` `--format` is a new flag [flag_added]
              help/exec.txt:12
              hurts: nobody is hurt, it is a new possibility; to do: nothing; use it from this version on if it is useful
    additive  `exec` `--color` accepts always [flag_choice_added]
              help/exec.txt:6
    ");
    assert_eq!(
        told(&home.json(&[&args[..], &["--json"]].concat())),
        [
            "breaking flag_removed --full-auto",
            "breaking flag_removed exec --json",
            "additive flag_added exec --format",
            "additive flag_choice_added exec --color",
        ]
    );
    // What every command shows and then loses is told once.
    home.write(
        "gone/help/main.txt",
        OLD_HELP.replace("\n          [aliases: --set]\n", ""),
    )
    .write(
        "gone/help/exec.txt",
        OLD_EXEC.replace("\n          [aliases: --set]\n", ""),
    );
    let gone = home.json(&[
        "scan", "--from", "dir:old", "--to", "dir:gone", "--scope", "help/**", "--flags", "--json",
    ]);
    assert_eq!(told(&gone), ["breaking flag_removed --set"]);
}

#[test]
fn a_help_text_that_is_none_is_named_and_hides_nothing_else() {
    let home = Home::new();
    home.write("old/help/main.txt", OLD_HELP)
        .write("old/help/exec.txt", OLD_EXEC);
    let mut endless = OLD_EXEC.replace("      --json               Print JSON\n", "");
    let _ = write!(endless, "      --json {}", "x".repeat(3 << 20));
    for (name, text, why) in [
        ("binary", b"\x7fELF\0\0\xff\xfe".to_vec(), "content is no UTF-8 text"),
        ("zeros", b"--json\0--color\0".to_vec(), "binary content"),
        ("large", vec![b'-'; 10 << 20], "over 1024 KB, which is no help text"),
        (
            "long",
            endless.get(..900_000).unwrap().as_bytes().to_vec(),
            "a line of more than 2000 letters",
        ),
        (
            "prose",
            b"Nothing to see here.\n".to_vec(),
            "neither a flag nor a usage line can be read in it",
        ),
        ("empty", Vec::new(), "neither a flag nor a usage line can be read in it"),
    ] {
        home.write(
            &format!("{name}/help/main.txt"),
            OLD_HELP.replace("--full-auto", "--never-ask"),
        );
        home.write(&format!("{name}/help/exec.txt"), text);
        let to = format!("dir:{name}");
        let args = [
            "scan", "--from", "dir:old", "--to", &to, "--scope", "help/**", "--flags", "--json",
        ];
        let (code, out, err) = home.run(&args);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        let report: Value = serde_json::from_str(&out).unwrap();
        // The text beside it is read, and of the broken one nothing is called removed.
        assert_eq!(
            told(&report),
            ["breaking flag_removed --full-auto", "additive flag_added --never-ask"],
            "{name}"
        );
        let degraded = report["degraded"].as_array().unwrap();
        assert!(
            degraded
                .iter()
                .any(|one| one["file"] == "help/exec.txt" && one["why"] == why),
            "{name}: {degraded:?}"
        );
        assert_eq!(report["verdict"], "changes", "{name}");
        assert!(!report["doubts"].as_array().unwrap().is_empty(), "{name}");
    }
}
