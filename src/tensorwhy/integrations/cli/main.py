"""The `tensorwhy` command. Commands are found by name, one module each, and loaded when they are called.

A command returns an exit code, or something to call: `run` hands the program back this way, so that it starts with as
few frames below it as possible.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence

from tensorwhy.model.plain_text import one_line
from tensorwhy.recording.importing import uncollected

with uncollected():
    import click

    from tensorwhy.integrations import cli
    from tensorwhy.integrations.cli.errors import BadInput
    from tensorwhy.rendering import streams

_NOT_COMMANDS = (
    "config",
    "edits",
    "ending",
    "errors",
    "limits",
    "main",
    "output",
    "progress",
    "runner",
    "selection",
    "target",
    "traces",
    "trees",
)


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(cli.__path__) if module.name not in _NOT_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            if os.path.exists(cmd_name):
                raise BadInput(f"{cmd_name}: no such command; to run it as a program, use `tensorwhy run {cmd_name}`")
            return None
        with uncollected():
            command: click.Command = importlib.import_module(f"{cli.__name__}.{cmd_name}").command
        return command


def _show_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from tensorwhy import __version__

        click.echo(f"tensorwhy {__version__}")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def group(context: click.Context) -> None:
    """Explain, with evidence, why a gradient is None, zero or NaN, or why a tensor lost its history or its graph."""
    name = context.invoked_subcommand
    command = group.get_command(context, name) if name is not None else None
    if name is not None and command is not None:
        from tensorwhy.integrations.cli import config

        context.default_map = {name: config.defaults(command)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code; what the user's program raises comes out as it is."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        result = group.main(given, "tensorwhy", standalone_mode=False)
    except click.ClickException as error:
        return _refused(error.format_message().rstrip(".") + _advice(error))
    except click.Abort:
        return 130
    except BrokenPipeError:
        streams.let_go_of_output()
        return 141
    except MemoryError:
        return _refused("not enough memory; process less at once")
    except OSError as error:
        streams.let_go_of_output()
        at = f"{error.filename}: " if error.filename else "the output cannot be written: "
        return _refused(f"{at}{error.strerror or error}")
    if callable(result):
        # Nothing of ours but this function and the callee's is below the program in the stack.
        result()
        return 0
    return int(result or 0)


def _refused(reason: str) -> int:
    print(f"tensorwhy: error: {one_line(reason)}", file=sys.stderr)
    return 2


def _advice(error: click.ClickException) -> str:
    """What to do: our own errors say it, those of click name what was wrong."""
    context = getattr(error, "ctx", None)
    return f"; `{context.command_path} --help` shows the options" if context is not None else ""
