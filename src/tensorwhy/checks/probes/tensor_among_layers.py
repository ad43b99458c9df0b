"""A symbolic tensor where layers are taken: in a Sequential model, or in a layer that wraps another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import WRAPPERS
from tensorwhy.checks.models.symbolic import Symbolic, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import Given, NotALayer

READS = ("keras",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Tensors that a layer gave: what `Input` gives stands for its layer in a Sequential model."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        receiver, taken, wraps = _taken(things, scope, step, call)
        for each in taken:
            thing = things.thing(each, scope, step)
            if thing is None or thing.sort != "tensor" or (thing.is_input and not wraps):
                continue
            used = module.place(call)
            fact = NotALayer(
                given=Given(
                    sort="symbolic Keras tensor",
                    name=each.id if isinstance(each, ast.Name) else "",
                    written=module.place(each),
                    tensor=things.reference(each, scope, step),
                ),
                receiver=receiver,
                used=used,
                wrapper=wraps,
                instead=_instead(call, each) if wraps else "",
            )
            yield from things.fails(scope, call, fact)
            break


def _taken(things: Symbolic, scope: Scope, step: Step, call: ast.Call) -> tuple[str, list[ast.expr], bool]:
    """What takes layers in a call, what it is given for them, and whether it wraps one."""
    function, first = call.func, call.args[0] if call.args else None
    if first is None:
        return "", [], False
    made = things.thing(call, scope, step)
    if made is not None and made.made is call:
        if made.layer == "Sequential" and isinstance(first, (ast.List, ast.Tuple)):
            return ast.unparse(function), first.elts, False
        return (ast.unparse(function), [first], True) if made.layer in WRAPPERS else ("", [], False)
    if isinstance(function, ast.Attribute) and function.attr == "add" and isinstance(function.value, ast.Name):
        model = things.thing(function.value, scope, step)
        if model is not None and model.layer == "Sequential":
            return ast.unparse(function), [first], False
    return "", [], False


def _instead(call: ast.Call, given: ast.expr) -> str:
    """`Wrapper(layer)(x)` for `Wrapper(layer(x))`."""
    if not isinstance(given, ast.Call) or given.keywords:
        return ""
    others = [*map(ast.unparse, call.args[1:])]
    others += [f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords if each.arg is not None]
    made = ", ".join([ast.unparse(given.func), *others])
    return f"{ast.unparse(call.func)}({made})({', '.join(map(ast.unparse, given.args))})"
