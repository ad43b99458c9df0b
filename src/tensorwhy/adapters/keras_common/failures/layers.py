"""Reads a failed call of a layer: did it get a layer, a model, a function or a list where one tensor is needed?

And the other way round: did it get several tensors where one list of them is needed?
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations, drawing, nodes, packages
from tensorwhy.adapters.keras_common.failures import givens, lookup, missing, mixing
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.symbolic import Given, NotATensor, SeparateTensors
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

# Keras's own checks of what may enter any layer.
_CHECKS = ("assert_input_compatibility", "__call__", "_maybe_build", "error_handler")
# Keras 2 makes a layer of a TensorFlow function, which may well take functions and lists.
_OPERATIONS = ("TFOpLambda", "SlicingOpLambda", "ClassMethod", "InstanceMethod", "InstanceProperty")
# Arguments of `call` that are about the inputs, and are none.
_ABOUT = ("mask", "training")
# The first parameter of functions that take all their tensors in it.
_LISTED = ("inputs", "xs")


def misfits(live: LiveFailure, generation: int) -> Iterator[NotATensor | SeparateTensors]:
    """What does not fit among the arguments of the innermost failed layer call of this generation."""
    sources = Sources()
    for stack in live.whole():
        separate = _in_function_form(stack, generation, sources)
        if separate is not None:
            yield separate
            return
        found = _call(stack, generation)
        if found is not None and mixing.met(stack) is None:
            index, layer, arguments = found
            yield from _judged(stack, index, layer, arguments, live, sources)
            return


def _call(stack: Stack, generation: int) -> tuple[int, Any, tuple[Any, ...]] | None:
    """(index, layer, arguments) of the layer call that the innermost user frame made."""
    last = stack.innermost_user()
    for index in range(0 if last is None else last + 1, len(stack.frames)):
        call = stack.frames[index]
        if not packages.runs(call) or call.function not in ("error_handler", "__call__"):
            continue
        passed = tuple(call.local("args") or ())
        layer, arguments = (passed[0], passed[1:]) if call.function == "error_handler" and passed else (None, passed)
        layer = call.local("self") if layer is None else layer
        if packages.kind_of(layer) in ("layer", "model") and packages.generation_of(layer) == generation:
            function = getattr(call.local("fn"), "__name__", "__call__")
            if function == "__call__":
                return index, layer, (*arguments, *dict(call.local("kwargs") or {}).values())
            return None
    return None


def _judged(
    stack: Stack, index: int, layer: Any, arguments: tuple[Any, ...], live: LiveFailure, sources: Sources
) -> Iterator[NotATensor | SeparateTensors]:
    before = stack.caller(index)
    if before is None or before.location is None:
        return
    separate = _separate(stack, index, layer, sources)
    if separate is not None:
        yield separate
        return
    receiver = str(getattr(layer, "name", "")) or type(layer).__name__
    receiver = f"{type(layer).__name__} layer `{receiver}`"
    checked = packages.runs(stack.raised) and stack.raised.function in _CHECKS
    if type(layer).__name__ in _OPERATIONS and packages.native(layer):
        return
    if packages.native(layer) or checked:
        for thing, path in nodes.flat(list(arguments)):
            sort = packages.sort(thing)
            own, other = packages.package_of(layer), packages.package_of(thing)
            if sort in ("layer", "model", "function", "class") and (other is None or other == own):
                given = givens.describe(
                    thing, stack, index, live.user, sources, parameter="inputs", position=0, path=path[1:]
                )
                asked = _asked_for(thing, stack, index, live, sources) if sort == "layer" else None
                if asked is not None:
                    given = msgspec.structs.replace(given, made=asked)
                called = sort == "layer" and bool(nodes.calls_of(thing)) and not nodes.is_bare_entry(thing)
                yield NotATensor(
                    given=given,
                    receiver=receiver,
                    used=before.location,
                    call=sort != "model" and not called,
                    called=called,
                    entry=sort == "layer" and nodes.is_entry(thing),
                )
                return
            if thing is None and path[0] == 0 and (_about_none(stack) or packages.kind_of(layer) == "layer"):
                name, made, forgot = missing.result(stack, index, path[1:], live.user, sources)
                yield NotATensor(
                    given=Given(sort="None", name=name, made=made, parameter="inputs"),
                    receiver=receiver,
                    used=before.location,
                    forgot=forgot,
                    certain=bool(forgot) or _about_none(stack),
                )
                return
    yield from _listed(stack, index, layer, arguments, receiver, live, sources)


def _about_none(stack: Stack) -> bool:
    """Return whether what failed is Keras's check for None, or a look at an attribute of it."""
    if isinstance(stack.exception, AttributeError):
        return stack.exception.obj is None and bool(stack.exception.name)
    call = stack.raised
    return packages.runs(call) and call.function in _CHECKS and "x" in call.frame.f_locals and call.local("x") is None


