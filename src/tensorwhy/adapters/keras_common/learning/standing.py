"""Models that a call of `fit` left as they were: the program's own `train_step` made no update."""

from __future__ import annotations

from typing import Any, NamedTuple

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common.learning.settings import is_own, place
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable

still: dict[Location, Still] = {}
"""By the place of the training call."""
_UPDATES: dict[Location, int | None] = {}


def clear() -> None:
    """Forget what was seen."""
    _UPDATES.clear()
    still.clear()


class Still(NamedTuple):
    """A model that was trained by the program's own `train_step`, and whose optimizer made no update."""

    step: Location
    variables: tuple[Variable, ...]


def _updates(model: Any) -> int | None:
    """How many updates the optimizer of a model has made; None where that cannot be read."""
    known = vars(getattr(model, "optimizer", None) or object)
    if "_iterations" not in known:
        return None
    if known["_iterations"] is None:  # Keras 2 begins to count with the first update, or when it is asked
        return 0
    counted = known["_iterations"]
    counted = getattr(counted, "_value", counted)
    handle = getattr(counted, "handle", None)
    found = variable_values.value(handle, counted.dtype) if handle is not None else None
    return int(found) if found is not None else None


def begins(model: Any, at: Location) -> None:
    """A call of `fit` begins."""
    _UPDATES[at] = _updates(model)


def ends(model: Any, at: Location) -> None:
    """A call of `fit` is over."""
    before, now = _UPDATES.pop(at, None), _updates(model)
    still.pop(at, None)
    if now is None or before != now or not is_own(model, "train_step"):
        return
    named = [
        Variable(tensor=-1, name=str(getattr(each, "path", "") or each.name).partition(":")[0])
        for each in getattr(model, "trainable_weights", ())
    ]
    if named:
        still[at] = Still(place(type(model).train_step), tuple(named))
