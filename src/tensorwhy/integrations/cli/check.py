"""`tensorwhy check`: what can be known without running anything.

Exit code: 0 when no error and no warning was found (or all of them were repaired), 1 when there are some, 2 for bad
input, and when a file could not be read.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tensorwhy import rendering
from tensorwhy.integrations.cli import edits, selection
from tensorwhy.integrations.cli.errors import not_empty
from tensorwhy.rendering import paths as naming

if TYPE_CHECKING:
    from tensorwhy.experiments.repair import Changed
    from tensorwhy.model.report import Edit, Report


@click.command("check", short_help="Find certain errors in source files, without running them.")
@click.option(
    "--format", "format_name", type=click.Choice(rendering.formats()), default="terminal", show_default=True,
    help="The format of the report.",
)  # fmt: skip
@click.option(
    "--output", metavar="FILE", callback=not_empty, help="Write the report to this file instead of standard output."
)
@selection.options
@click.option("--exclude", multiple=True, metavar="GLOB", help="Skip these files in folders. Can be repeated.")
@click.option("--fix", is_flag=True, help="Apply the proposed edits and report what is left.")
@click.option("--diff", is_flag=True, help="Show the edits that `--fix` would apply, without writing them.")
@click.option(
    "--exit-zero",
    is_flag=True,
    help="Exit with status 0 even if something was found (still with 2 if a file could not be read).",
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
def command(
    format_name: str,
    output: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exclude: tuple[str, ...],
    fix: bool,
    diff: bool,
    exit_zero: bool,
    paths: tuple[str, ...],
) -> int:
    """Find errors that are certain in the source of Python files, notebooks and folders, without running anything.

    Reports only what fails whenever the line runs. A run finds much more. A line that ends in `# noqa` or
    `# noqa: TW101` is ignored. PATH defaults to the current folder.
    """
    from tensorwhy.integrations.cli.limits import limit_memory
    from tensorwhy.integrations.cli.output import checked, complain
    from tensorwhy.integrations.cli.trees import source_files
    from tensorwhy.pipeline.checking import check

    destination = checked(format_name, output, stream="stdout")
    limit_memory()
    wanted = selection.selection(select, ignore)
    given = paths or (".",)
    files = source_files(given, exclude)
    named = {os.path.abspath(path) for path in paths if not os.path.isdir(path)}
    folder = _folder(files)
    edits.after_interruption(folder, fix, "check --fix", complain)
    report = wanted.of(check(files, given[0], given[1:], named))
    if fix or diff:
        changed, left = _changed(report, folder)
        for words in left:
            complain(words)
        if diff:
            edits.show(changed, folder)
            for each in report.coverage.unread:
                complain(f"error: {naming.unread(each, os.getcwd())}")
            return _exit_code(report, exit_zero)
        if changed.after:
            edits.write(changed, folder, lambda file: file in files and _as_analysed(file), "check --fix")
            linecache.clearcache()
            complain(f"wrote {', '.join(edits.shown(file, os.getcwd()) for file in changed.after)}; nothing was run")
            report = wanted.of(check(files, given[0], given[1:], named))
    destination.write(report)
    return _exit_code(report, exit_zero)


def _exit_code(report: Report, exit_zero: bool) -> int:
    """What was found can be waved through, what could not be looked at cannot."""
    return 2 if report.coverage.unread else int(not exit_zero and report.fails("warning"))


def _folder(files: Sequence[str]) -> str:
    """Where all of the files lie: here, if that holds them all."""
    here = os.getcwd()
    if all(edits.inside(file, here) for file in files):
        return here
    common = os.path.commonpath(files)
    return common if os.path.isdir(common) else os.path.dirname(common)


def _changed(report: Report, folder: str) -> tuple[Changed, list[str]]:
    """The first edit that each diagnosis proposes, as far as they can be made together, and words about the others."""
    from tensorwhy.experiments.repair import Files
    from tensorwhy.fixes.patch import Conflict

    files, left = Files(folder), []
    kept: list[Edit] = []
    for diagnosis in report.diagnoses:
        edit = next((fix.edits for fix in diagnosis.fixes if fix.edits), ())
        if diagnosis.severity == "note" or not edit:
            continue
        try:
            files.changed([*kept, *edit])
        except Conflict as error:
            left.append(f"{diagnosis.code} was not fixed: {error}")
            continue
        kept += edit
    return files.changed(kept), left


def _as_analysed(file: str) -> bool:
    """Return whether a file still holds the text that was read for the report."""
    from tensorwhy.fixes.patch import SourceFile
    from tensorwhy.recording import regular_files
    from tensorwhy.source.files import Sources

    try:
        text = SourceFile.decoded(regular_files.read(file)).text
    except (OSError, SyntaxError, UnicodeError):
        return False
    return text.splitlines() == Sources().text(file).splitlines()
