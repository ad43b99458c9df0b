"""`tensorwhy report`: what a saved trace or a saved report says, in any format. Needs no framework."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tensorwhy import rendering
from tensorwhy.integrations.cli import selection
from tensorwhy.integrations.cli.errors import BadInput, not_empty
from tensorwhy.integrations.cli.output import checked, verbose

if TYPE_CHECKING:
    from tensorwhy.model.report import Report


@click.command("report", short_help="Print the report of a trace, or a saved report.")
@click.option(
    "--format", "format_name", type=click.Choice(rendering.formats()), default="terminal", show_default=True,
    help="The format of the report.",
)  # fmt: skip
@click.option(
    "--output", metavar="FILE", callback=not_empty, help="Write the report to this file instead of standard output."
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="Exit with status 1 on a finding of this severity or higher.",
)
@selection.options
@verbose
@click.argument("source", metavar="DIR|FILE", callback=not_empty)
def command(
    format_name: str,
    output: str | None,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    verbose: bool,
    source: str,
) -> int:
    """Print the report of a trace that `tensorwhy run --trace DIR` wrote, by one worker or by many.

    DIR may also be the folder of one worker in it, or a URL that fsspec knows. FILE is a report that was written with
    `--format json`.
    """
    from tensorwhy.integrations.cli.limits import limit_memory

    destination = checked(format_name, output, stream="stdout", verbose=verbose)
    wanted = selection.selection(select, ignore)
    limit_memory()
    report = _saved(source) if os.path.isfile(source) else _merged(source)
    report = wanted.of(report)
    destination.write(report)
    return int(report.fails(fail_on))


_LARGEST = 32 << 20
"""Bytes of a saved report."""


def _saved(file: str) -> Report:
    import msgspec

    from tensorwhy.model.report import Report
    from tensorwhy.recording import regular_files

    try:
        return msgspec.json.decode(regular_files.read(file, _LARGEST), type=Report)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror})") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(
            f"{file}: is not a report ({error}); pass a file that `--format json` wrote, or the folder of a trace"
        ) from None


def _merged(folder: str) -> Report:
    from tensorwhy import __version__
    from tensorwhy.pipeline.unfinished import explained
    from tensorwhy.traces import merge, reader

    try:
        return merge.report(reader.workers(folder), __version__, explained)
    except reader.BadTrace as error:
        raise BadInput(str(error)) from None
