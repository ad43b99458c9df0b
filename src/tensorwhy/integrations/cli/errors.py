"""Bad input, said in one line: what was required, what was received, what to do."""

from __future__ import annotations

import click


class BadInput(click.ClickException):
    """Exit code 2 with one line on standard error."""

    exit_code = 2
