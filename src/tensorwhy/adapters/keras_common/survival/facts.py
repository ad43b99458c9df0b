"""Turns what files left as it was into facts."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common.learning.untracked import set_at
from tensorwhy.adapters.keras_common.survival import loads
from tensorwhy.adapters.keras_common.survival.loads import Load
from tensorwhy.adapters.keras_common.survival.states import State
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.variables import NotRestored
from tensorwhy.model.report import Symptom
from tensorwhy.recording import locations
from tensorwhy.source.files import Sources


def facts(_: object) -> Iterator[CaseGroup]:
    """One group for each file and each kind of state that it left as it was."""
    sources, told = Sources(), set()
    for load in loads.LOADS:
        kinds: dict[tuple[object, ...], list[State]] = {}
        for state in load.left:
            kinds.setdefault((state.listed, state.owner, state.attribute), []).append(state)
        for group in kinds.values():
            fact = _fact(load, group, sources)
            if fact not in told:
                told.add(fact)
                yield CaseGroup(symptom=Symptom(kind="silent", location=fact.restored_at), facts=(fact,))


def _fact(load: Load, group: list[State], sources: Sources) -> NotRestored:
    first = group[0]
    plain = not first.listed and not first.handle
    held_at = set_at(first.owner, first.attribute, sources) if first.owner is not None else None
    return NotRestored(
        why=("named" if first.attribute else "unsaved")
        if load.whole and first.listed
        else "late"
        if load.late
        else "plain"
        if plain
        else "untracked"
        if not first.listed
        else "renamed"
        if load.unused
        else "absent",
        names=tuple(dict.fromkeys(state.name for state in group)),
        made=first.made,
        model=load.model,
        restored_at=locations.resolve(*load.place) if load.place is not None else None,
        saved_at=locations.resolve(*load.saved_at) if load.saved_at is not None else None,
        held_at=held_at,
        container=first.container,
        attribute=first.attribute,
        in_file=load.unused,
        partial=load.partial,
    )
