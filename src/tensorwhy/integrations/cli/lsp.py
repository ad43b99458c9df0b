"""`tensorwhy lsp`: the language server, over standard input and output. Needs `tensorwhy[lsp]`."""

from __future__ import annotations

import logging
import sys
from typing import BinaryIO, cast

import click

from tensorwhy.integrations.cli import selection
from tensorwhy.integrations.cli.errors import BadInput


@click.command("lsp", short_help="Serve editors (Language Server Protocol).")
@selection.options
@click.option("--stdio", is_flag=True, help="Use standard input and output (always the case).")
def command(select: tuple[str, ...], ignore: tuple[str, ...], stdio: bool) -> int:
    """Serve the Language Server Protocol over standard input and output, for editors.

    Shows what `tensorwhy check` finds while you edit a file, and the findings that
    `tensorwhy run --format lsp --output .tensorwhy/findings.json` wrote. It runs nothing and opens no network
    connection.
    """
    wanted = selection.selection(select, ignore)
    try:
        from tensorwhy.integrations.editors.server import made
        from tensorwhy.integrations.incoming import Framed
    except ImportError as error:
        raise BadInput(
            f"the package `pygls`, version 2 or later, cannot be imported by {sys.executable} ({error}); "
            "run `pip install tensorwhy[lsp]`"
        ) from None
    from tensorwhy.integrations.cli.limits import limit_memory

    if sys.stdin is not None and sys.stdin.isatty():
        print("tensorwhy: waiting for an editor on standard input; Ctrl+C ends it", file=sys.stderr, flush=True)
    limit_memory()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    made(wanted).start_io(stdin=cast(BinaryIO, Framed(sys.stdin.buffer)))
    return 0
