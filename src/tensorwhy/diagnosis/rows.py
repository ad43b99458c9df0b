"""The words of a rule as data: one row for each variant of a fact, with places for what the program calls things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Certainty, Fix, Severity, TensorRef

Mark = tuple[str, str, str]
"""A place by its name in the fact, what stands under it, and its role."""


class Row(NamedTuple):
    """What is said of one variant: the message, the label at the primary line, and what to do.

    `at` are the places for the primary line, of which the first one that is known is taken, with its own label;
    `beside` are the other places to show.
    """

    message: str
    label: str = ""
    fixes: tuple[Fix, ...] = ()
    at: tuple[Mark, ...] = ()
    beside: tuple[Mark, ...] = ()
    certainty: Certainty = "proved"
    severity: Severity | None = None

    def filled(self, names: Mapping[str, object]) -> Row:
        """Return the row with the program's own words in it."""
        return self._replace(
            message=self.message.format_map(names),
            label=self.label.format_map(names),
            fixes=filled(self.fixes, names),
            beside=tuple((place, label.format_map(names), role) for place, label, role in self.beside),
        )

    def evidence(
        self,
        names: Mapping[str, object],
        places: Mapping[str, Location | None],
        about: tuple[TensorRef, ...] = (),
        within_lines: bool = False,
    ) -> Evidence | None:
        """Return the filled row at its places; None where no primary line is known.

        `about` are the tensors that it speaks of. With `within_lines`, two places of one line are both shown.
        """
        known = ((place, mark) for mark in self.at if (place := places[mark[0]]) is not None)
        place, at = next(known, (None, ("", "", "")))
        if place is None:
            return None
        row = self._replace(label=at[1]).filled(names)
        primary = Marked.at(place, row.label, at[2])
        parts = slice(None) if within_lines else slice(2)
        beside = ((places[name], label, role) for name, label, role in row.beside)
        return Evidence(
            message=row.message,
            primary=primary,
            related=tuple(
                Marked.at(place, label, role)
                for place, label, role in beside
                if place is not None and label and _range(place)[parts] != _range(primary)[parts]
            ),
            certainty=row.certainty,
            severity=row.severity,
            source=about[0] if about else None,
            also=about[1:],
            fixes=row.fixes,
        )


def _range(place: Location) -> tuple[object, ...]:
    return place.file, place.line, place.column, place.end_line, place.end_column


def filled(fixes: tuple[Fix, ...], names: Mapping[str, object]) -> tuple[Fix, ...]:
    """Return fixes with the program's own words in them."""
    return tuple(Fix(summary=each.summary.format_map(names), caveat=each.caveat.format_map(names)) for each in fixes)
