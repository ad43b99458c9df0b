"""Reads a failure of state that came after the thing that should know it was finished: a built layer, an optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning.training import handles_of
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.variables import TooLate
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source.files import Sources


def states(live: LiveFailure, generation: int) -> Iterator[TooLate]:
    """The variable or layer that came too late for a layer or optimizer of this generation."""
    for stack in live.whole():
        before = stack.caller(len(stack.frames))
        if before is None or before.location is None:
            continue
        found = (
            _locked(stack, before.location)
            or _unknown(stack, before.location, live)
            or _unbuilt(stack, before.location, live)
            or _unbuilt_children(stack, before.location, live)
            or _unread(stack, before.location, live)
        )
        if found is not None and packages.generation_of(found[0]) == generation:
            yield found[1]
            return


def _locked(stack: Stack, used: Location) -> tuple[Any, TooLate] | None:
    """Keras 3 locks a layer's tracker once the layer has been built."""
    call = stack.raised
    if not (packages.runs(call) and call.function == "add_to_store" and getattr(call.local("self"), "locked", False)):
        return None
    value = call.local("value")
    last = stack.innermost_user() or 0
    layers = [
        outer.local("self")
        for outer in stack.frames[last:]
        if packages.kind_of(outer.local("self")) in ("layer", "model")
    ]
    layer = layers[0] if layers else stack.frames[last].local("self")
    if packages.kind_of(layer) not in ("layer", "model"):
        layer = value
    return layer, TooLate(
        what=packages.sort(value),
        made=creations.made(value),
        finished="layer",
        finished_name=type(layer).__name__ if layer is not value else "",
        finished_at=creations.made(layer) if layer is not value else None,
        used=used,
    )


def _unknown(stack: Stack, used: Location, live: LiveFailure) -> tuple[Any, TooLate] | None:
    """An optimizer keeps the list of variables that it was built with."""
    for call in reversed(stack.inner):
        optimizer = call.local("self")
        if packages.kind_of(optimizer) != "optimizer":
            continue
        if call.function == "_check_variables_are_known":
            variables, known = list(call.local("variables") or ()), optimizer._trainable_variables_indices
        elif call.function == "_update_step" and isinstance(stack.exception, KeyError):
            variables, known = [call.local("variable")], optimizer._index_dict
        else:
            return None
        asked = _all_asked(stack) or variables
        unknown = [variable for variable in asked if optimizer._var_key(variable) not in known]
        return (optimizer, _rejected(optimizer, asked, unknown, stack, used, live)) if unknown else None
    return None


_LOADING = ("load_weights", "load_weights_only", "set_weights", "load_own_variables")


def _unbuilt(stack: Stack, used: Location, live: LiveFailure) -> tuple[Any, TooLate] | None:
    """Weights were given to a layer or model that has none yet: it makes them when its input is known."""
    for call in stack.inner if isinstance(stack.exception, ValueError) else ():
        receiver = call.local("self") if call.local("model") is None else call.local("model")
        kind = packages.kind_of(receiver)
        if call.function not in _LOADING or kind not in ("layer", "model"):
            continue
        if getattr(receiver, "built", True) or handles_of(receiver, "variables"):
            return None
        found = bindings.origin(receiver, stack.user_frames(), Sources(), live.user)
        return receiver, TooLate(
            what=str(kind),
            made=creations.made(receiver),
            finished="weights",
            finished_name=found.name or type(receiver).__name__,
            used=used,
        )
    return None


def _unbuilt_children(stack: Stack, used: Location, live: LiveFailure) -> tuple[Any, TooLate] | None:
    """A file was read into a layer that says it is built, while layers inside of it have no weights yet.

    Their own `build` never ran: the layer's makes only its own weights, and theirs would come with a first call.
    """
    calls = [call for call in stack.inner if packages.is_keras_module(call.module)]
    if not any(".saving." in call.module for call in calls):
        return None
    for held in (each for call in reversed(calls) for each in call.frame.f_locals.values()):
        for root in held if isinstance(held, (set, list, tuple)) else (held,):
            for layer in packages.layers_of(root) if packages.kind_of(root) in ("layer", "model") else ():
                build = getattr(type(layer), "build", None)
                code = getattr(build, "__code__", None) or getattr(
                    getattr(build, "__wrapped__", None), "__code__", None
                )
                children = [each for each in getattr(layer, "_layers", None) or () if not getattr(each, "built", True)]
                if children and layer.built and code is not None and live.user.owns(code.co_filename):
                    return layer, TooLate(
                        what=f"{type(children[0]).__name__} `{children[0].name}`",
                        made=creations.made(children[0]),
                        finished="children",
                        finished_name=type(layer).__name__,
                        finished_at=_definition(code),
                        used=used,
                        others=len(children) - 1,
                    )
    return None


def _definition(code: Any) -> Location:
    """The line of `def`, below decorators."""
    sources, first = Sources(), code.co_firstlineno
    at = next((n for n in range(first, first + 9) if "def " in sources.line(code.co_filename, n)), first)
    return Location(file=code.co_filename, line=at, function=code.co_name)


def _unread(stack: Stack, used: Location, live: LiveFailure) -> tuple[Any, TooLate] | None:
    """Keras 2 refuses to list the weights of a model that has none yet."""
    for call in stack.inner:
        model = call.local("self")
        if call.function == "_assert_weights_created" and packages.kind_of(model) == "model":
            found = bindings.origin(model, stack.user_frames(), Sources(), live.user)
            return model, TooLate(
                what="model",
                made=creations.made(model),
                finished="list",
                finished_name=found.name or type(model).__name__,
                used=used,
            )
    return None


def _rejected(
    optimizer: Any, asked: list[Any], unknown: list[Any], stack: Stack, used: Location, live: LiveFailure
) -> TooLate:
    found = bindings.origin(optimizer, stack.user_frames(), Sources(), live.user)
    variable = unknown[0]
    name = str(getattr(variable, "path", "") or getattr(variable, "name", "")).partition(":")[0]
    return TooLate(
        what=f"variable {name}",
        made=creations.made(variable) or creations.made(getattr(variable, "_value", None)),
        finished="optimizer",
        finished_name=found.name or type(optimizer).__name__,
        finished_at=creations.made(optimizer) or found.location,
        used=used,
        others=len(unknown) - 1,
        another_model=len(asked) > 1 and len(unknown) == len(asked),
    )


def _all_asked(stack: Stack) -> list[Any]:
    for call in stack.inner:
        found = _variables(call)
        if found:
            return found
    return []


def _variables(call: Frame) -> list[Any]:
    found = call.local("trainable_variables")
    return list(found) if isinstance(found, (list, tuple)) else []
