import click


@click.group()
@click.option("-m", "--model", help="The model.")
@click.option("--level", type=click.Choice(["low", "high"]), default="low", show_default=True, help="How hard it thinks, told at some length so that the library has to wrap it.")
@click.option("--color/--no-color", default=True, help="In colour.")
@click.option("-v", "--verbose", is_flag=True, help="Say more.")
@click.option("--secret", hidden=True)
@click.option("--count", type=click.IntRange(1, 5), help="How many.")
@click.option("--point", nargs=2, type=float, help="Where.")
@click.option("--file", "files", type=click.Path(), help="A file.")
def cli(**kwargs):
    """A tool."""


@cli.command()
@click.argument("what")
@click.option("-j", "--jobs", type=int, default=4, show_default=True, help="How many.")
@click.option("--old", is_flag=True, help="Deprecated: use --jobs.")
def run(**kwargs):
    """Run it."""


@cli.group()
def mcp():
    """Servers."""


@mcp.command("add")
@click.option("--scope", type=click.Choice(["user", "project"]), help="Where it is kept.")
@click.option("--header", "-H", help="A header.")
def add(**kwargs):
    """Add one."""


if __name__ == "__main__":
    cli(prog_name="tool")
