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
from tensorflow.python.client import session as sessions
from tensorflow.python.eager import context
from tensorflow.python.framework import errors
from tensorflow.python.ops import gradients_impl

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions.stalled import Stalled, arguments_of
from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep, calls_python, step_of
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.undo import Undo
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
            kept = inlined(kept)
            replay = GraphReplay(kept, next(iter(kept.reads)), True, lambda tensor: "", arguments)
            found = {} if replay.made_up else _norms(kept, replay)
        except (Impossible, errors.OpError, ValueError, TypeError, LookupError):  # what it never got before
            found = {}
        if not found:
            self._failed.add((place, owner))
        for handle, norm in found.items():
            self._norms.taken.setdefault(handle, {}).setdefault(place, []).append((step - 1, norm))


def _norms(step: GraphStep, replay: GraphReplay) -> dict[int, Any]:
    """The norm of the gradient of each variable that the step reads, all its reads together."""
    graph, targets, _ = replay.built(Undo(watch=True))
    names = [name for each in step.reads.values() for name in each]
    with context.graph_mode(), graph.as_default(), sessions.Session(graph=graph) as session:
        slopes = gradients_impl.gradients(targets, [graph.get_tensor_by_name(name) for name in names])
        there = {name: slope for name, slope in zip(names, slopes) if slope is not None}
        values = session.run(there, replay.feeds)
    found: dict[int, Any] = {}
    for handle, reads in step.reads.items():
        arrays = [np.asarray(getattr(values[name], "values", values[name])) for name in reads if name in values]
        if arrays and all(array.shape == arrays[0].shape for array in arrays):
            norm = norm_of(np.sum([array.astype(np.float64) for array in arrays], axis=0))
            found[handle] = norm if isinstance(norm, str) or math.isfinite(norm) else "inf"
    return found
