"""A tensor was to be assigned to: its name stood for a variable, until a statement gave it something computed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.graphs import escapes, operands
from tensorwhy.model.facts.graph import Holder
from tensorwhy.model.facts.variables import AssignedTensor
from tensorwhy.recording import bindings
from tensorwhy.recording.sources import Sources

_METHODS = ("assign", "assign_add", "assign_sub")


def probe(live: LiveFailure) -> Iterator[AssignedTensor]:
    sources = Sources()
    for place in live.roots():
        error = place.exception
        tensor, method = getattr(error, "obj", None), getattr(error, "name", None)
        if not isinstance(error, AttributeError) or method not in _METHODS or not isinstance(tensor, tf.Tensor):
            continue
        for node in operands.nodes(place, sources):
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and each.attr == method:
                    yield from _overwritten(each.value, method, tensor, place, sources)
                    return


def _overwritten(
    owner: ast.expr, method: str, tensor: Any, place: UserStack, sources: Sources
) -> Iterator[AssignedTensor]:
    """Nothing where no statement gives that name a variable: then it never was one."""
    if operands.value_of(owner, place) is not tensor:
        return
    if isinstance(owner, ast.Attribute):
        held = Holder(kind="attribute", expression=ast.unparse(owner), steps=(), attribute=owner.attr)
        of_class = _classes(operands.value_of(owner.value, place), place, sources)
        made, computed = escapes.bound(held, (place.own.location.file,), sources)
        made = [each for each in made if any(first <= each.line <= last for first, last in of_class)]
    else:
        values = bindings.values(owner, place.own.frame, place.own.location, sources)
        at = [
            (
                escapes.makes_variable(value),
                bindings.where(value, place.own.location.file, place.own.location.function, sources),
            )
            for value in values
        ]
        made, computed = ([where for variable, where in at if variable is wanted] for wanted in (True, False))
    if made:
        yield AssignedTensor(
            name=ast.unparse(owner),
            method=method,
            used=place.own.location,
            made=made[0],
            rebound=computed[0] if len(computed) == 1 else None,
        )


def _classes(thing: Any, place: UserStack, sources: Sources) -> list[tuple[int, int]]:
    """The lines of this file in which the object's own classes stand."""
    names = {base.__name__ for base in type(thing).__mro__}
    tree = sources.tree(place.own.location.file)
    found = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)] if tree is not None else []
    return [(each.lineno, each.end_lineno or each.lineno) for each in found if each.name in names]
