//! typer.

use crate::flags::testing::{model, prefixes, print, print_file};

/// One parameter of a callback, as a line.
fn parameter(text: &str) -> String {
    let file = format!(
        "from typing import Annotated, Literal, Optional\nimport typer\nFormat = Literal[\"text\", \"json\"]\nclass Kind(str, Enum):\n    one = \"1st\"\n    two = \"2nd\"\nVerbose = Annotated[bool, typer.Option(\"--verbose\", \"-v\")]\ncli = typer.Typer()\n\n@cli.callback()\ndef main(\n    {text},\n):\n    pass\n"
    );
    print_file("cli.py", &file).trim_end().to_owned()
}

#[test]
fn parameters() {
    for (text, expected) in [
        ("ctx: typer.Context", ""),
        ("name: str", ""),
        ("name: Annotated[str, typer.Argument(help=\"x\")] = \"x\"", ""),
        (
            "model: Annotated[str | None, typer.Option(\"--model\", \"-m\", help=\"x\")] = None",
            "--model -m <one>",
        ),
        ("work_dir: Annotated[Path, typer.Option()] = None", "--work-dir <one>"),
        (
            "continue_: Annotated[bool, typer.Option()] = False",
            "--continue --no-continue =false",
        ),
        (
            "debug: Annotated[bool, typer.Option(\"--debug\")] = False",
            "--debug =false",
        ),
        (
            "thinking: Annotated[bool | None, typer.Option(\"--thinking/--no-thinking\")] = None",
            "--thinking --no-thinking",
        ),
        (
            "dirs: Annotated[list[Path] | None, typer.Option(\"--dir\")] = None",
            "--dir <many>",
        ),
        (
            "dirs: Annotated[Optional[List[str]], typer.Option(\"--dir\")] = None",
            "--dir <many>",
        ),
        (
            "format: Annotated[Format | None, typer.Option(\"--format\")] = None",
            "--format <one> {text|json}",
        ),
        (
            "agent: Annotated[Literal[\"default\", \"x\"], typer.Option(\"--agent\")] = \"default\"",
            "--agent <one> {default|x} =default",
        ),
        (
            "kind: Annotated[Kind, typer.Option()] = Kind.one",
            "--kind <one> {1st|2nd} =1st",
        ),
        ("verbose: Verbose = False", "--verbose -v =false"),
        ("level: Annotated[int, typer.Option(\"-v\", count=True)] = 0", "-v =0"),
        (
            "x: Annotated[str, typer.Option(hidden=True)] = \"\"",
            "-x <one> = hidden",
        ),
        (
            "acp: Annotated[bool, typer.Option(\"--acp\", help=\"(Deprecated, use `acp`) x\")] = False",
            "--acp =false deprecated",
        ),
        (
            "port: int = typer.Option(5494, \"--port\", \"-p\")",
            "--port -p <one> =5494",
        ),
        ("port: int = typer.Option(default=1)", "--port <one> =1"),
        ("port: int = 80", "--port <one> =80"),
        ("reload: bool = False", "--reload --no-reload =false"),
        ("path: \"Optional[str]\" = None", "--path <one>"),
        ("anything = None", "--anything <unknown>"),
    ] {
        let expected = expected.replace("-x <one> = hidden", "--x <one> = hidden");
        assert_eq!(parameter(text), expected, "{text}");
    }
}

const PROGRAM: [(&str, &str); 4] = [
    (
        "acme/cli/__init__.py",
        "import typer\nfrom .mcp import cli as mcp_cli\nfrom . import info\ncli = typer.Typer()\ncli.add_typer(mcp_cli, name=\"mcp\")\ncli.add_typer(info.app)\n\n@cli.callback(invoke_without_command=True)\ndef acme(debug: bool = False): ...\n\n@cli.command()\ndef export_all(out: str = \"x\"): ...\n",
    ),
    (
        "acme/cli/mcp.py",
        "import typer\ncli = typer.Typer()\n\n@cli.command(\"add\")\ndef mcp_add(env: list[str] = None): ...\n",
    ),
    (
        "acme/cli/info.py",
        "import typer\napp = typer.Typer(name=\"info\")\n\n@app.callback(invoke_without_command=True)\ndef main(json: bool = False): ...\n",
    ),
    (
        "acme/cli/lazy_web.py",
        "import typer\ncli = typer.Typer()\n\n@cli.callback()\ndef web(port: int = 80): ...\n",
    ),
];

#[test]
fn apps_are_joined_over_files() {
    insta::assert_snapshot!(print(&model(&PROGRAM)), @r"
    --debug --no-debug =false
    export-all: --out <one> =x
    info: --json --no-json =false
    lazy-web: --port <one> =80
    mcp add: --env <many>
    ");
    // One command and no callback: it has no name.
    assert_eq!(print(&model(&PROGRAM[1..2])), "--env <many>\n");
    let run = "import typer\ndef main(name: str, loud: bool = False): ...\ntyper.run(main)\n";
    assert_eq!(print_file("a.py", run), "--loud --no-loud =false\n");
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &PROGRAM {
        prefixes(path, text);
    }
}
