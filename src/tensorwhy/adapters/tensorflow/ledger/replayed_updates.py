"""Computes one update of a variable again, in its own dtype and in float64: is it the dtype that loses it?

A copy of the optimizer, made from its configuration, updates a copy of the variable with the gradient that was seen.
When only the wider copy moves, the dtype is proved, and the first intermediate result that is zero or not finite in the
narrow one alone is the reason, whatever the optimizer computes. Where no gradient could be seen, as in a traced step,
gradients of very different sizes must all give the same.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import op_callbacks

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.tensorflow.ledger.rows import Rows
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.adapters.tensorflow.variables.used import Sample, Used
from tensorwhy.adapters.tensorflow.variables.zeros import FAINT
from tensorwhy.model.facts.training import Replayed
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.source.files import Sources

_WIDE = "float64"
_REPLAYED = 3
"""Of so many variables of a dtype an update is computed again; all of them must agree."""
_SIZES = (1e-6, 1.0, 1e6)
"""How large gradients are tried where none was seen."""
_NO_ARITHMETIC = ("Cast", "Identity", "ReadVariableOp", "Const", "NoOp", "VarHandleOp", "Fill")


class _Result(NamedTuple):
    """What an operation gave: the largest size of its elements, and the same of what it was computed from."""

    op: str
    peak: float
    operands: tuple[float, ...]
    place: Location | None


class _Run(NamedTuple):
    """One update: how far each element went, and the results on the way."""

    before: np.ndarray[Any, Any]
    after: np.ndarray[Any, Any]
    results: list[_Result]

    @property
    def moved(self) -> bool:
        return bool(np.any(self.before != self.after))


def lost(rows: Rows, ask: Ask, used: Used, found: set[int]) -> list[tuple[set[int], Replayed]]:
    """Those of these variables whose update is lost in their dtype or by a constraint, each kind with its proof."""
    if used.remade is None:
        return []
    kinds: dict[tuple[str, bool], set[int]] = {}
    for handle in found:
        sample = used.samples.get(handle)
        if sample is not None:
            kinds.setdefault((sample.dtype, sample.constraint is not None), set()).add(handle)
    proofs = []
    for handles in kinds.values():
        chosen = sorted(handles, key=lambda handle: used.samples[handle].value.size)[:_REPLAYED]
        found_out = [_proof(rows, ask, used, handle) for handle in chosen]
        first = found_out[0]
        if first is not None and all(each is not None and _agree(each, first) for each in found_out):
            proofs.append((handles, first))
    return proofs


def _agree(proof: Replayed, other: Replayed) -> bool:
    return (proof.operation, proof.place, proof.constraint) == (other.operation, other.place, other.constraint)


def _proof(rows: Rows, ask: Ask, used: Used, handle: int) -> Replayed | None:
    sample = used.samples[handle]
    seen = sample.gradient if sample.gradient is not None else _of_traced(rows.session, ask, handle)
    gradients = [seen] if seen is not None else [np.full(sample.value.shape, size) for size in _SIZES]
    proofs = []
    for gradient in gradients:
        proof = _lost(used, sample, gradient)
        if proof is None:
            return None
        proofs.append(proof)
    if seen is not None:
        return proofs[0]
    same = all(_agree(proof, proofs[0]) for proof in proofs) and (proofs[0].operation or proofs[0].constraint)
    return _of_any(proofs[1]) if same else None


def _of_any(proof: Replayed) -> Replayed:
    return msgspec.structs.replace(proof, any_gradient=True)


def _lost(used: Used, sample: Sample, gradient: Any) -> Replayed | None:
    """Why an update with this gradient moves nothing; None when it does, or when no copy of it moves either."""
    try:
        own = run(used, sample, gradient, sample.dtype, sample.constraint)
        if own is None or own.moved:
            return None
        if sample.constraint is not None:
            free = run(used, sample, gradient, sample.dtype, None)
            if free is not None and free.moved:
                name = getattr(sample.constraint, "__name__", "") or type(sample.constraint).__name__
                return Replayed(dtype=sample.dtype, optimizer=used.name, constraint=name)
        wide = run(used, sample, gradient, _WIDE, sample.constraint) if sample.dtype != _WIDE else None
    except Exception:  # a copy of the program's own optimizer may refuse in any way: then nothing is proved
        return None
    if wide is None or not wide.moved:
        return None
    found = _compared(used.name, sample.dtype, own, wide)
    float32 = run(used, sample, gradient, "float32", sample.constraint) if sample.dtype != "float32" else None
    remedy = f'the policy "mixed_{sample.dtype}"' if sample.dtype in ("float16", "bfloat16") else ""
    moves = float32 is not None and float32.moved
    return msgspec.structs.replace(found, moves_in_float32=moves, remedy=remedy)


def _compared(optimizer: str, dtype: str, own: _Run, wide: _Run) -> Replayed:
    for narrow, other in zip(own.results, wide.results):
        if narrow.op != other.op:
            break  # the two took different ways from here on
        if not _is_lost(narrow.peak) or _is_lost(other.peak) or narrow.place is None:
            continue
        return Replayed(
            dtype=dtype,
            wide=_WIDE,
            optimizer=optimizer,
            operation=Sources().expression(narrow.place),
            place=narrow.place,
            value=narrow.peak,
            wide_value=other.peak,
            operands=(_numbers(narrow.operands), _numbers(other.operands)),
        )
    change = np.abs(wide.after - wide.before).reshape(-1)
    at = int(change.argmax())
    value = abs(float(own.before.reshape(-1)[at]))
    spacing = _epsilon(dtype) * 2.0 ** math.floor(math.log2(value)) if value else None
    return Replayed(
        dtype=dtype, wide=_WIDE, optimizer=optimizer, value=float(change[at]), wide_value=value, spacing=spacing
    )


def _is_lost(peak: float) -> bool:
    return peak == 0 or not math.isfinite(peak)


def _numbers(peaks: Sequence[float]) -> str:
    return ", ".join(f"{peak:.6g}" for peak in peaks)


def _epsilon(dtype: str) -> float:
    return float({"bfloat16": 2.0**-7, "float16": 2.0**-10, "float32": 2.0**-23}.get(dtype, 2.0**-52))


def run(used: Used, sample: Sample, gradient: Any, dtype: str, constraint: Any) -> _Run | None:
    """Update a copy of a variable once, by a copy of the optimizer."""
    optimizer = used.remade() if used.remade is not None else None
    if optimizer is None:
        return None
    value = tf.cast(sample.value, dtype)
    if packages.generation_of(optimizer) == 3:
        import keras

        variable = keras.Variable(value, dtype=dtype, name="replayed")
        variable.constraint = constraint
    else:
        variable = tf.Variable(value, constraint=constraint, name="replayed")
    if hasattr(optimizer, "build"):
        optimizer.build([variable])
    optimizer.iterations.assign(sample.step)
    given = _cast(gradient, dtype)
    results: list[_Result] = []
    before = _array(variable)
    watching = _watching(results)
    op_callbacks.add_op_callback(watching)
    try:
        optimizer.apply_gradients([(given, variable)])
    finally:
        op_callbacks.remove_op_callback(watching)
    return _Run(before, _array(variable), results)


def _cast(gradient: Any, dtype: str) -> Any:
    if isinstance(gradient, tuple):
        values, indices, shape = gradient
        return tf.IndexedSlices(tf.cast(values, dtype), tf.constant(indices), tf.constant(shape))
    return tf.cast(gradient, dtype)


def _array(variable: Any) -> np.ndarray[Any, Any]:
    return np.asarray(tf.cast(tf.convert_to_tensor(variable), _WIDE))


def _watching(results: list[_Result]) -> Callable[..., None]:
    inside = False

    def watch(op: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        nonlocal inside
        name = op.decode() if isinstance(op, bytes) else str(op)
        if inside or graph is not None or name in _NO_ARITHMETIC:
            return
        inside = True  # to look at a value casts it
        try:
            made = [_peak(each) for each in outputs if _is_floating(each)]
            if made:
                operands = tuple(_peak(each) for each in inputs if _is_floating(each))
                results.append(_Result(name, max(made), operands, _place(sys._getframe(1))))
        finally:
            inside = False

    return watch


def _is_floating(tensor: Any) -> bool:
    return hasattr(tensor, "dtype") and tensor.dtype.is_floating and hasattr(tensor, "_numpy")


def _peak(tensor: Any) -> float:
    array = np.asarray(tf.cast(tensor, _WIDE))
    return float(np.abs(array).max()) if array.size else 0.0


def _place(frame: Any) -> Location | None:
    """The line of the optimizer: of the innermost frame whose `self` updates variables."""
    while frame is not None:
        local = frame.f_locals
        if packages.kind_of(local.get("self")) == "optimizer" and not _hands_on(frame.f_code.co_name):
            return locations.of_frame(frame)
        frame = frame.f_back
    return None


def _hands_on(function: str) -> bool:
    return function.startswith(("assign", "_distributed", "apply_grad"))


def is_large(session: Any, ask: Ask, handle: int) -> bool:
    """Return whether the gradient of a variable in a copy of its traced step is more than what rounding may leave."""
    gradient = _of_traced(session, ask, handle)
    return gradient is not None and bool(np.abs(gradient).max() > FAINT)


def _of_traced(session: Any, ask: Ask, handle: int) -> Any:
    """The gradient of a variable in a copy of its traced step; None where there is none."""
    from tensorwhy.adapters.tensorflow.replays.graph_steps import Looked

    looked = session.tapes.stalled.kept.get((ask.place, ask.owner)) if ask.owner else None
    if not isinstance(looked, Looked) or handle not in looked.step.reads:
        return None
    from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph

    try:
        return ObservedGraph(looked.step, [handle], looked.arguments).answer().gradients.get(handle)
    except Exception:  # a copy of a step may refuse in any way: then nothing is known of its gradient
        return None
