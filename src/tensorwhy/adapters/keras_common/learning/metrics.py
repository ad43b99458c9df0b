"""Metrics that are functions of the program, whose text says that they are no mean over samples.

Keras takes the mean of what a metric gives for each batch. A sum over the whole batch then grows with the batch size,
and a root of each sample's mean is no root of the mean. The functions are read; none of them is called.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning.settings import Training, place
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, Severity
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_SUMS, _MEANS = ("sum", "reduce_sum"), ("mean", "reduce_mean")
_SQUARED = ("mse", "MSE", "mean_squared_error")
_USED: dict[types.CodeType, _Metric] = {}


class _Metric(NamedTuple):
    """A metric function, where its model was compiled, and with batches of which sizes it was used.

    `at` is what it returns, `root` says that this is a root of each sample, and not a sum.
    """

    name: str
    generation: int | None
    at: Location
    root: bool
    compiled: Location
    sizes: set[int]


def clear() -> None:
    """Forget what was seen."""
    _USED.clear()


def trains(training: Training) -> None:
    """A call of `fit` begins."""
    if training.compiled is None:
        return
    for function in _functions(training.model):
        known = _USED.get(function.__code__) or _read(function, training.model, training.compiled)
        if known is not None:
            _USED[function.__code__] = known
            known.sizes.update([training.size] if training.size is not None else [])


def tests(model: Any, size: int) -> None:
    """A call of `evaluate` begins, with so many samples in a batch."""
    for function in _functions(model):
        if function.__code__ in _USED:
            _USED[function.__code__].sizes.add(size)


def facts(generation: int) -> Iterator[Observed]:
    """Metrics whose value is not what their mean over batches is taken for."""
    found = (each for each in _USED.values() if each.generation == generation)
    yield from (_root(each) if each.root else _sum(each) for each in found)


def _functions(model: Any) -> Iterator[types.FunctionType]:
    held = getattr(model, "_compile_metrics", None) or getattr(model, "compiled_metrics", None)
    waiting = [getattr(held, "_user_metrics", None)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (list, tuple)):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, types.FunctionType) and not packages.is_keras_module(each.__module__):
            yield each


def _read(function: types.FunctionType, model: Any, compiled: Location) -> _Metric | None:
    sources, begins = Sources(), place(function)
    returned = _returned(function, sources)
    if not isinstance(returned, ast.Call):
        return None
    summed = reading.callee(returned) in _SUMS and _axis(returned) is None and _is_of_module(returned)
    root = _has_one_output(model) and _is_root(returned, function, sources)
    if not summed and not root:
        return None
    at = sources.place(begins.file, returned)
    return _Metric(function.__name__, packages.generation_of(model), at, root, compiled, set())


def _returned(function: types.FunctionType, sources: Sources) -> ast.expr | None:
    """Return the only expression that a function returns."""
    tree = sources.tree(function.__code__.co_filename)
    node = reading.definition(tree, function.__code__) if tree is not None else None
    found = reading.returns(node) if node is not None else ()
    return found[0] if len(found) == 1 else None


def _is_of_module(call: ast.Call) -> bool:
    """Return whether this is a function of a module, and no method of a tensor: `ops.sum(x)`."""
    return (
        isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, (ast.Name, ast.Attribute))
        and bool(call.args)
    )


def _axis(call: ast.Call) -> ast.expr | None:
    return reading.argument(call, 1, "axis")


def _is_root(call: ast.Call, function: types.FunctionType, sources: Sources) -> bool:
    """Return whether a call takes the root of a mean over the last axis alone."""
    inner = call.args[0] if reading.callee(call) == "sqrt" and len(call.args) == 1 else None
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
        called = function.__globals__.get(inner.func.id)
        if isinstance(called, types.FunctionType) and not packages.is_keras_module(called.__module__):
            inner = _returned(called, sources)
    if not isinstance(inner, ast.Call):
        return False
    axis = _axis(inner)
    last = axis is not None and ast.unparse(axis) == "-1"
    mean = reading.callee(inner) in _MEANS and last and _is_square(inner.args[0] if inner.args else None)
    return mean or reading.callee(inner) in _SQUARED


def _is_square(node: ast.expr | None) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Pow) and ast.unparse(node.right) in ("2", "2.0")
    return isinstance(node, ast.Call) and reading.callee(node) in ("square", "squared_difference")


def _has_one_output(model: Any) -> bool:
    outputs = getattr(model, "outputs", None)
    if not isinstance(outputs, (list, tuple)) or len(outputs) != 1:
        return False
    shape = tuple(outputs[0].shape)
    return len(shape) == 2 and shape[1] == 1


def _sum(metric: _Metric) -> Observed:
    sizes = sorted(metric.sizes)
    severity: Severity = "warning" if len(sizes) > 1 else "note"
    listed = f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]} samples" if len(sizes) > 1 else ""
    return Observed(
        slug="metric-misfit",
        message=f"the metric `{metric.name}` sums over the whole batch, and Keras shows the mean over batches: its "
        "value grows with the batch size",
        label="a sum over all axes, the samples included",
        location=metric.at,
        related=(Marked.at(metric.compiled, "the model is compiled with this metric here", "compiled"),),
        severity=severity,
        notes=(f"it was used with batches of {listed}",) if listed else (),
        fixes=(
            Fix(summary="return one value for each sample: reduce over all axes but the first"),
            Fix(summary="or, to count over a whole epoch, write a `keras.metrics.Metric` that keeps the sum"),
        ),
    )


def _root(metric: _Metric) -> Observed:
    return Observed(
        slug="metric-misfit",
        message=f"the metric `{metric.name}` is the mean absolute error: the model has one output, so the mean below "
        "the root is over one element",
        label="takes the root sample by sample, and Keras takes the mean of the roots",
        location=metric.at,
        related=(Marked.at(metric.compiled, "the model is compiled with this metric here", "compiled"),),
        severity="warning",
        fixes=(
            Fix(summary="use `keras.metrics.RootMeanSquaredError()`, which takes the root at the end of the epoch"),
        ),
    )
