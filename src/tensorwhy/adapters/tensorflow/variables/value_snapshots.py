"""Looks at values, in one step, once a gradient has been zero for several: which operations let nothing through.

Only what is left of each value is kept: whether it is zero everywhere, and which inputs of an operation cannot get a
gradient from it. The wrapper is put in for that step and taken out after it.

Why only after a bad answer, and for one step: to copy each value and reduce it costs many times what the operation
does, and a program that is in order must never pay for it. Zero gradients last, so that the next step shows the same.
Why the values are not kept instead: those of a step may fill the memory of the device. The wrapper stands on top of
that of the hot path, so that the journal has a row for the output by the time the value is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from tensorflow.python.framework import dtypes

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.gradients.op_kinds import DIFFERING, DIVIDING
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import input_count, resource
from tensorwhy.model.question import ValueSnapshot

_ENOUGH = 20_000
"""So many tensors are looked at in one step."""
_FEW = 64
_ROUNDING = 1e-6
"""What rounding may leave of a gradient that cancels, as a share of it: some units in the last place of float32."""
_CERTAIN = 0.999

SCALING = frozenset({"Mul", "MulNoNan"})
COMPARED = DIFFERING | DIVIDING
NORMALISING = frozenset({"Softmax", "LogSoftmax"})
CROSS_ENTROPIES = frozenset({"SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"})


class ValueSnapshots:
    """`wanted` says that the next step is looked at; `snapshot` is what was seen since `since`, a row of the journal.

    `traces` tells the names of traced functions, and `skipped` which of their loops did not run for some arrays;
    `inside` adds what their operations let through.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.wanted = False
        self.snapshot = ValueSnapshot()
        self.since = 0
        self.traces: Callable[[str], bool] = lambda name: False
        self.skipped: Callable[[str, Sequence[Any]], Iterable[int]] = lambda name, arrays: ()
        self.inside: Callable[[str, Sequence[Any], ValueSnapshot], None] = lambda name, arrays, snapshot: None
        self._recorder = recorder
        recorder.also_armed.append(self.arm)

    def want(self) -> None:
        """Look at values from now on. Recording must be armed; the hooks are put in again, with this one on top."""
        self.wanted = True
        self.snapshot = ValueSnapshot()
        self.since = self._recorder.journal.position
        self._again()

    def done(self) -> ValueSnapshot:
        """Look no more; what was seen."""
        snapshot, self.snapshot, self.wanted = self.snapshot, ValueSnapshot(), False
        self._again()
        return snapshot

    def _again(self) -> None:
        """Put the hooks in anew, with or without those of a look; a recorder that rests goes on resting."""
        if not self._recorder.armed:
            return
        armed_at = self._recorder.armed_at
        self._recorder.disarm()
        self._recorder.arm()
        self._recorder.armed_at = armed_at

    def arm(self) -> None:
        """Called by the recorder whenever it replaces what is called for each operation."""
        if self.wanted:
            from tensorflow.python import pywrap_tfe
            from tensorflow.python.framework import constant_op, registry

            replace = self._recorder.per_operation.replace
            replace(registry.Registry, "lookup", self._wrap_lookup)
            replace(constant_op, "convert_to_eager_tensor", self._wrap_entry)
            replace(pywrap_tfe, "TFE_Py_FastPathExecute", self._wrap_fast_path)
            replace(pywrap_tfe, "TFE_Py_Execute", self._wrap_execute)

    def _wrap_fast_path(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def TFE_Py_FastPathExecute(context: Any, op_name: str, name: Any, *args: Any) -> Any:
            result = original(context, op_name, name, *args)
            if recorder.active:
                try:
                    self._operation(op_name, args[: input_count(op_name)], result)
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_FastPathExecute

    def _wrap_execute(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def TFE_Py_Execute(context: Any, device: Any, op_name: Any, inputs: Any, *rest: Any) -> Any:
            result = original(context, device, op_name, inputs, *rest)
            if recorder.active:
                try:
                    name = op_name.decode() if isinstance(op_name, bytes) else str(op_name)
                    self._operation(name, inputs, result)
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_Execute

    def _wrap_lookup(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The look-up of gradient functions: that of a softmax is shown what comes back."""
        from tensorflow.python.framework import ops

        recorder, gradients = self._recorder, ops._gradient_registry

        def lookup(this: Any, name: Any) -> Any:
            found = original(this, name)
            if this is not gradients or name not in NORMALISING or not recorder.active:
                return found

            def gradient(op: Any, *given: Any) -> Any:
                handed = found(op, *given)
                if recorder.active:
                    try:
                        self._came_back(name, op.outputs[0], given[0], handed)
                    except Exception as error:
                        recorder.fail(error)
                return handed

            return gradient

        return lookup

    def _came_back(self, name: str, softmax: Any, given: Any, handed: Any) -> None:
        """Note a softmax that got a gradient and hands on nothing of it, whatever its logits are."""
        made, before, after = map(array_of, (softmax, given, handed))
        if made is None or before is None or after is None or before.shape[-1:] < (2,) or not before.any():
            return
        scale = np.abs(before).max(axis=-1, keepdims=True)
        if name == "Softmax":  # what is the same for all of them, is lost
            lost = np.ptp(before, axis=-1, keepdims=True) <= _ROUNDING * scale
        else:  # what is their own probability is lost; where one is certain, it has been learned
            lost = (np.abs(after) <= _ROUNDING * scale) & (made.max(axis=-1, keepdims=True) < np.log(_CERTAIN))
        if bool((lost | (scale == 0)).all()):
            self.snapshot.constant.add(softmax._id)

    def _wrap_entry(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def convert_to_eager_tensor(value: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(value, *args, **kwargs)
            if recorder.active and isinstance(value, np.ndarray) and hasattr(result, "_id"):
                try:
                    named = recorder.places.assigned(value) if _is_numeric(value) and is_zero(value) else None
                    if named is not None:
                        self.snapshot.origins[result._id] = named
                except Exception as error:
                    recorder.fail(error)
            return result

        return convert_to_eager_tensor

    def _factors(self, values: Sequence[Any], made: Any) -> None:
        """Note the zeros among what a product was given as it is, and not as a tensor."""
        for position, value in enumerate(values):
            if isinstance(value, (float, int, np.ndarray)) and is_zero(np.asarray(value)):
                array = isinstance(value, np.ndarray)
                self.snapshot.factors[made._id] = self._recorder.places.assigned(value) if array else None
                self.snapshot.closed[made._id] = (1 - position,)
                self.snapshot.scalar.update([made._id] if np.size(value) == 1 else ())

    def _operation(self, name: str, inputs: Any, result: Any) -> None:
        if len(self.snapshot.seen) > _ENOUGH:
            return
        flat: list[Any] = []
        _flatten(inputs, flat)
        for value in flat:
            self.look(value)
        if self.traces(name):
            self._called(name, flat)
        results: list[Any] = []
        _flatten(result, results)
        for value in results:
            self.look(value)
        if name in _CLOSED and results:
            *arrays, made = [array_of(value) for value in (*flat, results[0])]
            if made is not None and all(array is not None for array in arrays):
                closed = closed_inputs(name, arrays, made)
                if closed:
                    self.snapshot.closed[results[0]._id] = closed
                    self.snapshot.elements[results[0]._id] = made.size
        if name in COMPARED and len(flat) == 2 and results and hold_the_same(*map(array_of, flat)):
            self.snapshot.equal.add(results[0]._id)
        if name in SCALING and len(flat) == 2 and results:
            self._factors(flat, results[0])
        if name in NORMALISING or name in CROSS_ENTROPIES:
            shape = getattr(flat[0], "shape", (None,))
            if len(shape) and shape[-1] == 1:
                self.snapshot.single.add(results[0]._id)

    def _called(self, name: str, given: Sequence[Any]) -> None:
        """Note what a traced function does with what it was given; no tape sees it looked at."""
        from tensorflow.python import pywrap_tfe

        active, self._recorder.active = self._recorder.active, False
        pywrap_tfe.TFE_Py_TapeSetStopOnThread()
        try:
            arrays = [array_of(value) for value in given]
            self.snapshot.skipped.update(self.skipped(name, arrays))
            self.inside(name, arrays, self.snapshot)
        finally:
            pywrap_tfe.TFE_Py_TapeSetRestartOnThread()
            self._recorder.active = active

    def look(self, value: Any) -> None:
        """Note whether a tensor or variable is zero everywhere."""
        key = getattr(value, "_id", None)
        if type(key) is not int:
            key = self._recorder.handle_of(value)
            if key < 0:
                return
        if key not in self.snapshot.seen:
            array = array_of(value)
            if array is not None and array.size:
                self.snapshot.seen.add(key)
                if array.size == 1:
                    self.snapshot.scalar.add(key)
                if is_zero(array):
                    self.snapshot.zero.add(key)


def closed_inputs(name: str, inputs: Sequence[Any], made: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """The inputs of an operation that no element hands a gradient on to, by the values that went in and came out."""
    look = _CLOSED.get(name)
    if look is None or not made.size or not all(array.size for array in inputs):
        return ()
    return tuple(i for i, shut in enumerate(look(*inputs, made)) if shut)


def single_element(name: str, inputs: Sequence[Any]) -> bool:
    """Return whether an operation normalises over a single element."""
    return bool((name in NORMALISING or name in CROSS_ENTROPIES) and inputs[0].ndim and inputs[0].shape[-1] == 1)


def hold_the_same(first: np.ndarray[Any, Any] | None, second: np.ndarray[Any, Any] | None) -> bool:
    """Return whether two arrays have the same shape and the same numbers."""
    return first is not None and second is not None and first.size > 0 and np.array_equal(first, second)


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """The value of an eager tensor or variable, without a copy where that is possible; None for everything else.

    NumPy reads eager tensors through C's buffer protocol, so no hook sees it, and no tape.
    """
    if resource(value) is not None:
        return variable_value(value)
    if isinstance(value, (float, int, np.ndarray)):
        return np.asarray(value)
    if not hasattr(value, "_datatype_enum") or not value.dtype.is_numpy_compatible:
        return None
    if value.dtype.is_floating or value.dtype.is_complex or value.dtype.is_integer or value.dtype.is_bool:
        return np.asarray(variable_values.memory(value))
    return None


def variable_value(variable: Any) -> np.ndarray[Any, Any] | None:
    """The value of an eager variable of real or complex numbers; None where there is none to read."""
    handle = resource(variable)
    if not hasattr(handle, "_numpy"):
        return None
    dtype = dtypes.as_dtype(variable.dtype)  # Keras 3 says it as a string
    return variable_values.value(handle, dtype) if dtype.is_floating or dtype.is_complex else None


def _is_numeric(array: np.ndarray[Any, Any]) -> bool:
    return array.size > 0 and array.dtype.kind in "fiubc"


def is_zero(array: np.ndarray[Any, Any]) -> bool:
    """Return whether an array is zero everywhere: most are not, and show it in a few elements."""
    if array.size and array.item(0):
        return False
    flat = array.reshape(-1)
    few = flat[:: max(1, flat.size // _FEW)]
    return not few.any() and not flat.any()


def _flatten(value: Any, into: list[Any]) -> None:
    if isinstance(value, (list, tuple)):
        for each in value:
            _flatten(each, into)
    elif value is not None:
        into.append(value)


def _relu(x: Any, y: Any) -> tuple[bool, ...]:
    return (not (y > 0).any(),)


def _relu6(x: Any, y: Any) -> tuple[bool, ...]:
    return (not ((y > 0) & (y < 6)).any(),)


def _tanh(x: Any, y: Any) -> tuple[bool, ...]:
    return (not (1 - y * y).any(),)


def _sigmoid(x: Any, y: Any) -> tuple[bool, ...]:
    return (not (y * (1 - y)).any(),)


def _exp(x: Any, y: Any) -> tuple[bool, ...]:
    return (not y.any(),)


def _erf(x: Any, y: Any) -> tuple[bool, ...]:
    return (bool((np.abs(x) > 10).all()),)


def _pow(x: Any, y: Any, z: Any) -> tuple[bool, ...]:
    with np.errstate(all="ignore"):
        return (not (y * np.power(x, y - 1)).any(), False)


def _elu(x: Any, y: Any) -> tuple[bool, ...]:
    return (not (y > -1).any(),)


def _maximum(x: Any, y: Any, z: Any) -> tuple[bool, ...]:
    return (not (x >= y).any(), bool((x >= y).all()))


def _minimum(x: Any, y: Any, z: Any) -> tuple[bool, ...]:
    return (not (x <= y).any(), bool((x <= y).all()))


def _clip(x: Any, low: Any, high: Any, y: Any) -> tuple[bool, ...]:
    return (not ((x >= low) & (x <= high)).any(), False, False)


def _select(condition: Any, x: Any, y: Any, z: Any) -> tuple[bool, ...]:
    return (False, not condition.any(), bool(condition.all()))


_CLOSED: dict[str, Callable[..., tuple[bool, ...]]] = {
    "Relu": _relu,
    "Relu6": _relu6,
    "Tanh": _tanh,
    "Sigmoid": _sigmoid,
    "Softmax": _sigmoid,
    "Softplus": _exp,
    "Exp": _exp,
    "Erf": _erf,
    "Elu": _elu,
    "Pow": _pow,
    "Maximum": _maximum,
    "Minimum": _minimum,
    "ClipByValue": _clip,
    "Select": _select,
    "SelectV2": _select,
}
