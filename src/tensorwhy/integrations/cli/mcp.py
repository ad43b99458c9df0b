"""`tensorwhy mcp`: a server for assistants over standard input and output. Needs `tensorwhy[mcp]`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile

import click

import tensorwhy
from tensorwhy.integrations.cli.errors import BadInput, not_empty

_WHERE = "import tensorwhy; print(tensorwhy.__file__)"


@click.command("mcp", short_help="Serve assistants (Model Context Protocol).")
@click.option(
    "--root", metavar="DIR", default=".", show_default=True, callback=not_empty,
    help="The folder whose programs may be run and whose files `apply_fix` may change.",
)  # fmt: skip
@click.option(
    "--python", metavar="FILE", callback=not_empty,
    help="The Python interpreter that has your framework and tensorwhy, if it is not this one.",
)  # fmt: skip
@click.option(
    "--time-limit", type=click.FloatRange(min=1), default=300.0, show_default=True, metavar="SECONDS",
    help="The time limit of one call.",
)  # fmt: skip
def command(root: str, python: str | None, time_limit: float) -> int:
    """Serve the Model Context Protocol over standard input and output, for assistants.

    The tools run programs, explain reasons, check sources, and propose and apply fixes. It opens no network connection.
    """
    if not os.path.isdir(root):
        raise BadInput(f"--root {root}: no such folder")
    try:
        from tensorwhy.integrations.assistants.server import serve
    except ImportError as error:
        raise BadInput(
            f"the package `mcp`, version 2 or later, cannot be imported by {sys.executable} ({error}); "
            "run `pip install tensorwhy[mcp]`"
        ) from None
    from tensorwhy.integrations.assistants.workspace import Workspace

    tool = _tool(python)
    if sys.stdin is not None and sys.stdin.isatty():
        print("tensorwhy: waiting for an assistant on standard input; Ctrl+C ends it", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # ends the program that is running, too
    serve(Workspace(root, python or sys.executable, tool, time_limit))
    return 0


def _tool(python: str | None) -> str:
    """The file that this Python runs as tensorwhy. Raises BadInput where it cannot."""
    if python is None:
        return os.path.join(os.path.dirname(tensorwhy.__file__), "__main__.py")
    with tempfile.TemporaryDirectory() as folder:  # from a folder of the user's, Python would import the user's modules
        try:
            done = subprocess.run(
                [python, "-c", _WHERE], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=60, check=False,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            raise BadInput(f"--python {python}: cannot be run ({error})") from None
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise BadInput(
            f"--python {python}: tensorwhy cannot be imported there ({last}); install it next to the framework"
        )
    return os.path.join(os.path.dirname(done.stdout.strip().rpartition("\n")[2]), "__main__.py")
