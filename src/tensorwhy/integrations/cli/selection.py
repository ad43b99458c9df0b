"""Which reasons a command tells of: `--select` and `--ignore`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec
from click.core import ParameterSource

from tensorwhy.integrations.cli.errors import BadInput

if TYPE_CHECKING:
    from tensorwhy.model.report import Report

_Decorated = TypeVar("_Decorated", bound=Callable[..., object])


class Selection(msgspec.Struct, frozen=True):
    """The codes that were selected (none: all of them), and those that are ignored."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    def wants(self, code: str) -> bool:
        """Return whether a reason is told of."""
        return code not in self.ignore and (not self.select or code in self.select)

    def of(self, report: Report) -> Report:
        """Return the report with only the diagnoses that are wanted."""
        kept = tuple(each for each in report.diagnoses if self.wants(each.code))
        if len(kept) == len(report.diagnoses):
            return report
        return msgspec.structs.replace(report, diagnoses=kept)


def options(command: _Decorated) -> _Decorated:
    """Add `--select` and `--ignore` to a command."""
    for name, words in (("--ignore", "Do not report this reason"), ("--select", "Report only this reason")):
        command = click.option(name, multiple=True, metavar="CODE", help=f"{words} (a code or slug). Can be repeated.")(
            command
        )
    return command


def selection(select: Sequence[str], ignore: Sequence[str]) -> Selection:
    """Return what the options, or the project's configuration, name. Raise BadInput for what is no reason.

    A reason that the command line selects is told of although the project ignores it.
    """
    context = click.get_current_context(silent=True)
    if context is not None and context.get_parameter_source("select") is ParameterSource.COMMANDLINE:
        ignore = () if context.get_parameter_source("ignore") is ParameterSource.DEFAULT_MAP else ignore
    return Selection(_codes("select", select), _codes("ignore", ignore))


def _codes(option: str, names: Sequence[str]) -> frozenset[str]:
    if not names:
        return frozenset()
    from tensorwhy import reasons

    found = set()
    for name in names:
        reason = reasons.find(name)
        if reason is None:
            raise BadInput(f"`{option}` {name}: there is no such reason; `tensorwhy explain --list` shows all")
        found.add(reason.meta.code)
    return frozenset(found)
