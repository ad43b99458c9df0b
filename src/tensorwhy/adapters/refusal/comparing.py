"""The condition under which a library raised, with its values and what they came from."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from tensorwhy.adapters.refusal import anatomy, relation, way
from tensorwhy.adapters.refusal.anatomy import Anatomy
from tensorwhy.adapters.refusal.candidates import Candidate
from tensorwhy.adapters.refusal.context import Context, is_standard
from tensorwhy.adapters.refusal.relation import Side
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import Check, Compared, RefusedObject, Thing

_STEPS = 2
"""So many steps of a computation lie between a side of a condition and the object that it was read from."""


class Conditions:
    """What one failure says of conditions."""

    def __init__(self, context: Context) -> None:
        self._case, self._stack, self._sources = context, context.stack, context.sources

    def check(self, read: Anatomy, candidates: Sequence[Candidate]) -> Check:
        """The condition with the values of both its sides, each with what it came from."""
        found = read.relation
        frame = self._stack.frames[read.frame]
        sides = tuple(self._side(each, candidates, frame) for each in found.sides) if found is not None else ()
        check = read.check(self._stack)
        return (
            msgspec.structs.replace(check, relation=found.kind, sides=sides) if found is not None and sides else check
        )

    def _side(self, side: Side, candidates: Sequence[Candidate], frame: Frame) -> Compared:
        behind = self._behind_side(side, candidates)
        thing = self._case.thing(behind.read.thing, behind.described, behind.arrival) if behind is not None else None
        if behind is not None and behind.part and thing is not None:
            return Compared(text=f"{thing.text or thing.name}.{behind.part}", value=side.value, thing=thing)
        own = self._setting(side, frame) if thing is None else None
        if own is not None:
            return own
        found = way.of_dtype(side.value, self._stack, self._sources) if thing is None else None
        if found is None:
            return Compared(text=side.text, value=side.value, thing=thing)
        thing = self._case.thing(found.held, self._case.describe(found.held), found)
        return Compared(text=f"{thing.text}.dtype", value=side.value, thing=thing)

    def _setting(self, side: Side, frame: Frame) -> Compared | None:
        """A setting of the object whose method asked, where the program has a name for that, and created it."""
        root, _, attribute = side.text.partition(".")
        held = frame.local("self") if root == "self" and attribute.isidentifier() else None
        if held is None:
            return None
        thing = self._case.thing(held, self._case.describe(held), None)
        return Compared(text=f"{thing.text}.{attribute}", value=side.value, thing=thing) if thing.made else None

    def _behind_side(self, side: Side, candidates: Sequence[Candidate]) -> Candidate | None:
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
                return best
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
        told = self.check(read, candidates)
        if not any(
            each.thing is not None or any(sign.isalpha() or sign == "(" for sign in each.value) for each in told.sides
        ):
            return None
        return self._condition(read, told)

    def bare(self, read: Anatomy) -> RefusedObject | None:
        """The condition with its values, whatever they are."""
        return self._condition(read, self.check(read, ()))

    def _condition(self, read: Anatomy, told: Check) -> RefusedObject | None:
        own = self._stack.own
        if own is None or own.location is None or not read.condition:
            return None
        if is_standard(self._stack.frames[read.frame]):
            return None
        return RefusedObject(
            thing=Thing(what="condition"),
            used=own.location,
            call=self._case.called(own),
            how="condition",
            check=told,
        )
