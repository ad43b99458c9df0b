"""Questions of tapes that were opened while recording rested: of these only the tape itself can tell something.

An exception that follows from a None ends the program before such a step is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.lineage.counterparts import bare, counterparts, same_kind
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import Gap, Unused
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import Symptom


class Unrecorded:
    """By the place of each call site: the first such question with a None, and the variables that its tape saw used."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[GradientQuestion, tuple[Variable, ...]]] = {}
        self._over: set[int] = set()

    def note(self, place: int, tape: Any, question: Callable[[], GradientQuestion], know: Callable[[Any], Any]) -> None:
        """Remember what a tape saw used, which has just answered with a None."""
        from tensorflow.python import pywrap_tfe

        if place not in self._asked:
            seen = pywrap_tfe.TFE_Py_TapeWatchedVariables(tape)
            self._asked[place] = question(), tuple(know(each) for each in seen if resource(each) is not None)

    def answered(self, place: int) -> None:
        """An answer without a None: the program went on after the one before."""
        if place in self._asked:
            self._over.add(place)

    def groups(self, recorded: set[int], unnamed: frozenset[str]) -> Iterator[CaseGroup]:
        """For the call sites of which no step with a None was recorded: where another copy of the weights was used.

        Else what the tape saw, which explains nothing.
        """

        def alike(source: Source, other: Variable) -> bool:
            return same_kind(source, other) and bare(source.name) == bare(other.name) not in unnamed

        for place, (question, seen) in self._asked.items():
            if place in recorded:
                continue
            free = [each for each in seen if each.trainable and each.tensor not in question.all_sources]
            pairs = counterparts(question.sources, free, alike)
            symptom = Symptom(kind="none-gradient", location=question.location)
            known = {each.tensor for each in seen}
            for source in question.sources if pairs or place not in self._over else ():
                gap = Gap(rested=True, recorder_saw=source.tensor in known if source.variable else None)
                fact = Unused(kind="unexplained", question=question, sources=(source,), gap=gap)
                if pairs:
                    instead = (pairs[source.tensor],)
                    fact = msgspec.structs.replace(fact, kind="unused", gap=None, instead=instead, exact=False)
                yield CaseGroup(symptom=symptom, facts=(fact,), asked=True)
        self._asked.clear()
