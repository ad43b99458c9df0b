"""Reads a symbolic Keras tensor that a finished model was given as a loss or metric: by `compile`, or by `add_loss`.

Keras 2 could add such a tensor to a model, and Keras 3 cannot. Neither takes it for a function of targets and
predictions; Keras 2 looks at what it got while it compiles, Keras 3 when `fit` calls the loss for the first time.
"""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.keras_common import drawing, nodes, packages
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.symbolic import AtRuntime
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LOSS_METHODS = {"add_loss": ("loss", "losses"), "add_metric": ("value",)}
_COMPILED = {"loss": "loss", "loss_weights": "loss weight", "metrics": "metric", "weighted_metrics": "metric"}
_LOOKED_UP = ("losses", "metrics")


def given(stack: Stack, generation: int, sources: Sources) -> AtRuntime | None:
    """The Keras tensor of this generation that a model was given as a loss, where that is what failed."""
    last = stack.innermost_user()
    for index in range(0 if last is None else last + 1, len(stack.frames)):
        call = stack.frames[index]
        found = _added(call, generation) or _compiled(call, generation) or _looked_up(call, generation)
        before = stack.caller(index)
        if found is None or before is None or before.location is None:
            continue
        tensor, method, role = found
        used = before.location if method != "fit" else _compile_line(stack, index, sources) or before.location
        names = bindings.named(tensor, before.frame)
        reference = nodes.reference(tensor, names[0] if names else "")
        what = "compile" if role else method
        return AtRuntime(
            tensor=reference,
            used=used,
            context=f"`{what}`",
            role=role,
            called=before.location if used is not before.location else None,
            lineage=drawing.refused([tensor], reference.name, f"{what}()", used, "has no value"),
        )
    return None


def _added(call: Frame, generation: int) -> tuple[Any, str, str] | None:
    """What `model.add_loss` got."""
    if not packages.runs(call) or packages.generation_of(call.local("self")) != generation:
        return None
    for name in _LOSS_METHODS.get(call.function, ()):
        for thing, _ in nodes.flat(call.local(name)):
            if packages.is_keras_tensor(thing, generation):
                return thing, call.function, ""
    return None


def _compiled(call: Frame, generation: int) -> tuple[Any, str, str] | None:
    """What `model.compile` got."""
    owner = call.local("self")
    if not packages.runs(call) or call.function != "compile" or packages.kind_of(owner) != "model":
        return None
    for name, role in _COMPILED.items():
        for thing, _ in nodes.flat(call.local(name)):
            if packages.is_keras_tensor(thing, generation):
                return thing, "compile", role
    return None


def _looked_up(call: Frame, generation: int) -> tuple[Any, str, str] | None:
    """What Keras takes for the name of a loss or metric, once a model is trained."""
    role = call.module.split(".")[-1]
    thing = call.local("identifier")
    if (
        packages.runs(call)
        and call.function == "get"
        and role in _LOOKED_UP
        and packages.is_keras_tensor(thing, generation)
    ):
        return thing, "fit", _COMPILED.get(role, "loss")
    return None


def _compile_line(stack: Stack, upto: int, sources: Sources) -> Location | None:
    """The one line of the user's functions on the stack that compiles the model which is being trained."""
    models = [call.local("self") for call in stack.frames[:upto] if packages.kind_of(call.local("self")) == "model"]
    for call in reversed([each for each in stack.frames[:upto] if each.user]):
        assert call.location is not None
        tree = sources.tree(call.location.file)
        names = {name for model in models for name in bindings.named(model, call.frame)}
        found = [
            node
            for node in (ast.walk(tree) if tree is not None else ())
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile"
            if ast.unparse(node.func.value) in names
        ]
        if len(found) == 1:
            return reading.where(found[0], call.location.file, call.location.function, sources)
    return None
