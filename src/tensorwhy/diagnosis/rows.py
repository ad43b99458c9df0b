"""The words of a rule as data: one row for each variant of a fact, with places for what the program calls things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tensorwhy.model.report import Fix


class Row(NamedTuple):
    """What is said of one variant: the message, the label at the primary line, and what to do."""

    message: str
    label: str = ""
    fixes: tuple[Fix, ...] = ()

    def filled(self, names: Mapping[str, object]) -> Row:
        """Return the row with the program's own words in it."""
        return Row(self.message.format_map(names), self.label.format_map(names), filled(self.fixes, names))


def filled(fixes: tuple[Fix, ...], names: Mapping[str, object]) -> tuple[Fix, ...]:
    """Return fixes with the program's own words in them."""
    return tuple(Fix(summary=each.summary.format_map(names), caveat=each.caveat.format_map(names)) for each in fixes)
