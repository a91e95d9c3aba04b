//! clap's builder.

use crate::flags::testing::{model, prefixes, print, print_file};

/// What is put on a command, as lines.
fn built(text: &str) -> String {
    let file = format!(
        "use clap::{{Arg, ArgAction, Command}};\nconst LEVELS: [&str; 2] = [\"low\", \"high\"];\nfn port() -> Arg {{ Arg::new(\"port\").long(\"port\") }}\nfn quiet(cmd: Command) -> Command {{ cmd.arg(Arg::new(\"q\").short('q').action(ArgAction::SetTrue)) }}\nfn build() -> Command {{ Command::new(\"x\"){text} }}"
    );
    print_file("src/cli.rs", &file).trim_end().to_owned()
}

#[test]
fn arguments() {
    for (text, expected) in [
        (".arg(Arg::new(\"m\").long(\"model\").short('m'))", "--model -m <one>"),
        (
            ".arg(Arg::new(\"m\").long(\"model\").visible_alias(\"mod\").alias(\"old\"))",
            "--model --mod --old <one>",
        ),
        (".arg(Arg::new(\"v\").short('v').action(ArgAction::Count))", "-v"),
        (
            ".arg(Arg::new(\"d\").long(\"dir\").action(clap::ArgAction::Append))",
            "--dir <many>",
        ),
        (
            ".arg(Arg::new(\"l\").long(\"level\").value_parser(LEVELS).default_value(\"low\"))",
            "--level <one> {low|high} =low",
        ),
        (
            ".arg(Arg::new(\"l\").long(\"level\").value_parser(clap::builder::PossibleValuesParser::new([\"a\", \"b\"])))",
            "--level <one> {a|b}",
        ),
        (
            ".arg(Arg::new(\"m\").long(\"maybe\").num_args(0..=1))",
            "--maybe [optional]",
        ),
        (".arg(Arg::new(\"m\").long(\"pair\").num_args(2))", "--pair <many>"),
        (
            ".arg(Arg::new(\"h\").long(\"secret\").hide(true).global(true))",
            "--secret <one> inherited hidden",
        ),
        (".arg(Arg::new(\"h\").long(\"shown\").hide(false))", "--shown <one>"),
        (
            ".arg(Arg::new(\"o\").long(\"old\").help(\"Deprecated: use --new\"))",
            "--old <one> deprecated",
        ),
        (".arg(Arg::new(\"what\"))", ""),
        (
            ".args([port(), Arg::new(\"x\").long(\"x\")])",
            "--port <one>\n--x <one>",
        ),
        (".args(vec![port()])", "--port <one>"),
        (".args(&[port()])", "--port <one>"),
        (
            ".arg(arg!(-c --config <FILE> \"Sets it\")).arg(clap::arg!(-d --debug ... \"More\"))",
            "--config -c <one>\n--debug -d",
        ),
        (
            ".arg(port()).mut_arg(\"port\", |a| a.hide(true).short('p'))",
            "--port -p <one> hidden",
        ),
        // Since clap 4 an argument takes a value; before, it says so.
        (".arg(Arg::with_name(\"x\").long(\"x\"))", "--x"),
        (
            ".arg(Arg::with_name(\"x\").long(\"x\").takes_value(true).multiple(true))",
            "--x <many>",
        ),
        (".arg(other()).arg(port())", "--port <one>\n? an argument:"),
    ] {
        assert_eq!(built(text), expected, "{text}");
    }
}

#[test]
fn commands() {
    for (text, expected) in [
        (".subcommand(Command::new(\"run\").arg(port()))", "run: --port <one>"),
        (
            ".subcommands([quiet(Command::new(\"a\")), Command::new(\"b\").subcommand(quiet(Command::new(\"c\")))])",
            "a: -q\nb c: -q",
        ),
        (
            ".subcommand(Command::new(\"run\").hide(true).arg(port()))",
            "run: --port <one> hidden",
        ),
    ] {
        assert_eq!(built(text), expected, "{text}");
    }
}

#[test]
fn functions_are_run() {
    for (text, expected) in [
        (
            "fn main() { let mut cmd = Command::new(\"x\"); for name in [\"a1\", \"b1\"] { cmd = cmd.arg(Arg::new(name).long(name)); } if cond { cmd = cmd.arg(Arg::new(\"c1\").long(\"c1\")); } let m = cmd.get_matches(); }",
            "--a1 <one>\n--b1 <one>\n--c1 <one>\n",
        ),
        (
            "fn build() -> Command { let cmd = Command::new(\"x\"); match mode { A => cmd.arg(Arg::new(\"a1\").long(\"a1\")), B => return cmd } }",
            "--a1 <one>\n",
        ),
        // A process that is started is no command line of ours.
        (
            "fn run() { let out = std::process::Command::new(\"git\").arg(\"--version\").args([\"-C\", dir]).output(); let a = Arg::new(\"x\"); }",
            "",
        ),
        (
            "#[cfg(test)] mod tests { fn t() { Command::new(\"x\").arg(Arg::new(\"a1\").long(\"a1\")).get_matches(); } }",
            "",
        ),
        (
            "fn a() -> Command { b(Command::new(\"x\").arg(Arg::new(\"a1\").long(\"a1\"))) } fn b(c: Command) -> Command { a(); c }",
            "",
        ),
    ] {
        let file = format!("use clap::{{Arg, Command}};\n{text}");
        assert_eq!(print_file("src/main.rs", &file), expected, "{text}");
        prefixes("src/main.rs", &file);
    }
}

#[test]
fn helpers_of_other_files() {
    let main = "use clap::Command;\nmod args;\nfn main() { Command::new(\"x\").arg(args::port()).arg(clap::Arg::new(\"m\").long(\"m1\")).get_matches(); }";
    let args = "use clap::Arg;\npub fn port() -> Arg { Arg::new(\"port\").long(\"port\") }";
    assert_eq!(
        print(&model(&[("src/args.rs", args), ("src/main.rs", main)])),
        "--m1 <one>\n--port <one>\n"
    );
}
