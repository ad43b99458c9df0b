"""Reads a failure of a symbolic Keras tensor inside TensorFlow, NumPy or Python.

Two things can be wrong. While a model is being assembled, the operation is the wrong kind: `RawOp`. While values flow
(training, a loss, a callback, a gradient tape), the tensor is the wrong kind, as it will never have a value:
`AtRuntime`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import drawing, nodes, packages
from tensorwhy.adapters.keras_common.failures import (
    callees,
    configured,
    entering,
    equivalents,
    lookup,
    mixing,
    refused,
    several,
    taped,
    tensor_methods,
)
from tensorwhy.adapters.keras_common.failures.refused import Refused
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.symbolic import AtRuntime, Operation, RawOp
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_TRAINING = (
    "fit",
    "evaluate",
    "predict",
    "train_on_batch",
    "test_on_batch",
    "predict_on_batch",
    "fit_generator",
    "train_step",
    "test_step",
)
# Methods that a library calls, and in which models are assembled.
_ASSEMBLING = ("__init__", "build")
# Of TensorFlow, what stands between any two functions of the user.
_PASSING = ("tensorflow.python.autograph", "tensorflow.python.util")
_ROLES = {"callback": "a callback", "loss": "a loss function", "metric": "a metric", "layer": "a layer's `call`"}
_ON_VALUES = (_ROLES["loss"], _ROLES["metric"], _ROLES["layer"])
_NO_VALUE = "has no value"
# Kinds of operations whose names may stand in `keras.ops`, too.
_NAMED = ("framework", "numpy", "method", "backend")
_BY_PYTHON: dict[str, tuple[str, Operation]] = {"iteration": ("for", "iteration"), "assignment": ("=", "assignment")}
# Python's own, which take a whole number and nothing else.
_COUNTING = (len, range)
# Python's own, which ask what they are given whether it is true.
_COMPARING = (max, min, sorted, any, all)
_BY_ELEMENTS = (("truth", "max"), ("truth", "min"))
_CONCRETE = ("array", "asarray", "float", "int", "get_value", "eval")


def uses(live: LiveFailure, generation: int) -> Iterator[RawOp | AtRuntime]:
    """What a Keras tensor of this generation could not go through, or why it has no value there."""
    sources = Sources()
    for stack in live.whole():
        if mixing.met(stack) is not None:
            return
        saved = configured.written(stack, generation)
        if saved is not None:
            yield saved
            return
        use = refused.find(stack, generation, sources) or _left_over(stack, generation)
        if use is not None:
            fact = _Reading(stack, use, generation, sources).fact()
            if fact is not None:
                yield fact
                return
        given = _judged(stack, generation)
        if given is not None:
            yield given
            return


def _left_over(stack: Stack, generation: int) -> Refused | None:
    """A Keras tensor that came out of a function of the user which a training method ran, and met no operation there.

    Operations of Keras take it, and give others like it, until Keras itself looks for values.
    """
    last = stack.innermost_user()
    for start in range(0 if last is None else last + 1, len(stack.frames)):
        function, owner, _ = _method(stack.frames[start])
        if function in _TRAINING and packages.kind_of(owner) == "model":
            for index in range(len(stack.frames) - 1, start, -1):
                call = stack.frames[index]
                for thing in list(call.frame.f_locals.values()) if packages.runs(call) else ():
                    if packages.is_keras_tensor(thing, generation) and entering.entered(thing)[1] is not None:
                        return Refused(thing, index, "")
            return None
    return None


def _judged(stack: Stack, generation: int) -> AtRuntime | None:
    """A Keras tensor that the user handed to a loss or metric of Keras, which counts what it is given."""
    last = stack.innermost_user()
    before = stack.frames[last] if last is not None else None
    for call in stack.frames[last + 1 :] if last is not None else ():
        kind = packages.kind_of(call.local("self"))
        if call.function not in ("__call__", "update_state") or kind not in ("loss", "metric"):
            continue
        assert before is not None
        written = reading.call_at(before.location, Sources()) if before.location is not None else None
        arguments = [*written.args, *(each.value for each in written.keywords)] if written is not None else []
        for thing in (lookup.value(each, before) for each in arguments):
            if packages.is_keras_tensor(thing, generation) and before.location is not None:
                reference, used = _reference(thing, before), before.location
                return AtRuntime(
                    tensor=reference,
                    used=used,
                    context=_ROLES[kind],
                    lineage=drawing.refused([thing], reference.name, _ROLES[kind], used, _NO_VALUE),
                )
    return None


def _method(call: Frame) -> tuple[str, Any, list[Any]]:
    """(name, self, further arguments) of a frame; Keras's wrapper stands for what it wraps."""
    passed = call.local("args")
    if packages.runs(call) and call.function == "error_handler" and passed:
        keywords = dict(call.local("kwargs") or {})
        return getattr(call.local("fn"), "__name__", ""), passed[0], [*passed[1:], *keywords.values()]
    return call.function, call.local("self"), []


