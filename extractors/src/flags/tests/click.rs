//! click.

use crate::flags::testing::{model, prefixes, print, print_file};

/// One option of a command, as a line.
fn option(text: &str) -> String {
    let file = format!(
        "import click\nfrom typing import Literal, get_args\nFormat = Literal[\"text\", \"json\"]\nclass Kind(enum.Enum):\n    ONE = 1\n    TWO = 2\n\n@click.command()\n{text}\ndef main(**kw):\n    pass\n"
    );
    print_file("cli.py", &file).trim_end().to_owned()
}

#[test]
fn options() {
    for (text, expected) in [
        ("@click.argument('name')", ""),
        (
            "@click.option('--model', '-m', 'model_name', type=str, default=None)",
            "--model -m <one>",
        ),
        (
            "@click.option('--verbose', is_flag=True, default=False)",
            "--verbose =false",
        ),
        ("@click.option('--verbose', is_flag=True)", "--verbose =false"),
        ("@click.option('-v', '--verbose', count=True)", "--verbose -v"),
        (
            "@click.option('--markdown/--no-markdown', default=True)",
            "--markdown --no-markdown =true",
        ),
        (
            "@click.option('--shout/--no-shout', ' /-S', default=False)",
            "--shout --no-shout -S =false",
        ),
        ("@click.option('--print', 'ui', flag_value='print')", "--print"),
        (
            "@click.option('--at', is_flag=False, flag_value='x')",
            "--at [optional]",
        ),
        ("@click.option('--dir', multiple=True)", "--dir <many>"),
        ("@click.option('--pair', nargs=2)", "--pair <many>"),
        (
            "@click.option('--ui', type=click.Choice(['shell', 'print']), default='shell')",
            "--ui <one> {shell|print} =shell",
        ),
        (
            "@click.option('--format', type=click.Choice(get_args(Format)))",
            "--format <one> {text|json}",
        ),
        (
            "@click.option('--kind', type=click.Choice(Kind))",
            "--kind <one> {ONE|TWO}",
        ),
        ("@click.option('--dir', default=Path.cwd())", "--dir <one>"),
        ("@click.option('--x', hidden=True)", "--x <one> hidden"),
        ("@click.option('--x', deprecated=True)", "--x <one> deprecated"),
        (
            "@click.option('--x', help='(Deprecated, use y) z')",
            "--x <one> deprecated",
        ),
        ("@click.version_option('1.0')", "--version"),
        ("@click.version_option('1.0', '-V', '--version')", "--version -V"),
        ("@click.option(compute())", "? the name of an option"),
    ] {
        assert_eq!(option(text), expected, "{text}");
    }
}

const PROGRAM: [(&str, &str); 2] = [
    (
        "acme/cli.py",
        r#"
import click
from .shared import common, tool

@click.group()
@click.option("--debug", is_flag=True)
def cli(): ...

@cli.command()
@common
@click.option("--json", is_flag=True)
def run_it(): ...

@cli.group("mcp")
def mcp_group(): ...

@mcp_group.command("add")
@click.option("--env", multiple=True)
def mcp_add(): ...

cli.add_command(tool, "tools")

@click.command()
@click.option("--loose")
def loose_cmd(): ...
"#,
    ),
    (
        "acme/shared.py",
        r#"
import click

def common(f):
    f = click.option("--profile")(f)
    f = click.option("--region", "-r")(f)
    return f

@click.command()
@click.option("--list", is_flag=True)
def tool(): ...
"#,
    ),
];

#[test]
fn groups_and_shared_decorators() {
    insta::assert_snapshot!(print(&model(&PROGRAM)), @r"
    --debug =false
    loose: --loose <one>
    mcp add: --env <many>
    run-it: --json =false
    run-it: --profile <one>
    run-it: --region -r <one>
    tools: --list =false
    ");
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &PROGRAM {
        prefixes(path, text);
    }
}
