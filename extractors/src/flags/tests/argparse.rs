//! argparse.

use crate::flags::testing::{model, prefixes, print, print_file};

/// The flags of statements after `parser` is made.
fn statements(text: &str) -> String {
    let file = format!(
        "import argparse\nKINDS = (\"a\", \"b\")\nDEFAULT = \"here\"\nclass Mode(str, Enum):\n    ON = \"on\"\n    OFF = \"off\"\n\ndef make(root):\n    parser = argparse.ArgumentParser(description=\"x\")\n    {}\n    return parser\n",
        text.replace('\n', "\n    ")
    );
    print_file("cli.py", &file).trim_end().to_owned()
}

#[test]
fn arguments() {
    for (text, expected) in [
        ("parser.add_argument('files', nargs='*')", ""),
        (
            "parser.add_argument('--model', metavar='MODEL', default=None)",
            "--model <one>",
        ),
        (
            "parser.add_argument('-m', '--model', '--mod', type=str, default='x')",
            "--model --mod -m <one> =x",
        ),
        ("parser.add_argument('--json', action='store_true')", "--json =false"),
        (
            "parser.add_argument('--no-git', action='store_false')",
            "--no-git =true",
        ),
        (
            "parser.add_argument('--quick', action='store_const', const=1, dest='x')",
            "--quick",
        ),
        ("parser.add_argument('-v', action='count', default=0)", "-v =0"),
        (
            "parser.add_argument('--read', action='append', default=[])",
            "--read <many> =",
        ),
        ("parser.add_argument('--read', nargs='+')", "--read <many>"),
        (
            "parser.add_argument('-p', '--prompt', nargs='?', const='')",
            "--prompt -p [optional]",
        ),
        ("parser.add_argument('--pair', nargs=2)", "--pair <many>"),
        (
            "parser.add_argument('--stream', action=argparse.BooleanOptionalAction, default=True)",
            "--stream --no-stream =true",
        ),
        (
            "parser.add_argument('--gui', '--browser', action=BooleanOptionalAction)",
            "--gui --browser --no-browser --no-gui",
        ),
        ("parser.add_argument('--own', action=OwnAction)", "--own <unknown>"),
        (
            "parser.add_argument('--kind', choices=['a', 'b'], default=KINDS[0])",
            "--kind <one> {a|b} =a",
        ),
        ("parser.add_argument('--kind', choices=KINDS)", "--kind <one> {a|b}"),
        (
            "parser.add_argument('--mode', choices=[m.value for m in Mode], default=Mode.ON.value)",
            "--mode <one> {on|off} =on",
        ),
        ("parser.add_argument('--at', default=DEFAULT)", "--at <one> =here"),
        (
            "parser.add_argument('--at', default=os.path.join(root, 'x') if root else 'x')",
            "--at <one>",
        ),
        (
            "parser.add_argument('--port', type=int, default=-1)",
            "--port <one> =-1",
        ),
        (
            "parser.add_argument('--secret', help=argparse.SUPPRESS)",
            "--secret <one> hidden",
        ),
        (
            "parser.add_argument('--old', help=f'Use {DEFAULT} (deprecated, use --new)')",
            "--old <one> deprecated",
        ),
        (
            "parser.add_argument('--old', deprecated=True)",
            "--old <one> deprecated",
        ),
        (
            "parser.add_argument('-V', '--version', action='version', version='1')",
            "--version -V",
        ),
        (
            "group = parser.add_argument_group('Main')\ngroup.add_argument('--a')\ngroup = parser.add_argument_group('More')\ngroup.add_argument('--b')",
            "--a <one>\n--b <one>",
        ),
        (
            "one = parser.add_mutually_exclusive_group(required=True)\none.add_argument('--a', action='store_true')",
            "--a =false",
        ),
        ("parser.add_argument_group('x').add_argument('--a')", "--a <one>"),
        (
            "parser.add_argument('--x', action='store_true')\nparser.set_defaults(x=True)",
            "--x =true",
        ),
        (
            "parser.add_argument(compute())",
            "? the name of an argument of the program",
        ),
    ] {
        assert_eq!(statements(text), expected, "{text}");
    }
}

const PROGRAM: [(&str, &str); 2] = [
    (
        "acme/args.py",
        r#"
import configargparse
from acme.deprecated import add_old

def add_output(p, *, short=False):
    p.add_argument("--output")

def get_parser():
    parser = configargparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    sub = parser.add_subparsers(dest="command")
    run = sub.add_parser("run", help="x")
    run.add_argument("--json", action="store_true")
    add_output(p=run)
    mcp = sub.add_parser("mcp").add_subparsers()
    add = mcp.add_parser("add", parents=[common()])
    add.add_argument("--env", action="append")
    base = argparse.ArgumentParser(add_help=False)
    base.add_argument("--trace", action="store_true")
    serve = sub.add_parser("serve", parents=[base])
    group = parser.add_argument_group("Old")
    add_old(parser, group)
    return parser
"#,
    ),
    (
        "acme/deprecated.py",
        "def add_old(parser, group):\n    group.add_argument('--opus', action='store_true', help='(deprecated)')\n",
    ),
];

#[test]
fn parsers_are_followed_through_variables_and_functions() {
    insta::assert_snapshot!(print(&model(&PROGRAM)), @r"
    --debug =false
    --opus =false deprecated
    mcp add: --env <many>
    run: --json =false
    run: --output <one>
    serve: --trace =false
    ? the flags of a parent parser
    ");
}

#[test]
fn cut_files_are_read() {
    for (path, text) in &PROGRAM {
        prefixes(path, text);
    }
}
