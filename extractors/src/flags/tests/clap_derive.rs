//! clap derives.

use crate::flags::testing::{model, model_of, prefixes, print, print_file};

/// One field of a parser, as a line.
fn field(text: &str) -> String {
    let file = format!("use clap::Parser;\n#[derive(Parser)]\nstruct Cli {{\n{text}\n}}\n{SHARED}");
    print_file("src/cli.rs", &file).trim_end().to_owned()
}

const SHARED: &str = r#"
#[derive(Clone, ValueEnum)]
enum Color { Always, #[value(name = "no")] Never, #[value(skip)] Odd, AutoDetect }
#[derive(clap::ValueEnum, Clone)]
#[clap(rename_all = "snake_case")]
enum Level { VeryHigh, Low }
struct Plain;
const DEFAULT: &str = "here";
"#;

#[test]
fn fields() {
    for (text, expected) in [
        ("prompt: Option<String>,", ""),
        ("#[arg(value_name = \"PROMPT\")] prompt: String,", ""),
        ("#[arg(long)] model: Option<String>,", "--model <one>"),
        ("#[arg(long, short)] model: String,", "--model -m <one>"),
        (
            "#[arg(short = 'C', long = \"cd\")] cwd: Option<PathBuf>,",
            "--cd -C <one>",
        ),
        ("#[clap(long)] add_dir: Vec<PathBuf>,", "--add-dir <many>"),
        ("#[arg(long)] r#type: Option<Vec<String>>,", "--type <many>"),
        ("#[arg(short)] verbose: bool,", "-v =false"),
        ("#[arg(long)] json: bool,", "--json =false"),
        ("#[arg(long)] plan: Option<bool>,", "--plan <one> {true|false}"),
        ("#[arg(long, action = clap::ArgAction::Set)] tty: bool,", "--tty <one>"),
        ("#[arg(long, action = ArgAction::SetFalse)] tty: bool,", "--tty"),
        (
            "#[arg(short, long, action = ArgAction::Count)] verbose: u8,",
            "--verbose -v",
        ),
        ("#[arg(long, action = ArgAction::Append)] one: String,", "--one <many>"),
        ("#[arg(long, num_args = 1..)] files: Vec<PathBuf>,", "--files <many>"),
        (
            "#[arg(long, num_args = 0..=1, default_missing_value = \"x\")] at: Option<String>,",
            "--at [optional]",
        ),
        ("#[arg(long, num_args(2))] pair: String,", "--pair <many>"),
        ("#[arg(long)] maybe: Option<Option<String>>,", "--maybe [optional]"),
        ("#[arg(long, default_value_t = 7_878)] port: u16,", "--port <one> =7878"),
        (
            "#[arg(long, default_value = \"a, b\")] name: String,",
            "--name <one> =a, b",
        ),
        ("#[arg(long, default_value = DEFAULT)] at: String,", "--at <one> =here"),
        (
            "#[arg(long, default_value_t = String::from(\"x\"))] at: String,",
            "--at <one> =x",
        ),
        ("#[arg(long, default_value_t = compute())] at: String,", "--at <one>"),
        (
            "#[arg(long, value_enum, default_value_t = Color::AutoDetect)] color: Color,",
            "--color <one> {always|no|auto-detect} =auto-detect",
        ),
        ("#[arg(long)] level: Option<Level>,", "--level <one> {very_high|low}"),
        (
            "#[arg(long, value_parser = [\"a\", \"b\"])] kind: String,",
            "--kind <one> {a|b}",
        ),
        (
            "#[arg(long, value_parser = clap::builder::PossibleValuesParser::new([\"a\", \"b\"]))] kind: String,",
            "--kind <one> {a|b}",
        ),
        ("#[arg(long, value_parser = parse)] kind: bool,", "--kind <one>"),
        (
            "#[arg(long, alias = \"yolo\", visible_alias = \"go\", short_alias = 'y')] full: bool,",
            "--full --go --yolo -y =false",
        ),
        (
            "#[arg(long, aliases = [\"a1\", \"a2\"])] full: bool,",
            "--full --a1 --a2 =false",
        ),
        (
            "#[arg(long, global = true, hide = true)] full: bool,",
            "--full =false inherited hidden",
        ),
        ("#[arg(long, hide = false)] full: bool,", "--full =false"),
        (
            "/// (deprecated) use --model\n#[arg(long)] old: bool,",
            "--old =false deprecated",
        ),
        (
            "#[arg(long, help = \"[DEPRECATED] no effect\")] old: bool,",
            "--old =false deprecated",
        ),
        ("#[clap(skip)] state: Plain,", ""),
        ("#[arg(skip)] #[arg(long)] state: Plain,", ""),
        (
            "#[cfg_attr(feature = \"x\", arg(long, short = 'q'))] quiet: bool,",
            "--quiet -q =false",
        ),
        (
            "#[arg(\n // why\n long, // here\n conflicts_with_all = [\"a\", \"b\"],\n)] one: bool,",
            "--one =false",
        ),
        ("#[structopt(long, parse(from_occurrences))] verbose: u8,", "--verbose"),
        (
            "#[clap(long, possible_values = &[\"a\", \"b\"])] kind: String,",
            "--kind <one> {a|b}",
        ),
        ("#[clap(long, multiple_values = true)] kind: String,", "--kind <many>"),
        ("#[arg(long = NAME)] odd: bool,", "? the name of the flag of odd"),
        (
            "#[clap(flatten)] more: somewhere::Else,",
            "? the flags of somewhere::Else",
        ),
    ] {
        assert_eq!(field(text), expected, "{text}");
    }
}

#[test]
fn containers_name_what_is_in_them() {
    let text = r#"
use clap::{Parser, Subcommand, Args};
#[derive(Parser)]
#[command(rename_all = "snake_case")]
struct Cli {
    #[arg(long, global = true)]
    log_level: String,
    #[command(subcommand)]
    command: Option<Box<Commands>>,
    #[command(flatten)]
    shared: Option<Shared>,
}
#[derive(Args)]
struct Shared { #[arg(long)] dry_run: bool }
#[derive(Subcommand)]
enum Commands {
    McpServer,
    /// Runs.
    #[command(name = "go", visible_alias = "g")]
    Run { #[arg(long)] as_json: bool },
    Exec(ExecArgs),
    #[command(subcommand)]
    Auth(AuthCommand),
    #[command(flatten)]
    More(MoreCommands),
    #[command(external_subcommand)]
    Other(Vec<String>),
    #[command(skip)]
    Never(Shared),
}
#[derive(Args)]
struct ExecArgs { #[arg(long)] max_turns: u8, #[command(subcommand)] next: Option<ExecCommand> }
#[derive(Subcommand)]
#[command(rename_all = "UPPER")]
enum ExecCommand { Resume { #[arg(long)] last: bool } }
#[derive(Subcommand)]
enum AuthCommand { Set(SetArgs), Clear(SetArgs) }
#[derive(Args)]
struct SetArgs { #[arg(long)] provider: String }
#[derive(Subcommand)]
enum MoreCommands { Doctor { #[arg(long)] fix: bool } }
#[cfg(test)]
mod tests { use super::*; #[derive(Parser)] struct Fake { #[arg(long)] fake: bool } }
"#;
    insta::assert_snapshot!(print_file("src/main.rs", text), @r"
    --dry-run =false
    --log_level <one> inherited
    auth clear: --provider <one>
    auth set: --provider <one>
    doctor: --fix =false
    exec: --max-turns <one>
    exec RESUME: --last =false
    go (g): --as-json =false
    ");
}

const WORKSPACE: [(&str, &str); 9] = [
    ("cli/Cargo.toml", "[package]\nname = \"acme-cli\""),
    ("tui/Cargo.toml", "[package]\nname = \"acme-tui\""),
    ("common/Cargo.toml", "[package]\nname = \"acme-common\""),
    (
        "cli/src/main.rs",
        r"
use acme_tui::Cli as TuiCli;
use clap::Parser;
mod cmd;
use crate::cmd::ServeArgs;
#[derive(Parser)]
struct Main {
    #[clap(flatten)]
    interactive: TuiCli,
    #[command(subcommand)]
    sub: Option<Sub>,
}
#[derive(clap::Subcommand)]
enum Sub { Serve(ServeArgs), Tool(cmd::deep::ToolArgs), Away(acme_tui::AwayArgs) }
",
    ),
    (
        "cli/src/cmd/mod.rs",
        "pub mod deep;\nuse clap::Args;\n#[derive(Args)]\npub struct ServeArgs { #[arg(long)] port: u16 }",
    ),
    (
        "cli/src/cmd/deep.rs",
        "use clap::Args;\nuse super::ServeArgs as Base;\n#[derive(Args)]\npub struct ToolArgs { #[arg(long)] tool: bool, #[command(flatten)] base: Base }",
    ),
    (
        "tui/src/lib.rs",
        "mod cli;\npub use cli::Cli;\nuse clap::Args;\n#[derive(Args)]\npub struct AwayArgs { #[arg(long)] away: bool }",
    ),
    (
        "tui/src/cli.rs",
        "use acme_common::*;\nuse clap::Parser;\n#[derive(Parser)]\npub struct Cli { #[arg(long)] model: String, #[arg(long, value_enum)] mode: Mode, #[clap(flatten)] overrides: Overrides }",
    ),
    (
        "common/src/lib.rs",
        "pub use modes::Mode;\nmod modes { #[derive(clap::ValueEnum)] pub enum Mode { ReadOnly, Full } }\n#[derive(clap::Args)]\npub struct Overrides { #[arg(short = 'c', long = \"config\")] raw: Vec<String> }",
    ),
];

#[test]
fn types_are_followed_over_files_and_crates() {
    let scope = [
        "cli/src/main.rs",
        "cli/src/cmd/mod.rs",
        "cli/src/cmd/deep.rs",
        "tui/src/cli.rs",
    ];
    insta::assert_snapshot!(print(&model_of(&WORKSPACE, &scope)), @r"
    --config -c <many> (beyond)
    --mode <one> {read-only|full}
    --model <one>
    serve: --port <one>
    tool: --port <one>
    tool: --tool =false
    ");
    // By itself, a struct that others hold is a program.
    insta::assert_snapshot!(print(&model_of(&WORKSPACE, &["tui/src/cli.rs"])), @r"
    --config -c <many> (beyond)
    --mode <one> {read-only|full}
    --model <one>
    ");
}

#[test]
fn traits_written_by_hand_lead_to_what_they_stand_for() {
    let text = r#"
use clap::{Args, Parser, ValueEnum, builder::PossibleValue};
#[derive(Parser)]
struct Cli { #[command(flatten)] resume: Resume, #[arg(long)] kind: Kind }
struct Resume { last: bool }
#[derive(Args)]
struct ResumeRaw { #[arg(long)] last: bool }
impl Args for Resume {
    fn augment_args(cmd: clap::Command) -> clap::Command { ResumeRaw::augment_args(cmd) }
}
#[derive(Clone)]
enum Kind { A, B }
impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] { &[Self::A, Self::B] }
    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self { Self::A => PossibleValue::new("first"), Self::B => PossibleValue::new("second") })
    }
}
"#;
    insta::assert_snapshot!(print_file("src/main.rs", text), @r"
    --kind <one> {first|second}
    --last =false
    ");
}

#[test]
fn circles_end() {
    let text = "use clap::Parser;\n#[derive(Parser)] struct A { #[arg(long)] a: bool, #[command(flatten)] b: B }\n#[derive(clap::Args)] struct B { #[arg(long)] b: bool, #[command(flatten)] a: A }";
    // Both are held by the other, so that none is a program.
    assert_eq!(print_file("src/main.rs", text), "");
    let own = "use clap::Parser;\n#[derive(Parser)] struct A { #[arg(long)] a: bool, #[command(flatten)] b: A }";
    assert_eq!(print_file("src/main.rs", own), "--a =false\n");
}

#[test]
fn a_broken_field_hides_its_name_and_no_other() {
    let text = "use clap::Parser;\n#[derive(Parser)]\nstruct A {\n    #[arg(long)]\n    good: bool,\n}\n#[derive(clap::Args)]\nstruct B {\n    #[arg(long)]\n    add_dir: Vec<PathBuf\n";
    let printed = print_file("src/main.rs", text);
    assert!(printed.starts_with("--good =false\n"), "{printed}");
    assert!(
        printed.contains("! syntax error [") && printed.contains("\"--add-dir\""),
        "{printed}"
    );
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &WORKSPACE[3..] {
        prefixes(path, text);
    }
}

#[test]
fn two_programs_in_one_scope_do_not_mix() {
    let file = |name: &str, flags: &str| {
        format!("#[derive(Parser)]\n{name}\nstruct Cli {{ {flags} #[arg(long)] json: bool }}")
    };
    let main = file("", "#[arg(long)] model: String, #[arg(long)] quiet: bool,");
    let other = file("", "#[arg(long)] port: u16,");
    let named = file("#[command(name = \"one\")]", "#[arg(long)] port: u16,");
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\n");
    let (one, two) = (manifest("one"), manifest("two"));
    for (other, expected) in [
        (&other, "two: --json =false\ntwo: --port <one>\n"),
        // It says itself that it is the same program.
        (&named, ""),
    ] {
        let files = [
            ("a/Cargo.toml", one.as_str()),
            ("a/src/main.rs", main.as_str()),
            ("b/Cargo.toml", two.as_str()),
            ("b/src/main.rs", other.as_str()),
        ];
        let told = print(&model(&files));
        assert!(
            told.contains("--model <one>\n") && !told.contains("one: --model"),
            "{told}"
        );
        assert!(told.ends_with(expected), "{told}");
        assert_eq!(told.contains("two"), !expected.is_empty(), "{told}");
    }
    // The binaries of one crate.
    let files = [
        ("a/Cargo.toml", one.as_str()),
        ("a/src/main.rs", main.as_str()),
        ("a/src/bin/helper.rs", other.as_str()),
    ];
    assert!(print(&model(&files)).contains("helper: --port <one>\n"));
}