def _reference(tensor: Any, call: Frame) -> Any:
    names = bindings.named(tensor, call.frame)
    return nodes.reference(tensor, names[0] if names else "")


class _Reading:
    """One use, in the light of who was running."""

    def __init__(self, stack: Stack, use: Refused, generation: int, sources: Sources) -> None:
        self._stack, self._use, self._generation, self._sources = stack, use, generation, sources
        self._last = stack.innermost_user()

    def fact(self) -> RawOp | AtRuntime | None:
        if self._last is None:
            return None
        self._last = self._wrapped(self._last)
        call = self._stack.frames[self._last]
        location = call.location
        assert location is not None
        # Without columns, the failing expression could be any of the line.
        node = reading.node_at(location, self._sources) if location.column is not None else None
        if self._unpacks(location, node):
            return self._unpacked(call, location)
        inside = self._training_inside()
        if inside is not None:
            return self._late(call, *inside)
        if self._values_wanted(node) or self._library_calls() or self._under_tape():
            return self._runtime(call, location, node)
        return self._raw(call, location, node)

    def _wrapped(self, last: int) -> int:
        """The call of the user's function that TensorFlow runs, such as one with `tf.custom_gradient` around it.

        The tensor entered TensorFlow there; the line inside of the function is right.
        """
        index = last - 1
        while index >= 0 and not self._stack.frames[index].user:
            index -= 1
        between = self._stack.frames[index + 1 : last]
        running = [call for call in between if not call.module.startswith(_PASSING)]
        if index < 0 or not running or not self._is_given(self._stack.frames[last]):
            return last
        return index if all(call.module.startswith("tensorflow.") for call in running) else last

    def _unpacks(self, location: Location, node: ast.expr | None) -> bool:
        """`a, b = tensor` fails for its own reason, an ordinary one."""
        statement = self._sources.statement(location)
        if self._use.how != "iteration" or not isinstance(statement, ast.Assign):
            return False
        return node is None or not isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.Call))

    def _unpacked(self, call: Frame, location: Location) -> RawOp | None:
        """One tensor is taken apart, perhaps where its layer would have given several, had it been told to."""
        statement = self._sources.statement(location)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, (ast.Tuple, ast.List)):
            return None
        made = nodes.producer(self._use.tensor)
        layer = made[0] if made is not None else None
        return RawOp(
            function=several.told(layer),
            kind="unpacking",
            used=location,
            tensor=_reference(self._use.tensor, call),
            own=several.of_the_user(layer),
            generation=self._generation,
        )

    def _training_inside(self) -> tuple[str, Location] | None:
        """What a library was running below the innermost user frame, when that called no function on the tensor.

        A loss that returns a Keras tensor fails only later, in Keras's code.
        """
        assert self._last is not None
        location = self._stack.frames[self._last].location
        assert location is not None
        for call in self._stack.frames[self._last + 1 :]:
            function, owner, _ = _method(call)
            if function in _TRAINING and packages.kind_of(owner) == "model":
                given = [each.local("y_pred") for each in self._stack.frames[self._last + 1 :] if packages.runs(each)]
                by_model = any(packages.is_keras_tensor(each) for each in given)
                return _ROLES["layer"] if by_model else f"`{function}`", location
            if function == "__call__" and packages.kind_of(owner) == "layer" and entering.made_inside(self._use.tensor):
                return _ROLES["layer"], location
            if call.function == "func_graph_from_py_func" and entering.made_inside(self._use.tensor):
                return "a `tf.function`", location
        return None

    def _late(self, call: Frame, context: str, location: Location) -> AtRuntime:
        tensor, used = entering.entered(self._use.tensor)
        reference, what = _reference(tensor, call), context.strip("`")
        return AtRuntime(
            tensor=reference,
            used=used or location,
            context=context,
            called=location if used is not None else None,
            lineage=drawing.refused([tensor], reference.name, what, used or location, _NO_VALUE),
        )

    def _values_wanted(self, node: ast.expr | None) -> bool:
        if self._use.how in ("attribute", "float()", "int()"):
            return True
        if self._use.how == "method" and tensor_methods.arrays_only(self._use.asked.strip(".()")):
            return tensor_methods.in_finished_model(self._use.tensor)
        return isinstance(node, ast.Call) and reading.callee(node) in _CONCRETE

    def _library_calls(self) -> bool:
        """True if a library runs this function of the user, or one that called it, on values, and did not give it the
        tensor."""
        entered = self._outermost()
        assert self._last is not None
        running = [each for each in self._stack.frames[entered : self._last + 1] if each.user]
        if any(each.function in ("<module>", *_ASSEMBLING) for each in running) or entered == 0:
            return False
        if not self._stack.frames[entered - 1].module.startswith(("keras", "tf_keras", "tensorflow")):
            return False
        given = [self._is_given(each) for each in running]
        if not any(given):
            return True
        first = self._stack.frames[self._last]
        if first.location is None or self._context() not in _ON_VALUES:
            return False
        tensor, before = self._use.tensor, self._stack.frames[:entered]
        return entering.bound(tensor, before) if given[0] else not entering.made_by(tensor, running)

    def _outermost(self) -> int:
        """The index of the user's function that runs the failing one, and that no other function of the user called."""
        assert self._last is not None
        outermost = index = self._last
        while index > 0:
            index -= 1
            if self._stack.frames[index].user:
                outermost = index
            elif not self._stack.frames[index].module.startswith(_PASSING):
                break
        return outermost

    def _is_given(self, call: Frame) -> bool:
        code = call.frame.f_code
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return any(call.local(name) is self._use.tensor for name in parameters)

    def _under_tape(self) -> bool:
        assert self._last is not None
        return taped.under_tape(self._stack.frames[: self._last + 1], self._use.tensor, self._sources)

    def _runtime(self, call: Frame, location: Location, node: ast.expr | None) -> AtRuntime:
        asked = self._use.asked or (self._use.how if self._use.how.endswith("()") else "")
        if not asked and isinstance(node, ast.Call):
            asked = f"{ast.unparse(node.func)}()"
        tensor, context = self._use.tensor, self._context()
        if context and entering.made_inside(tensor):
            tensor, entry = entering.entered(tensor)
            location, asked = (entry, "") if entry is not None else (location, asked)
        reference = _reference(tensor, call)
        what = asked or context.replace("`", "") or "needs a value"
        return AtRuntime(
            tensor=reference,
            used=location,
            context=context,
            called=self._started(),
            asked=asked,
            lineage=drawing.refused([tensor], reference.name, what, location, _NO_VALUE),
        )

    def _context(self) -> str:
        for outer in reversed(self._stack.frames[: self._outermost()]):
            if outer.user:
                break
            if outer.function in _TRAINING and packages.kind_of(outer.local("self")) == "model":
                return f"`{outer.function}`"
            kind = packages.kind_of(outer.local("self"))
            if packages.runs(outer) and outer.function == "compute_loss":
                return _ROLES["loss"]
            if (
                packages.runs(outer)
                and kind in _ROLES
                and outer.function in ("__call__", "call", "update_state", "error_handler")
            ):
                return _ROLES[kind]
            if packages.runs(outer) and type(outer.local("self")).__name__ == "CallbackList":
                return _ROLES["callback"]
            if outer.function == "func_graph_from_py_func":
                return "a `tf.function`"
        return "a gradient tape" if self._use.asked == "a gradient" or self._under_tape() else ""

    def _started(self) -> Location | None:
        outer = self._stack.caller(self._outermost())
        return outer.location if outer is not None else None

    def _raw(self, call: Frame, location: Location, node: ast.expr | None) -> RawOp | None:
        function, kind = self._operation(call, node, location)
        reference = _reference(self._use.tensor, call)
        words = "no Keras operation" if kind == "framework" else _NO_VALUE
        # Keras 2 has no functions but TensorFlow's.
        own = kind == "framework" and self._generation < 3
        named = (not own and (kind in _NAMED or callees.of_keras(node, call))) or (kind, function) in _BY_ELEMENTS
        return RawOp(
            function=function,
            kind=kind,
            used=location,
            tensor=reference,
            equivalents=equivalents.of(function, self._generation) if named else (),
            generation=self._generation,
            lineage=drawing.refused([self._use.tensor], reference.name, function or "operation", location, words),
        )

    def _operation(self, call: Frame, node: ast.expr | None, location: Location) -> tuple[str, Operation]:
        """What the user wrote, and whose it is."""
        if self._use.how == "method":
            return self._use.asked.strip(".()"), "method"
        if self._use.how == "truth" and callees.compares(node, call):
            return ast.unparse(node.func) if isinstance(node, ast.Call) else "in", "membership"
        if self._use.how == "truth" and not isinstance(node, ast.Call):
            statement = self._sources.statement(location)
            return {ast.If: "if", ast.While: "while", ast.Assert: "assert"}.get(type(statement), "bool()"), "truth"
        if isinstance(node, ast.Call) and self._use.how == "truth" and lookup.value(node.func, call) in _COMPARING:
            return ast.unparse(node.func), "truth"
        if isinstance(node, ast.Call) and lookup.value(node.func, call) in _COUNTING:
            return f"{ast.unparse(node.func)}()", "conversion"
        if self._use.how in _BY_PYTHON:
            return _BY_PYTHON[self._use.how]
        if isinstance(node, ast.Call):
            target = lookup.value(node.func, call)
            owners = {
                str(owner).partition(".")[0] for owner in (getattr(target, "__module__", ""), type(target).__module__)
            }
            text = ast.unparse(node.func)
            if "numpy" in owners:
                return text, "numpy"
            if self._generation >= 3 and "legacy.backend" in str(getattr(target, "__module__", "")):
                return text, "backend"
            if isinstance(target, type) and target.__name__ in ("Variable", "ResourceVariable"):
                return text, "variable"
            if callees.decorates(target):
                return text, "decorated"
            return text, "framework" if "tensorflow" in owners or callees.variable_method(node, call) else "other"
        if isinstance(node, ast.BinOp):
            return reading.sign(node), "framework"
        return "", "other"
