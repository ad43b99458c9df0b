"""`tensorwhy report`: what a saved trace says, all its workers together. Needs no framework."""

from __future__ import annotations

import click

from tensorwhy import rendering
from tensorwhy.integrations.cli.errors import BadInput, not_empty


@click.command("report")
@click.option(
    "--format", "format_name", type=click.Choice(rendering.formats()), default="terminal", show_default=True,
    help="How the report is written.",
)  # fmt: skip
@click.option(
    "--output", metavar="FILE", callback=not_empty, help="Write the report there instead of to standard output."
)
@click.option(
    "--fail-on", type=click.Choice(["error", "warning"]), help="Exit with 1 when something this grave was found."
)
@click.argument("folder", metavar="DIR", callback=not_empty)
def command(format_name: str, output: str | None, fail_on: str | None, folder: str) -> int:
    """Print the report of a trace that `tensorwhy run --trace DIR` wrote, by one worker or by many.

    DIR may also be the folder of one worker in it, or a URL that fsspec knows.
    """
    from tensorwhy import __version__
    from tensorwhy.integrations.cli.output import checked
    from tensorwhy.traces import merge, reader

    destination = checked(format_name, output, stream="stdout")
    try:
        report = merge.report(reader.workers(folder), __version__)
    except reader.BadTrace as error:
        raise BadInput(str(error)) from None
    destination.write(report)
    return int(report.fails(fail_on))
