"""An optimizer was to update a plain tensor: what that is for the user, and how it came to stand for a variable."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, UserStack
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.model.facts.training import UpdatedTensor
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[UpdatedTensor]:
    for place in live.roots():
        optimizers = [each for each in place.inner if packages.kind_of(each.frame.f_locals.get("self")) == "optimizer"]
        tensor = _refused(place) if optimizers else None
        if isinstance(tensor, tf.Tensor) and any(_to_update(tensor, each) for each in optimizers):
            if _beside_gradients(place, Sources()):
                yield _fact(tensor, place, live)
            return


def _refused(place: UserStack) -> Any:
    """What lacks something that variables have, or what Keras 2 says that it does not update."""
    if isinstance(place.exception, AttributeError):
        return getattr(place.exception, "obj", None)
    raised = place.inner[-1].frame
    return raised.f_locals.get("var") if isinstance(place.exception, NotImplementedError) else None


def _to_update(tensor: Any, frame: Frame) -> bool:
    """Return whether an optimizer's frame has it as a variable."""
    local = dict(frame.frame.f_locals)
    local.pop("grads", None)
    return any(
        each is tensor or (isinstance(each, tuple) and len(each) == 2 and each[1] is tensor)
        for held in filter(_is_list, local.values())
        for each in held
    )


def _beside_gradients(place: UserStack, sources: Sources) -> bool:
    """Return whether what the user paired with it is no variable, as it is where the pairs are the wrong way round.

    That is read in the user's frame: Keras 2 has made tensors of it by then.
    """
    found = reading.named_call(place.own.location, sources, "apply_gradients", "apply")
    given = reading.argument(found[0], 0, "grads_and_vars") or reading.argument(found[0], 0, "grads") if found else None
    if isinstance(given, ast.Call) and reading.callee(given) == "list" and given.args:
        given = given.args[0]
    if isinstance(given, ast.Call) and reading.callee(given) == "zip" and given.args:
        given = given.args[0]
    elif isinstance(given, ast.List) and given.elts:
        first = given.elts[0]
        given = first.elts[0] if isinstance(first, (ast.Tuple, ast.List)) and first.elts else first
    if isinstance(given, ast.Call) and reading.callee(given) in ("gradient", "gradients"):
        return True
    values = operands.value_of(given, place) if given is not None else operands.MISSING
    values = values if _is_list(values) else [values]
    return bool(values) and all(each is not operands.MISSING and handle_of(each) < 0 for each in values)


def _is_list(held: Any) -> bool:
    return isinstance(held, (list, tuple))


def _fact(tensor: Any, place: UserStack, live: LiveFailure) -> UpdatedTensor:
    sources = Sources()
    names = bindings.named(tensor, place.own.frame)
    name = names[0] if names else ""
    root, several = name.partition("[")[0], name.endswith("]")
    fact = UpdatedTensor(used=place.own.location, name=root, several=several)
    caller = _caller(place, live)
    if not root or caller is None or not symbolic.is_symbolic(tensor) or tensor.op.type != "Placeholder":
        return fact
    given = _given(root, place, caller, sources)
    if given is None:
        return fact
    owner = given.func.value if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) else None
    is_variable = owner is not None and _is_variable(operands.value_of(owner, caller))
    return UpdatedTensor(
        used=place.own.location,
        name=root,
        several=several,
        function=place.own.location.function,
        handed=caller.own.location,
        text=ast.unparse(given),
        variables=_is_variable(operands.value_of(given, caller)),
        owner=ast.unparse(owner) if owner is not None and is_variable else "",
    )


def _caller(place: UserStack, live: LiveFailure) -> UserStack | None:
    frames = live.user_frames()
    inner = [index for index, each in enumerate(frames) if each.frame is place.own.frame]
    if not inner or inner[0] + 1 == len(frames):
        return None
    outer = frames[inner[0] + 1]
    return UserStack(place.exception, (outer,))


def _given(parameter: str, place: UserStack, caller: UserStack, sources: Sources) -> ast.expr | None:
    """What the call gave for a parameter of the function that it called."""
    code = place.own.frame.f_code
    parameters = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    found = reading.named_call(caller.own.location, sources, place.own.location.function.rpartition(".")[2])
    if parameter not in parameters or found is None:
        return None
    method = parameters[0] == "self" and isinstance(found[0].func, ast.Attribute)
    return reading.argument(found[0], parameters.index(parameter) - method, parameter)


def _is_variable(value: Any) -> bool:
    """A variable, or a list of them."""
    if _is_list(value):
        return bool(value) and all(handle_of(each) >= 0 for each in value)
    return value is not operands.MISSING and handle_of(value) >= 0
