"""The condition under which a library raised, with its values and what they came from."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tensorwhy.adapters.refusal import anatomy, relation, telling, way
from tensorwhy.adapters.refusal.anatomy import Anatomy
from tensorwhy.adapters.refusal.candidates import Candidate
from tensorwhy.adapters.refusal.described import Described
from tensorwhy.adapters.refusal.relation import Side
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.refusal import Compared, RefusedObject, Thing
from tensorwhy.source.files import Sources

_STEPS = 2
"""So many steps of a computation lie between a side of a condition and the object that it was read from."""


class Conditions:
    """What one failure says of conditions."""

    def __init__(
        self, stack: Stack, sources: Sources, told: telling.Telling, describe: Callable[[Any], Described | None]
    ) -> None:
        self._stack, self._sources, self._telling, self._describe = stack, sources, told, describe

    def relation(self, read: Anatomy, candidates: Sequence[Candidate]) -> dict[str, Any]:
        """The values of both sides of the condition, each with what it came from."""
        found = read.relation
        if found is None or not found.sides:
            return {}
        return {"relation": found.kind, "sides": tuple(self._side(each, candidates) for each in found.sides)}

    def _side(self, side: Side, candidates: Sequence[Candidate]) -> Compared:
        thing = self._behind_side(side, candidates)
        found = way.of_dtype(side.value, self._stack, self._sources) if thing is None else None
        if found is None:
            return Compared(text=side.text, value=side.value, thing=thing)
        thing = self._telling.thing(found.held, self._describe(found.held), found)
        return Compared(text=f"{thing.text}.dtype", value=side.value, thing=thing)

    def _behind_side(self, side: Side, candidates: Sequence[Candidate]) -> Thing | None:
        """The object of the program's that one side of the condition was read from."""
        texts = {ast.unparse(each) for each in relation.names(side.node)} - {"self", "cls"}
        for _ in range(_STEPS):
            fitting = [
                each
                for each in candidates
                if each.read.text in texts and (each.arrival is not None or (each.described and each.described.made))
            ]
            best = max(fitting, key=lambda each: each.weight, default=None)
            if best is not None:
                return self._telling.thing(best.read.thing, best.described, best.arrival)
            frames = {self._stack.frames[each.read.frame].frame: each.read.frame for each in candidates}
            texts = {
                ast.unparse(node)
                for index in frames.values()
                for text in texts
                for node in anatomy.computed_from(text, self._stack.frames[index], self._sources)
            } - {"self", "cls"}
        return None

    def compared(self, read: Anatomy, candidates: Sequence[Candidate]) -> RefusedObject | None:
        """The condition itself with its values, where it does not tell whose object it is about.

        Nothing where both sides are mere numbers, which the exception tells as well.
        """
        told = self.relation(read, candidates)
        sides: Sequence[Compared] = told.get("sides", ())
        if not any(
            each.thing is not None or any(sign.isalpha() or sign == "(" for sign in each.value) for each in sides
        ):
            return None
        return self._condition(read, told)

    def bare(self, read: Anatomy) -> RefusedObject | None:
        """The condition with its values, whatever they are."""
        return self._condition(read, self.relation(read, ()))

    def _condition(self, read: Anatomy, told: dict[str, Any]) -> RefusedObject | None:
        own = self._stack.own
        if own is None or own.location is None or not read.condition:
            return None
        if is_standard(self._stack.frames[read.frame]):
            return None
        return RefusedObject(
            thing=Thing(what="condition"),
            used=own.location,
            call=self._telling.called(own),
            how="condition",
            by=telling.name(self._stack.frames[read.frame]),
            condition=read.condition,
            known=read.known,
            **told,
        )


def is_standard(frame: Frame) -> bool:
    """Return whether this is Python's own library, which says itself what it cannot take."""
    return frame.module.partition(".")[0] in sys.stdlib_module_names
