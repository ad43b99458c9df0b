"""`tensorwhy run`: what is checked before the program starts. `runner` runs it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from tensorwhy import rendering
from tensorwhy.integrations.cli import selection
from tensorwhy.integrations.cli.errors import not_empty
from tensorwhy.integrations.cli.output import checked, verbose
from tensorwhy.recording.importing import uncollected

if TYPE_CHECKING:
    from tensorwhy.pipeline.ask import Question


def questions(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[Question, ...]:
    """Read what is asked about, before the program starts."""
    if not value:
        return ()
    from tensorwhy.pipeline.ask import parse

    try:
        return tuple(map(parse, value))
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


@click.command(
    "run",
    short_help="Run a program, and explain what it lost.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    options_metavar="[OPTIONS] [-m]",
)
@click.option("-m", "module", is_flag=True, help="Run PROGRAM as a module, as `python -m` does.")
@click.option(
    "--format", "format_name", type=click.Choice(rendering.formats()), default="terminal", show_default=True,
    help="The format of the explanation.",
)  # fmt: skip
@click.option(
    "--output", metavar="FILE", callback=not_empty, help="Write the explanation to this file instead of standard error."
)
@click.option(
    "--record", type=click.Choice(["auto", "full", "off"]), default="auto", show_default=True,
    help="How much to record: `auto` pauses once every gradient call is known, `full` never pauses, `off` records "
        "nothing (exceptions are still explained).",
)  # fmt: skip
@click.option(
    "--keep-steps", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N",
    help="Keep the last N recorded steps, and the steps in which a gradient was lost.",
)  # fmt: skip
@click.option(
    "--trace", metavar="DIR", callback=not_empty,
    help="Also write a trace to this folder, for `tensorwhy report` and other tools.",
)  # fmt: skip
@click.option(
    "--ask", multiple=True, metavar="FILE:LINE|NAME", callback=questions,
    help="Show the whole chain of a line, a variable or a layer, even if it is not broken. Can be repeated.",
)  # fmt: skip
@click.option(
    "--children",
    is_flag=True,
    help="Also observe Python processes that the program starts, and report on all of them together.",
)
@click.option("--no-experiments", is_flag=True, help="Do not verify explanations by experiment.")
@click.option("--rehearse", type=click.Path(), hidden=True, help="The request and the result of a run of `fix` (JSON).")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning"]),
    help="Exit with status 1 if the program succeeds but there is a finding of this severity or higher.",
)  # fmt: skip
@selection.options
@verbose
@click.argument("program", callback=not_empty)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@uncollected()
def command(
    module: bool,
    format_name: str,
    output: str | None,
    record: str,
    keep_steps: int,
    trace: str | None,
    ask: tuple[Question, ...],
    children: bool,
    no_experiments: bool,
    rehearse: str | None,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    verbose: bool,
    program: str,
    arguments: tuple[str, ...],
) -> Callable[[], None] | int:
    """Run PROGRAM with its ARGUMENTS and explain lost gradients, histories and graphs.

    The program runs as it does under plain python, and its exit code is the command's.
    """
    from tensorwhy.integrations.cli import target as targets
    from tensorwhy.integrations.cli import traces
    from tensorwhy.integrations.cli.runner import Run, Settings

    destination = checked(format_name, output, verbose=verbose)
    try:
        target = targets.module(program, arguments) if module else targets.script(program, arguments)
    except targets.Refused:
        return targets.run_by_python(module, program, arguments)
    if children and trace is None:
        trace = tempfile.mkdtemp(prefix="tensorwhy-")
    if trace is not None:
        traces.check_writable(trace)
    settings = Settings(
        record=record,
        keep_steps=keep_steps,
        experiments=not no_experiments,
        fail_on=fail_on,
        trace=trace,
        rehearse=rehearse,
        selection=selection.selection(select, ignore),
        ask=ask,
        children=children,
    )
    return Run(target, destination, settings).start
