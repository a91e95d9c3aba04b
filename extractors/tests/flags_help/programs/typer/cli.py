from enum import Enum
from pathlib import Path
from typing import Annotated, Literal, Optional

import typer


class Level(str, Enum):
    low = "low"
    high = "high"


app = typer.Typer(add_completion=False)
mcp = typer.Typer()
app.add_typer(mcp, name="mcp")


@app.callback(invoke_without_command=True)
def main(
    model: Annotated[Optional[str], typer.Option("--model", "-m", help="The model.")] = None,
    level: Annotated[Level, typer.Option("--level", help="How hard it thinks.")] = Level.low,
    yolo: Annotated[bool, typer.Option("--yolo", "-y", help="Ask nothing.")] = False,
    thinking: Annotated[bool, typer.Option("--thinking/--no-thinking", help="Think first.")] = False,
    work_dir: Annotated[Optional[Path], typer.Option("--work-dir", "-w", help="The folder, told at a length for which the library needs more than one line of its frame, and then some.")] = None,
    secret: Annotated[bool, typer.Option("--secret", hidden=True)] = False,
    steps: Annotated[int, typer.Option("--steps", min=1, help="How many steps.")] = 10,
):
    """A tool."""


@app.command()
def run(
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="How many.")] = 4,
    agent: Annotated[Literal["default", "other"], typer.Option("--agent", help="Which agent.")] = "default",
    name: Annotated[str, typer.Option("--name", help="The name.")] = ...,
):
    """Run it."""


@mcp.command("add")
def add(transport: Annotated[str, typer.Option("--transport", "-t", help="How it is reached.")] = "stdio"):
    """Add one."""


@mcp.command("list")
def list_(all_: Annotated[bool, typer.Option("--all", help="Also what is off.")] = False):
    """List them."""


if __name__ == "__main__":
    app(prog_name="tool")
