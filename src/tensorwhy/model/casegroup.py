"""Facts that belong together, with what the user saw of them: what adapters hand to the diagnosis."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.refusal import RefusedObject
from tensorwhy.model.failure import Failure
from tensorwhy.model.report import LineageView, Symptom, TensorRef


class CaseGroup(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one question, one failure or one silent loss.

    `asked` says that the user's program really asked a question of lineage here (a gradient that came out as None):
    only then does "unexplained" make sense when no rule matches. `target` and `source` name what was asked about.
    `refused` is what a library could not take, which is told where no fact explains the failure. `lineage` draws it,
    for all groups of one question alike; it is made when a diagnosis needs it. It was seen so many `times` in so
    many recorded `steps` (0: unknown).
    """

    symptom: Symptom
    facts: tuple[Fact, ...] = ()
    failure: Failure | None = None
    refused: RefusedObject | None = None
    asked: bool = False
    target: TensorRef | None = None
    source: TensorRef | None = None
    lineage: Callable[[], LineageView] | None = None
    times: int = 1
    steps: int = 0
