"""`tensorwhy explain`: the catalogue, read from its folders."""

from __future__ import annotations

import difflib
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

import click

from tensorwhy.integrations.cli.errors import BadInput

if TYPE_CHECKING:
    from tensorwhy.diagnosis.reason import Reason


@click.command("explain", short_help="Explain a reason: what it means, and how to fix it.")
@click.argument("reason", required=False, metavar="CODE|SLUG")
@click.option("--list", "list_all", is_flag=True, help="List all reasons.")
def command(reason: str | None, list_all: bool) -> None:
    """Explain a reason: what it means, how to confirm it, and how to fix it."""
    from tensorwhy import reasons

    if list_all:
        width = max((len(each.meta.slug) for each in reasons.catalogue()), default=0)
        for each in reasons.catalogue():
            click.echo(_entry(f"{each.meta.code}  {each.meta.slug:<{width}}  ", each.meta.summary))
        return
    if reason is None:
        raise BadInput("explain needs a code or a slug, such as TW102; `tensorwhy explain --list` shows all")
    _show(wanted(reason).page())


def wanted(reason: str) -> Reason:
    """The reason with this code or slug. Raises BadInput."""
    from tensorwhy import reasons

    found = reasons.find(reason)
    if found is None:
        known = [name for each in reasons.catalogue() for name in (each.meta.code, each.meta.slug)]
        near = difflib.get_close_matches(reason, known, n=1) or difflib.get_close_matches(reason.upper(), known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadInput(f"there is no reason {reason!r}: {hint}`tensorwhy explain --list` shows all")
    return found


def _entry(head: str, summary: str) -> str:
    """One line for other programs; as many as it takes in a terminal."""
    columns = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or columns < 2 * len(head):
        return head + summary
    return textwrap.fill(summary, min(columns, 120), initial_indent=head, subsequent_indent=" " * len(head))


def _show(markdown: str) -> None:
    if not sys.stdout.isatty():
        click.echo(markdown.rstrip())
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(markdown), width=min(console.width, 100))