def _asked_for(layer: Any, stack: Stack, index: int, live: LiveFailure, sources: Sources) -> Location | None:
    """Where the user asked a helper for the layer, when the helper is right: what it made before was called."""
    made = creations.made(layer)
    if made is None:
        return None
    for other in creations.live(("layer",)):
        if other is not layer and creations.made(other) == made and nodes.calls_of(other):
            return bindings.origin(layer, stack.user_frames(index), sources, live.user, depth=0).location
    return None


def _listed(
    stack: Stack,
    index: int,
    layer: Any,
    arguments: tuple[Any, ...],
    receiver: str,
    live: LiveFailure,
    sources: Sources,
) -> Iterator[NotATensor]:
    """A list or dict of Keras tensors for a layer of Keras's own that takes exactly one."""
    before = stack.caller(index)
    first = arguments[0] if arguments else None
    if before is None or before.location is None or not isinstance(first, (list, tuple, dict)):
        return
    if not packages.native(layer) or not _takes_one(layer):
        return
    if isinstance(first, dict) and packages.kind_of(layer) == "model":
        return  # which may take its inputs by their names
    tensors = list(first.values()) if isinstance(first, dict) else list(first)
    if not tensors or not all(packages.is_keras_tensor(tensor) for tensor in tensors):
        return
    if len(tensors) == 1 and getattr(layer, "built", True):
        return
    given = givens.describe(first, stack, index, live.user, sources, parameter="inputs", position=0)
    giver, made = _single_maker(tensors)
    if made is not None:
        given = msgspec.structs.replace(given, made=made)
    yield NotATensor(
        given=given,
        receiver=receiver,
        used=before.location,
        length=len(tensors),
        returned=giver,
        certain=len(tensors) != 1,
        lineage=drawing.refused(tensors, "", type(layer).__name__, before.location, f"a {type(first).__name__}"),
    )


def _takes_one(layer: Any) -> bool:
    """Return whether one tensor is all that it takes: a layer says so, and a model of Keras's own has its inputs."""
    if packages.kind_of(layer) == "model":
        return len(list(nodes.flat(getattr(layer, "inputs", None) or []))) == 1
    spec = getattr(layer, "input_spec", None)
    return spec is not None and not isinstance(spec, (list, tuple, dict))


def _separate(stack: Stack, index: int, layer: Any, sources: Sources) -> SeparateTensors | None:
    """Tensors side by side for a layer of Keras's own whose `call` has one argument for all of them."""
    call, before = stack.frames[index], stack.caller(index)
    given = list(call.local("args") or ())[1 if call.function == "error_handler" else 0 :]
    if before is None or before.location is None or not packages.native(layer) or packages.kind_of(layer) != "layer":
        return None
    if len(given) < 2 or not all(packages.is_keras_tensor(each) for each in given):
        return None
    taken = inspect.signature(type(layer).call).parameters.values()
    places = [each for each in taken if each.kind is each.POSITIONAL_OR_KEYWORD][1:]
    if any(each.kind is each.VAR_POSITIONAL for each in taken) or not places:
        return None
    if any(each.name not in _ABOUT for each in places[1 : len(given)]):
        return None
    node = reading.call_at(before.location, sources)
    names = [ast.unparse(argument) for argument in node.args] if node is not None else []
    if len(names) != len(given):
        names = [""] * len(given)
    return SeparateTensors(
        layer=f"{type(layer).__name__} layer `{getattr(layer, 'name', '')}`",
        call=ast.unparse(node.func) if node is not None and names[0] else "",
        used=before.location,
        tensors=tuple(nodes.reference(each, name) for each, name in zip(given, names, strict=True)),
    )


def _in_function_form(stack: Stack, generation: int, sources: Sources) -> SeparateTensors | None:
    """`layers.concatenate(x, y)`: the functions that make a layer and call it take one list of tensors, too."""
    last = stack.innermost_user()
    call = stack.frames[last] if last is not None else None
    node = reading.call_at(call.location, sources) if call is not None and call.location is not None else None
    if call is None or call.location is None or node is None:
        return None
    function = lookup.value(node.func, call)
    if not isinstance(function, types.FunctionType) or not packages.is_keras_module(function.__module__):
        return None
    given = [lookup.value(argument, call) for argument in node.args]
    if len(given) < 2 or not all(packages.is_keras_tensor(each, generation) for each in given):
        return None
    if next(iter(inspect.signature(function).parameters), "") not in _LISTED:
        return None
    return SeparateTensors(
        layer=f"`{ast.unparse(node.func)}`",
        call=ast.unparse(node.func),
        used=call.location,
        tensors=tuple(nodes.reference(each, ast.unparse(name)) for each, name in zip(given, node.args, strict=True)),
    )


def _single_maker(tensors: Any) -> tuple[str, Location | None]:
    """The layer whose single call gave all of these tensors, and the line of that call."""
    made = [nodes.producer(tensor) for tensor in tensors]
    first = made[0]
    if len(made) < 2 or first is None or any(each is None or each[1] is not first[1] for each in made):
        return "", None
    layer = first[0]
    return f"{type(layer).__name__} layer `{getattr(layer, 'name', '')}`", creations.made(first[1])
