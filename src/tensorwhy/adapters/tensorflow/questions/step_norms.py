"""The norms of gradients inside of a compiled step, when somebody asks about them.

A compiled step shows no values. After some of its calls the part of its graph that the loss was computed from is
executed once more, in a copy, on the first rows of what the call was given and with the weights as they are then.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

import numpy as np
from tensorflow.python.framework import errors

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions.stalled import Stalled, arguments_of
from tensorwhy.adapters.tensorflow.replays.graph_steps import calls_python, step_of
from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.variables.histories import Norms, norm_of

_SECONDS = 20.0
"""So long, in all, a program may be held up by this."""


class StepNorms:
    """Looks at compiled steps until its time is over. `after` is called when a function has run."""

    def __init__(self, recorder: Recorder, stalled: Stalled, norms: Norms) -> None:
        self._stalled = stalled
        self._norms = norms
        self._recorder = recorder
        self._spent = 0.0
        self._failed: set[tuple[int, int]] = set()

    def after(self, owner: int, step: int, given: Any) -> None:
        """A function, by its id, has run for the `step`th time; `given` is what it was called with."""
        began = time.perf_counter()
        active, self._recorder.active = self._recorder.active, False
        try:
            for place, graph, names in self._stalled.steps(owner):
                if self._spent < _SECONDS and (place, owner) not in self._failed:
                    self._look(place, owner, step, graph, names, given)
        finally:
            self._recorder.active = active
            self._spent += time.perf_counter() - began

    def _look(self, place: int, owner: int, step: int, graph: Any, names: Iterable[str], given: Any) -> None:
        kept = step_of(tuple(graph.get_tensor_by_name(name) for name in names))
        arguments = arguments_of(graph, given)
        if isinstance(kept, str) or calls_python(kept) or not arguments or not kept.reads:
            self._failed.add((place, owner))
            return
        try:
            copy = ObservedGraph(kept, kept.reads, arguments)
            gradients = {} if copy.made_up else copy.answer().gradients
            norms = {handle: norm_of(each.astype(np.float64)) for handle, each in gradients.items()}
            found = {handle: n if isinstance(n, str) or math.isfinite(n) else "inf" for handle, n in norms.items()}
        except (Impossible, errors.OpError, ValueError, TypeError, LookupError):  # what it never got before
            found = {}
        if not found:
            self._failed.add((place, owner))
        for handle, norm in found.items():
            self._norms.taken.setdefault(handle, {}).setdefault(place, []).append((step - 1, norm))
