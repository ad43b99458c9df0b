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
    for node in _run(function.body, layer) if function is not None else ():
        changed = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        held = changed.value if changed is not None and changed.attr in _CHANGING else None
        of_self = isinstance(held, ast.Attribute) and isinstance(held.value, ast.Name) and held.value.id == "self"
        if not isinstance(node, ast.Call) or not isinstance(held, ast.Attribute) or not of_self:
            continue
        if held.attr in lists and not _is_in(node, getattr(layer, held.attr), layer):
            yield _told(node, held.attr, layer, code.co_filename, sources)


def _run(block: list[ast.stmt], layer: Any) -> Iterator[ast.AST]:
    """What surely runs of a method: of a branch only what an attribute of the layer chooses."""
    for each in block:
        if isinstance(each, ast.If):
            chosen = _value(each.test, layer)
            yield from _run(each.body if chosen else each.orelse, layer) if isinstance(chosen, bool) else ()
        elif isinstance(each, (ast.Expr, ast.Assign)):
            yield from ast.walk(each)


def _value(node: ast.expr, layer: Any) -> Any:
    """The value of a plain attribute of the layer, or of the opposite of one; None where that is not known."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        held = _value(node.operand, layer)
        return not held if isinstance(held, bool) else None
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return vars(layer).get(node.attr) if own and isinstance(node, ast.Attribute) else None


def _is_in(call: ast.Call, held: list[Any], layer: Any) -> bool:
    """Return whether what is added is in the list anyway."""
    given = [_value(each, layer) for each in call.args]
    return any(each is known for each in given if each is not None for known in held)


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
        message=f"`{ast.unparse(call)}` has no effect: Keras creates the list `{name}` anew each time it is read",
        label="changes only a copy of the list",
        location=sources.place(file, call),
        related=(Marked.at(made, "the layer is created here", "made"),) if made is not None else (),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary="pass `trainable=True` or `trainable=False` to `add_weight(...)` instead"
                if weights
                else f"set an attribute of your own instead, and leave `{name}` to Keras",
                caveat="a weight that was created with `add_weight` is in one of the lists already"
                if weights
                else "unless the changed list is not needed",
            ),
        ),
    )
