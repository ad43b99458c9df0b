"""How each variable fared: the norm of its gradient at some steps, and whether its value ever changed.

Norms are taken at the first calls of each call site and then ever more rarely, from gradients that are there already,
so a long training pays next to nothing. Of a step inside a traced function no values are seen: there only None is
known, and whether the variable changed from call to call.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.adapters.tensorflow.variables.answers import Gradients
from tensorwhy.adapters.tensorflow.variables.updates import due
from tensorwhy.adapters.tensorflow.variables.watched import Watched
from tensorwhy.adapters.turns import turn

GradientState = Literal["flows", "zero", "none", "unknown"]
Norm = float | Literal["nan", "inf"] | None
MOST = 20_000
"""Variables that are looked at; a model has fewer."""
_EVERY = 1_000
"""So many steps are looked at one by one, when somebody asks about a variable."""


class Norms:
    """`taken`: variable's handle -> call site -> (number of the call, norm). `unseen`: answered, without a value.

    With `every`, no step is left out: somebody asks about a variable.
    """

    def __init__(self) -> None:
        self.taken: dict[int, dict[int, list[tuple[int, Norm]]]] = {}
        self.unseen: set[int] = set()
        self.every = False
        self._counts: dict[int, int] = {}

    def seen(self, place: int, raw: Any, gradients: Gradients) -> None:
        """A gradient was computed at a call site. `raw` are the sources as the user gave them."""
        count = self._counts[place] = self._counts.get(place, 0) + 1
        number, share = turn(count, len(gradients))
        if not (due(number) or (self.every and count <= _EVERY)) or len(self.taken) > MOST:
            return
        for at in share if count > 1 else range(len(gradients)):
            handle = getattr(resource(raw[at]), "_id", None)
            if type(handle) is not int:
                continue
            array = gradients.array(at) if at in share else None
            if gradients.given[at] is None or array is not None:
                norm = None if array is None else norm_of(array)
                self.taken.setdefault(handle, {}).setdefault(place, []).append((count - 1, norm))
            else:
                self.unseen.add(handle)


def norm_of(array: np.ndarray[Any, Any]) -> float | Literal["nan", "inf"]:
    """The Euclidean norm, in single precision while that holds it."""
    flat = np.abs(array.reshape(-1)).astype(np.float32, copy=False)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        total = float(np.dot(flat, flat))
        if not math.isfinite(total) or total < 1e-30:
            total = float(np.dot(flat.astype(np.float64), flat.astype(np.float64)))
    if math.isnan(total):
        return "nan"
    return "inf" if math.isinf(total) else math.sqrt(total)


def updated(watched: Watched) -> bool | None:
    """Return whether its value changed between two calls; None when it was not seen after two.

    The look before the first call is left out: a variable may get its initial value in that call.
    """
    sites = [{value for step, value in seen if step} for seen in watched.seen.values()]
    often = any(sum(step > 0 for step, _ in seen) > 1 for seen in watched.seen.values())
    return any(len(values) > 1 for values in sites) if often else None


def gradient_state(norms: list[Norm], unseen: bool, changed: bool | None) -> GradientState:
    """What the answers have in common; a gradient that came even once flows."""
    if any(norm not in (None, 0.0) for norm in norms) or (unseen and changed):
        return "flows"
    if 0.0 in norms:
        return "zero"
    return "none" if norms and not unseen else "unknown"
