"""Metrics that an evaluation reports, and that none of its steps updated.

Keras resets what `metrics` lists before it evaluates. A metric of the program's own that only `train_step` updates then
keeps what it was reset to, and that is what is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.keras_common.learning import certain
from tensorwhy.adapters.keras_common.learning.settings import is_own, place
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

_COUNT = "count"
"""The variable that each update of a mean moves, whatever it is given."""


def tested(model: Any, at: Location, result: Any) -> None:
    """An evaluation is over: were there metrics in its result that no step updated?"""
    certain.forget("unread", at)
    if not any(is_own(model, method) for method in ("train_step", "test_step")):
        return
    metrics = [each for each in model.metrics if hasattr(each, "result") and hasattr(each, "variables")]
    still = [(each, value) for each, value in _reported(metrics, result) if _is_still(each)]
    if still:
        certain.keep(_told(model, [each for each, _ in still], still[0][1], at), model, "unread", at)


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


def _told(model: Any, metrics: list[Any], value: float, at: Location) -> Observed:
    cls = type(model)
    listed = place(cls.metrics.fget) if is_own(model, "metrics") and isinstance(cls.metrics, property) else None
    tested = place(cls.test_step) if is_own(model, "test_step") else None
    trained = place(cls.train_step) if is_own(model, "train_step") else None
    made = [each for each in map(creations.made, metrics) if each is not None]
    names = ", ".join(f"`{each.name}`" for each in metrics[:3])
    where = tested or listed or at
    these = "these metrics" if len(metrics) > 1 else "this metric"
    step = "`test_step`" if tested is not None else "the `test_step` of Keras"
    return Observed(
        slug="stale-metric",
        message=f"the evaluation reports {value:g} for {names} because no step of it updates "
        f"{these}: {step} does not, and Keras resets what `metrics` lists",
        label="does not update it"
        if where is tested
        else "what `metrics` lists is reset and reported"
        if where is listed
        else "reported here",
        location=where,
        related=tuple(
            Marked.at(each, label, kind)
            for each, label, kind in (
                (at, "the evaluation", "used"),
                (listed, "what `metrics` lists is reset and reported", "listed"),
                (trained, "the step of training is this one", "trained"),
                *((each, "the metric is created here", "made") for each in made[:3]),
            )
            if each is not None and each is not where
        ),
        severity="warning",
        fixes=(
            Fix(
                summary=f"update {names} in `test_step`"
                + ("" if tested is not None else ", which the class has to define beside `train_step`")
            ),
            Fix(
                summary="or take it out of `metrics`, and call `reset_state` at the start of each epoch",
                caveat="the results of the evaluation are then those of the other metrics",
            ),
        ),
    )
