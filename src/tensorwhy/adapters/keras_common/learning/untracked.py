"""Turns what no gradient was asked for into facts: one per variable of the user, one per layer."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning.holders import Held
from tensorwhy.adapters.keras_common.learning.training import TrainingWatch, Unasked
from tensorwhy.model.facts.variables import Holder, Holding, Untracked
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def facts(session: Any, generation: int) -> Iterator[Untracked]:
    """State that the training of a Keras model read and never reached."""
    watch: TrainingWatch = session.training
    sources = Sources()
    layers: dict[tuple[str, Location | None, str], list[Unasked]] = {}
    for found in watch.unasked():
        if found.changed:
            continue
        if found.owner_name or found.passing:
            place = found.made if found.passing else found.owner_made
            layers.setdefault((found.owner_name, place, found.model_name), []).append(found)
        else:
            yield _fact(found, 1, sources, generation, watch.user)
    for group in layers.values():
        yield _fact(group[0], len(group), sources, generation, watch.user)


def _fact(found: Unasked, weights: int, sources: Sources, generation: int, user: UserCode) -> Untracked:
    held = found.held
    barrier = held.barrier if held is not None else ""
    layer = bool(found.owner_name) or found.passing
    held_at = _held_at(found, sources)
    fact = Untracked(
        what="layer" if layer else "variable",
        name=found.owner_name or ("" if found.passing else _name(found, sources)),
        made=found.owner_made if found.owner_name else found.made,
        model=found.model,
        trained_at=found.trained_at,
        held=Holding(
            by=_holder(held, barrier),
            path=held.path if held is not None else "",
            container=barrier,
            at=held_at,
            owner=held.owner.__name__ if held is not None else "",
            looker="Keras",
        ),
        weights=weights,
        unchanged=None if found.changed is None else not found.changed,
        foreign=not layer and generation >= 3,
    )
    if layer or held_at is None or user.owns(held_at.file):
        return fact
    # A class of a library makes it: the user's line makes an object of that class, and names the object.
    names = sources.names(held_at)
    name = names[0] if len(names) == 1 else fact.held.path or fact.name
    holding = msgspec.structs.replace(fact.held, at=None)
    return msgspec.structs.replace(fact, name=name, made=held_at, held=holding, made_by=fact.made)


def _holder(held: Held | None, barrier: str) -> Holder:
    if held is None:
        return "nothing"
    if not barrier or barrier == "function":
        return "function" if barrier else "attribute"
    given = barrier.startswith("object") and packages.is_keras_module(held.owner.__module__)
    return "object" if given else "container"


def _name(found: Unasked, sources: Sources) -> str:
    names = sources.names(found.made) if found.made is not None else ()
    exact = sources.name(found.made) if found.made is not None else ""
    return exact or (names[0] if len(names) == 1 else found.name.partition(":")[0])


def _held_at(found: Unasked, sources: Sources) -> Location | None:
    """Where the user's class first sets this attribute of itself; for a layer of Keras's own, where it was made."""
    if found.held is None:
        return None
    own = packages.is_keras_module(found.held.owner.__module__)
    place = None if own else set_at(found.held.owner, found.held.attribute, sources)
    return place or found.held_made


def set_at(owner: type, attribute: str, sources: Sources) -> Location | None:
    """Where a class of the user's first sets an attribute of its objects."""
    try:
        file = inspect.getsourcefile(owner)
    except (TypeError, OSError):
        return None
    tree = sources.tree(file) if file else None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
            for each in ast.walk(node):
                if not isinstance(each, ast.Assign):
                    continue
                for target in each.targets:
                    if isinstance(target, ast.Attribute) and target.attr == attribute:
                        return reading.where(each, file or "", owner.__name__, sources)
    return None
