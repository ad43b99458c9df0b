"""What a walk needs of a lineage, so that walks and the index that they go over do not import each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from tensorwhy.lineage.rules import Rules
from tensorwhy.lineage.steps import Edge
from tensorwhy.lineage.tangents import Tangents
from tensorwhy.lineage.timeline import Timeline
from tensorwhy.model.optable import OpFacts
from tensorwhy.recording.journal import Event, Journal


class Rows(Protocol):
    """An index over a journal (`Lineage` is the one there is).

    `made` maps a tensor to the rows that made it, `dtype` to the number of its dtype.
    """

    journal: Journal
    rules: Rules
    timeline: Timeline
    tangents: Tangents
    made: dict[int, int | list[int]]
    dtype: dict[int, int]

    def makers(self, tensor: int) -> list[Event]:
        """The rows that made a tensor."""

    def edges(self, tensor: int, before: int) -> Iterable[Edge]:
        """All ways by which the value of a tensor came to be, from rows before `before`."""

    def facts(self, event: Event) -> OpFacts:
        """The differentiability of the operation of a row."""

    def given_none(self, event: Event) -> Collection[int]:
        """The inputs of a row for which its backward function returned None."""

    def op_name(self, event: Event) -> str:
        """The name of the operation of a row."""

    def is_differentiable(self, tensor: int) -> bool:
        """Return whether a tensor of this dtype can carry a gradient."""
