"""Bad input, said in one line: what was required, what was received, what to do."""

from __future__ import annotations

import click


class BadInput(click.ClickException):
    """Exit code 2 with one line on standard error."""

    exit_code = 2


def not_empty(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """For names of files and folders: a variable of the shell that is not set leaves an empty one."""
    if value == "":
        raise click.BadParameter("it is empty; is a shell variable not set?", context, parameter)
    return value
