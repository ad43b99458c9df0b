"""Lists of a layer that its own code changes, and that Keras makes anew whenever they are read.

`trainable_weights` of a layer is put together by a property: what is appended to it is gone at once.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.patches import quietly
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CHANGING = frozenset(("append", "extend", "insert", "remove", "pop", "clear"))
_MOST = 64


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each line that changes such a list, in the classes of living layers."""
    sources, seen = Sources(), set[type]()
    for layer in creations.live(("layer", "model")):
        cls = type(layer)
        if cls in seen or packages.native(layer) or packages.generation_of(layer) != generation:
            continue
        seen.add(cls)
        if len(seen) > _MOST:
            return
        for base in cls.__mro__:
            for method in vars(base).values() if not packages.is_keras_module(base.__module__) else ():
                yield from _in(method, layer, sources)


def _in(method: Any, layer: Any, sources: Sources) -> Iterator[Observed]:
    code = getattr(inspect.unwrap(method) if callable(method) else None, "__code__", None)
    lists = [name for name in code.co_names if _is_fresh(layer, name)] if code is not None else []
    if code is None or not lists:
        return
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    function = reading.definition(tree, code) if tree is not None else None
    for node in ast.walk(function) if function is not None else ():
        changed = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        held = changed.value if changed is not None and changed.attr in _CHANGING else None
        of_self = isinstance(held, ast.Attribute) and isinstance(held.value, ast.Name) and held.value.id == "self"
        if isinstance(node, ast.Call) and isinstance(held, ast.Attribute) and of_self and held.attr in lists:
            yield _told(node, held.attr, layer, code.co_filename, sources)


def _is_fresh(layer: Any, name: str) -> bool:
    """Return whether a name is a property of Keras's that gives another list each time."""
    owner = next((base for base in type(layer).__mro__ if name in vars(base)), None)
    if owner is None or not packages.is_keras_module(owner.__module__) or not isinstance(vars(owner)[name], property):
        return False
    one, other = (quietly(lambda: getattr(layer, name), None) for _ in range(2))
    return isinstance(one, list) and isinstance(other, list) and one is not other


def _told(call: ast.Call, name: str, layer: Any, file: str, sources: Sources) -> Observed:
    weights = "weights" in name or "variables" in name
    made = creations.made(layer)
    return Observed(
        slug="ignored-setting",
        message=f"`{ast.unparse(call)}` has no effect: Keras makes the list `{name}` anew each time it is read",
        label="changes a list that nobody else has",
        location=sources.place(file, call),
        related=(Marked.at(made, "the layer is created here", "made"),) if made is not None else (),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary="tell `add_weight(...)` with `trainable=True` or `trainable=False` what a weight is"
                if weights
                else f"set an attribute of your own instead, and leave `{name}` to Keras",
                caveat="a weight that was created with `add_weight` is in one of the lists already"
                if weights
                else "unless the changed list is not needed",
            ),
        ),
    )
