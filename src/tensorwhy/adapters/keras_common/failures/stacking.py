"""Reads a failed `Sequential.add`, or a failed wrapper: was it given a tensor, where it takes layers and calls them?"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.symbolic import NotALayer
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def tensors(live: LiveFailure, generation: int) -> Iterator[NotALayer]:
    """The symbolic Keras tensor that a Sequential model of this generation was given among its layers."""
    sources = Sources()
    for stack in live.whole():
        call = stack.raised
        model, thing = call.local("self"), call.local("layer")
        if not (packages.runs(call) and call.function == "add" and packages.kind_of(model) == "model"):
            continue
        if not packages.is_keras_tensor(thing, generation) or packages.generation_of(model) != generation:
            continue
        at = len(stack.frames) - 1
        before = stack.caller(at)
        if before is not None and before.location is not None:
            given = givens.describe(thing, stack, at, live.user, sources, parameter="layer", position=0)
            receiver = givens.called(stack, at, sources, "Sequential.add")
            yield NotALayer(given=given, receiver=receiver, used=before.location)
            return


def wrapped(live: LiveFailure, generation: int) -> Iterator[NotALayer]:
    """The symbolic Keras tensor that a wrapper of this generation was made of: `TimeDistributed(layer(x))`."""
    sources = Sources()
    for stack in live.whole():
        call, at = stack.raised, len(stack.frames) - 1
        thing, before = call.local("layer"), stack.caller(at)
        if not (packages.runs(call) and call.function == "__init__" and isinstance(stack.exception, ValueError)):
            continue
        if not packages.is_keras_tensor(thing, generation) or before is None or before.location is None:
            continue
        given = givens.describe(thing, stack, at, live.user, sources, parameter="layer", position=0)
        receiver = givens.called(stack, at, sources, type(call.local("self")).__name__)
        yield NotALayer(
            given=given,
            receiver=receiver,
            used=before.location,
            wrapper=True,
            instead=_instead(reading.call_at(before.location, sources)),
        )
        return


def _instead(written: ast.Call | None) -> str:
    """`Wrapper(layer)(x)` for `Wrapper(layer(x))`."""
    called = reading.argument(written, 0, "layer") if written is not None else None
    if written is None or not isinstance(called, ast.Call) or called.keywords:
        return ""
    others = [*map(ast.unparse, written.args[1:])]
    others += [f"{each.arg}={ast.unparse(each.value)}" for each in written.keywords if each.arg != "layer"]
    made = ", ".join([ast.unparse(called.func), *others])
    return f"{ast.unparse(written.func)}({made})({', '.join(map(ast.unparse, called.args))})"
