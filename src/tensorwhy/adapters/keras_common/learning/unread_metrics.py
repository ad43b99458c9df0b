"""Metrics that an evaluation reports, and that none of its steps updated.

Keras resets what `metrics` lists before it evaluates. A metric of the program's own that only `train_step` updates then
keeps what it was reset to, and that is what is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning.settings import is_own, place
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

_COUNT = "count"
"""The variable that each update of a mean moves, whatever it is given."""


class _Unread(msgspec.Struct, frozen=True):
    metrics: tuple[str, ...]
    values: tuple[float, ...]
    made: tuple[Location, ...]
    listed: Location | None
    tested: Location | None
    trained: Location | None
    at: Location
    generation: int | None


_FOUND: dict[Location, _Unread] = {}


def clear() -> None:
    """Forget what was seen."""
    _FOUND.clear()


def tested(model: Any, at: Location, result: Any) -> None:
    """An evaluation is over: were there metrics in its result that no step updated?"""
    _FOUND.pop(at, None)
    if not any(is_own(model, method) for method in ("train_step", "test_step")):
        return
    metrics = [each for each in model.metrics if hasattr(each, "result") and hasattr(each, "variables")]
    still = [(each, value) for each, value in _reported(metrics, result) if _is_still(each)]
    if still:
        cls = type(model)
        _FOUND[at] = _Unread(
            metrics=tuple(str(each.name) for each, _ in still),
            values=tuple(value for _, value in still),
            made=tuple(made for each, _ in still if (made := creations.made(each)) is not None),
            listed=place(cls.metrics.fget) if is_own(model, "metrics") and isinstance(cls.metrics, property) else None,
            tested=place(cls.test_step) if is_own(model, "test_step") else None,
            trained=place(cls.train_step) if is_own(model, "train_step") else None,
            at=at,
            generation=packages.generation_of(model),
        )


def _reported(metrics: list[Any], result: Any) -> Iterator[tuple[Any, float]]:
    """The metrics with the values that an evaluation returned for them."""
    if isinstance(result, dict):
        yield from ((each, float(result[each.name])) for each in metrics if each.name in result)
        return
    values = result if isinstance(result, (list, tuple)) else [result]
    if len(values) == len(metrics):
        yield from zip(metrics, map(float, values))


def _is_still(metric: Any) -> bool:
    """Return whether the metric counts its updates, and has counted none."""
    counts = [each for each in metric.variables if str(each.name).partition(":")[0].rpartition("/")[2] == _COUNT]
    values = [_value(each) for each in counts]
    return bool(values) and all(each == 0 for each in values)


def _value(variable: Any) -> Any:
    held: Any = getattr(variable, "_value", None)
    inner = held if hasattr(held, "handle") else variable
    found = variable_values.value(inner.handle, inner.dtype) if hasattr(inner, "handle") else None
    return found if found is None else found.sum()


def facts(_: object, generation: int) -> Iterator[Observed]:
    """One fact for each evaluation."""
    yield from (_told(each) for each in _FOUND.values() if each.generation == generation)


def _told(found: _Unread) -> Observed:
    names = ", ".join(f"`{each}`" for each in found.metrics[:3])
    several = len(found.metrics) > 1
    where = found.tested or found.listed or found.at
    step = "`test_step`" if found.tested is not None else "the `test_step` of Keras"
    return Observed(
        slug="stale-metric",
        message=f"the evaluation reports {found.values[0]:g} for {names} because no step of it updates "
        f"{'these metrics' if several else 'this metric'}: {step} does not, and Keras resets what `metrics` lists",
        label="does not update it"
        if where is found.tested
        else "what `metrics` lists is reset and reported"
        if where is found.listed
        else "reported here",
        location=where,
        related=tuple(
            Marked.at(at, label, kind)
            for at, label, kind in (
                (found.at, "the evaluation", "used"),
                (found.listed, "what `metrics` lists is reset and reported", "listed"),
                (found.trained, "the step of training is this one", "trained"),
                *((each, "the metric is created here", "made") for each in found.made[:3]),
            )
            if at is not None and at is not where
        ),
        severity="warning",
        fixes=(
            Fix(
                summary=f"update {names} in `test_step`"
                + ("" if found.tested is not None else ", which the class has to define beside `train_step`")
            ),
            Fix(
                summary="or take it out of `metrics`, and call `reset_state` at the start of each epoch",
                caveat="the results of the evaluation are then those of the other metrics",
            ),
        ),
    )
