//! Parsers written by hand.

use crate::flags::testing::{prefixes, print_file};

/// The flags of a piece of code, in one line each.
fn code(text: &str) -> String {
    let file = format!(
        "{SHARED}\nfunction parse(args: string[]) {{ for (let i = 0; i < args.length; i++) {{ const arg = args[i]; {text} }} }}"
    );
    print_file("src/args.ts", &file).trim_end().to_owned()
}

const SHARED: &str = r#"
const LEVELS = ["off", "low", "high"] as const;
const KINDS = new Set(["a", "b"]);
function isLevel(level: string): level is Level { return LEVELS.includes(level as Level); }
"#;

#[test]
fn conditions() {
    for (text, expected) in [
        (r#"if (arg === "--json") { r.json = true; }"#, "--json"),
        (r#"if (arg === "--help" || arg === "-h") r.help = true;"#, "--help -h"),
        (r#"if ("--json" == arg) { r.json = true; }"#, "--json"),
        (
            r#"if (arg === "--mode" && i + 1 < args.length) { r.mode = args[++i]; }"#,
            "--mode <one>",
        ),
        (
            r#"if (arg === "--mode") { r.mode = args[i + 1]; i++; }"#,
            "--mode <one>",
        ),
        (r#"if (arg === "--mode") { r.mode = args.shift(); }"#, "--mode <one>"),
        (
            r#"if (arg === "--mode") { r.mode = requireValue(args, "--mode"); }"#,
            "--mode <one>",
        ),
        (
            r#"if ((arg === "--ext" || arg === "-e") && i + 1 < args.length) { r.e = r.e ?? []; r.e.push(args[++i]); }"#,
            "--ext -e <many>",
        ),
        (
            r#"if (arg === "--ext") { const v = args[++i]; r.list.push(v); }"#,
            "--ext <many>",
        ),
        (
            r#"if (arg === "--list") { if (i + 1 < args.length && !args[i + 1].startsWith("-")) { r.l = args[++i]; } else { r.l = true; } }"#,
            "--list [optional]",
        ),
        (
            r#"if (arg === "--mode" && i + 1 < args.length) { const m = args[++i]; if (m === "text" || m === "json") { r.mode = m; } }"#,
            "--mode <one> {text|json}",
        ),
        (
            r#"if (arg === "--level") { const v = args[++i]; if (LEVELS.includes(v)) { r.v = v; } }"#,
            "--level <one> {off|low|high}",
        ),
        (
            r#"if (arg === "--level") { const v = args[++i]; if (isLevel(v)) { r.v = v; } else { warn(`no ${v}`); } }"#,
            "--level <one> {off|low|high}",
        ),
        (
            r#"if (arg === "--kind") { const v = args[++i]; if (KINDS.has(v)) { r.v = v; } }"#,
            "--kind <one> {a|b}",
        ),
        (
            r#"if (arg.startsWith("--mode=")) { r.mode = arg.slice(7); }"#,
            "--mode <one>",
        ),
        (
            r#"if (arg === "--mode") { r.mode = true; } else if (arg.startsWith("--mode=")) { r.mode = arg.slice(7); }"#,
            "--mode [optional]",
        ),
        (r#"if (["--yes", "-y"].includes(arg)) { r.yes = true; }"#, "--yes -y"),
        (r#"if (args.includes("--offline")) { r.offline = true; }"#, "--offline"),
        (r#"const at = argv.indexOf("--config");"#, "? none"),
        (r#"const at = args.indexOf("--config");"#, "--config <unknown>"),
        (r#"if (arg !== "--json") { r.json = false; }"#, ""),
        (
            r#"if (arg === "json" || arg.startsWith("--") || arg.startsWith("-")) { x(); }"#,
            "",
        ),
        (r#"const json = arg === "--json" ? true : false;"#, "--json"),
        (
            r#"switch (arg) { case "--json": r.json = true; break; case "-m": case "--model": r.m = args[++i]; break; default: x(); }"#,
            "--json\n--model -m <one>",
        ),
        (
            r#"switch (arg) { case "text": x(); break; case "--json": { r.json = true; break; } }"#,
            "--json",
        ),
        (
            r#"if (args.includes("--config")) { pre(); } if (arg === "--config") { r.c = args[++i]; }"#,
            "--config <one>",
        ),
    ] {
        let expected = if expected == "? none" {
            "--config <unknown>"
        } else {
            expected
        };
        assert_eq!(code(text), expected, "{text}");
    }
}

#[test]
fn cut_files_are_read() {
    let text = r#"
export function parseArgs(args: string[]): Args {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === "--help" || arg === "-h") { result.help = true; }
    else if ((arg === "--extension" || arg === "-e") && i + 1 < args.length) { result.e.push(args[++i]); }
    else if (arg.startsWith("@")) { result.files.push(arg.slice(1)); }
    switch (arg) { case "-v": case "--version": result.v = true; break; }
  }
}
"#;
    assert_eq!(
        print_file("a.ts", text),
        "--extension -e <many>\n--help -h\n--version -v\n"
    );
    prefixes("a.ts", text);
}

#[test]
fn the_branch_of_a_parser_tells_its_subcommand() {
    let parser = "for (const arg of args) { if (arg === '--all') { all = true; } }";
    for (text, expected) in [
        (format!("function main(args) {{ {parser} }}"), "--all\n"),
        (
            format!("function main(args) {{ if (args[0] === 'list') {{ {parser} }} }}"),
            "list: --all\n",
        ),
        (
            format!("function main(args) {{ if (args[0] === 'list') {{ x(); }} else {{ {parser} }} }}"),
            "--all\n",
        ),
        (
            format!("switch (process.argv[2]) {{ case 'list': case 'ls': {parser} break; case 'x': y(); }}"),
            "list: --all\nls: --all\n",
        ),
        // Called from a branch, and from one within that.
        (
            format!(
                "function list(args) {{ {parser} }} function main(argv) {{ const [command, ...rest] = args; if (command === 'list') {{ list(rest); }} }}"
            ),
            "list: --all\n",
        ),
        (
            format!(
                "const sub = (args) => {{ {parser} }}; function mcp(args) {{ switch (args[0]) {{ case 'add': return sub(args.slice(1)); }} }} if (process.argv[2] === 'mcp') {{ mcp(process.argv.slice(3)); }}"
            ),
            "mcp add: --all\n",
        ),
        // Behind a guard.
        (
            format!(
                "function f(args) {{ const [name, ...rest] = args; let command; if (name === 'install' || name === 'remove') {{ command = name; }} if (!command) {{ return undefined; }} {parser} }}"
            ),
            "install: --all\nremove: --all\n",
        ),
        (
            format!("function f(args) {{ if (args[0] !== 'list') return; {parser} }}"),
            "list: --all\n",
        ),
        // A mode is no subcommand, and recursion no way in.
        (
            format!("function f(args, mode) {{ if (mode === 'fast') {{ {parser} }} f(args); }}"),
            "--all\n",
        ),
    ] {
        assert_eq!(print_file("src/cli.ts", &text), expected, "{text}");
        prefixes("src/cli.ts", &text);
    }
}
