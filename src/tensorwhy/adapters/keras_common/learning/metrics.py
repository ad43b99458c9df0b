"""Metrics that are functions of the program, tried on a few samples when the program is over.

Keras takes the mean of what a metric gives for each batch. So a metric must not depend on how many samples a batch has:
the same samples twice must give the same value.
"""

from __future__ import annotations

import contextlib
import io
import types
import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning.settings import Training, place
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix, Severity

_ROWS, _TRIES = 6, 2
_NEAR, _OFF = 1e-4, 0.1
_LONGEST = 512
_SEEN: dict[types.CodeType, _Used] = {}


class _Used(NamedTuple):
    """A metric function, where its model was compiled and trained, with which sizes of batches, and a few targets."""

    function: weakref.ref[Any]
    generation: int | None
    compiled: Location
    sizes: set[int]
    targets: Any
    shape: tuple[int, ...]


def clear() -> None:
    """Forget what was seen."""
    _SEEN.clear()


def trains(training: Training) -> None:
    """A call of `fit` begins: keep what its metrics can be tried with."""
    if training.compiled is None:
        return
    for function in _functions(training.model):
        known = _SEEN.get(function.__code__)
        targets, shape = _samples(training) if known is None else (known.targets, known.shape)
        if targets is not None:
            sizes = known.sizes if known is not None else set()
            kept = _Used(
                weakref.ref(function),
                packages.generation_of(training.model),
                training.compiled,
                sizes | ({training.size} if training.size is not None else set()),
                targets,
                shape,
            )
            _SEEN[function.__code__] = kept


def tests(model: Any, size: int) -> None:
    """A call of `evaluate` begins, with so many samples in a batch."""
    for function in _functions(model):
        if function.__code__ in _SEEN:
            _SEEN[function.__code__].sizes.add(size)


def facts(generation: int) -> Iterator[Observed]:
    """Metrics whose value is not what their mean over batches is taken for."""
    for used in _SEEN.values():
        function = used.function()
        if function is None or used.generation != generation:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                yield from _tried(function, used)
        except Exception:  # a function of the program may refuse such samples in any way
            continue


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


def _samples(training: Training) -> tuple[Any, tuple[int, ...]]:
    """A few targets, and the shape of so many outputs of the model; None where they are not known."""
    import numpy as np

    targets = training.given.get("y")
    outputs = getattr(training.model, "outputs", None)
    if not isinstance(targets, np.ndarray) or targets.dtype.kind not in "fiub" or not targets.size:
        return None, ()
    if not isinstance(outputs, (list, tuple)) or len(outputs) != 1:
        return None, ()
    shape = tuple(outputs[0].shape)[1:]
    rows = np.array(targets[:_ROWS])
    if any(each is None for each in shape) or rows[0].size > _LONGEST:
        return None, ()
    if rows.ndim == 1:  # as Keras does
        rows = rows[:, None]
    return rows, (len(rows), *map(int, shape))


def _tried(function: Any, used: _Used) -> Iterator[Observed]:
    import numpy as np

    drawing = np.random.default_rng(0)
    shares, errors = [], []
    for _ in range(_TRIES):
        outputs = drawing.uniform(0.05, 0.95, used.shape).astype("float32")
        targets = used.targets.astype("float32")
        once = _value(function, targets, outputs)
        twice = _value(function, np.concatenate([targets] * 2), np.concatenate([outputs] * 2))
        if not (np.isfinite([once, twice]).all() and once):
            return
        shares.append(twice / once)
        if outputs.shape == targets.shape:
            gap = outputs - targets
            errors.append((once, float(np.abs(gap).mean()), float(np.sqrt(np.square(gap).mean()))))
    if abs(shares[0] - 1) > _OFF and max(shares) - min(shares) < _NEAR:
        yield _grows(function, used, shares[0])
    elif errors and used.shape[-1] == 1 and _takes_roots(function) and all(map(_is_absolute, errors)):
        yield _root(function, used)


def _is_absolute(found: tuple[float, float, float]) -> bool:
    """Return whether a value is the mean absolute error, and not the root of the mean squared error."""
    value, mean, root = found
    return abs(value - mean) < _NEAR * mean < abs(mean - root)


def _value(function: Any, targets: Any, outputs: Any) -> float:
    import sys

    import numpy as np

    constant = sys.modules["tensorflow"].constant
    return float(np.mean(np.asarray(function(constant(targets), constant(outputs)))))


def _takes_roots(function: Any) -> bool:
    """Return whether this function takes a square root, by its own code."""
    return "sqrt" in function.__code__.co_names or "sqrt" in function.__code__.co_consts


def _grows(function: Any, used: _Used, share: float) -> Observed:
    name, sizes = function.__name__, sorted(used.sizes)
    several = len(sizes) > 1
    severity: Severity = "warning" if several else "note"
    seen = f"; it was used with batches of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} samples" if several else ""
    return Observed(
        slug="metric-misfit",
        message=f"the metric `{name}` depends on the batch size: the same samples twice give {share:.3g} times the "
        "value, and Keras shows the mean over batches",
        label="its value is not a mean over the samples of a batch",
        location=place(function),
        related=(Marked.at(used.compiled, "the model is compiled with this metric here", "compiled"),),
        severity=severity,
        notes=(f"tried with {len(used.targets)} targets of `fit` and random outputs{seen}",),
        fixes=(
            Fix(summary="return one value for each sample: reduce over all axes but the first"),
            Fix(summary="or, to count over a whole epoch, write a `keras.metrics.Metric` that keeps the sum"),
        ),
    )


def _root(function: Any, used: _Used) -> Observed:
    return Observed(
        slug="metric-misfit",
        message=f"the metric `{function.__name__}` is the mean absolute error: the model has one output, so the mean "
        "below the root is over one element",
        label="takes the root sample by sample, and Keras takes the mean of the roots",
        location=place(function),
        related=(Marked.at(used.compiled, "the model is compiled with this metric here", "compiled"),),
        severity="warning",
        notes=(f"tried with {len(used.targets)} targets of `fit` and random outputs: it equals the mean of `|error|`",),
        fixes=(
            Fix(summary="use `keras.metrics.RootMeanSquaredError()`, which takes the root at the end of the epoch"),
        ),
    )
