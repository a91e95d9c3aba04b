import argparse

LEVELS = ["low", "high"]


def build():
    parser = argparse.ArgumentParser(prog="tool", description="A tool")
    parser.add_argument("-m", "--model", help="the model")
    parser.add_argument("--level", choices=LEVELS, help="how hard it thinks, which is told at some length so that it must be wrapped")
    parser.add_argument("--pair", nargs=2, metavar=("A", "B"), help="two of them")
    parser.add_argument("--dirs", nargs="+", help="folders")
    parser.add_argument("--maybe", nargs="?", const="x", help="with or without")
    parser.add_argument("-v", "--verbose", action="store_true", help="say more")
    parser.add_argument("--color", action=argparse.BooleanOptionalAction, help="in colour")
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    parser.add_argument("--old", action="store_true", help="Deprecated: use --model")
    group = parser.add_argument_group("Network")
    group.add_argument("--port", type=int, metavar="PORT", help="the port")
    either = group.add_mutually_exclusive_group()
    either.add_argument("--ipv4", action="store_true", help="by the old protocol")
    either.add_argument("--ipv6", action="store_true", help="by the new one")
    sub = parser.add_subparsers(dest="command")
    run = sub.add_parser("run", help="run it")
    run.add_argument("what")
    run.add_argument("-j", "--jobs", type=int, help="how many")
    mcp = sub.add_parser("mcp", help="servers")
    inner = mcp.add_subparsers()
    add = inner.add_parser("add")
    add.add_argument("name")
    add.add_argument("--scope", choices=["user", "project"], help="where it is kept")
    return parser


if __name__ == "__main__":
    build().parse_args()
