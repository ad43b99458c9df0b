"""A copy of a traced step that is executed with one batch after the other: what are its loss and its gradients?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from tensorflow.python.eager import context
from tensorflow.python.ops import gradients_impl

from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay, session_of
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep
from tensorwhy.adapters.tensorflow.replays.undo import Undo


class Answer(NamedTuple):
    """What one batch gives. `gradients`: by the handles of variables, of all reads together."""

    targets: list[Any]
    gradients: dict[int, Any]


class Trial:
    """One step. `values` stand in for those of variables, by their handles; the first batch tells what shapes it has.

    Raises what TensorFlow raises of a graph that cannot be executed in a copy.
    """

    def __init__(
        self, step: GraphStep, handles: Iterable[int], arguments: Mapping[str, Any], values: Mapping[int, Any]
    ) -> None:
        step = inlined(step)
        self.handles = [handle for handle in handles if handle in step.reads]
        first = self.handles[0] if self.handles else None
        replay = GraphReplay(step, first, first is not None, lambda tensor: "", arguments)
        self.made_up = replay.made_up
        self._reads = step.reads
        self._shapes = {name: np.shape(value) for name, value in arguments.items()}
        self._feeds = replay.feeds | with_values(step, values)
        self._graph, self._targets, _ = replay.built(Undo(watch=True))
        # The copy has what leads to the loss: a loss that ignores its labels needs none.
        known = {f"{operation.name}:0" for operation in self._graph.get_operations()}
        self._unused = {name for name in {*self._feeds, *arguments} if name not in known}
        names = [name for handle in self.handles for name in step.reads[handle]]
        with context.graph_mode(), self._graph.as_default():
            asked = [self._graph.get_tensor_by_name(name) for name in names]
            slopes = gradients_impl.gradients(self._targets, asked)
            self._slopes = {name: slope for name, slope in zip(names, slopes) if slope is not None}
            self._session = session_of(self._graph)

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a batch has the shapes of the first one, which random numbers were drawn for."""
        return {name: np.shape(value) for name, value in arguments.items()} == self._shapes

    def run(self, arguments: Mapping[str, Any]) -> Answer:
        """Execute the step with a batch."""
        feeds = {name: value for name, value in {**self._feeds, **arguments}.items() if name not in self._unused}
        targets, slopes = self._session.run([self._targets, self._slopes], feeds)
        gradients = {}
        for handle in self.handles:
            dense = [_values(slopes[name]) for name in self._reads[handle] if name in slopes]
            if dense:
                same = all(each.shape == dense[0].shape for each in dense)
                gradients[handle] = sum(dense[1:], dense[0]) if same else dense[0]
        return Answer([np.asarray(each) for each in targets], gradients)


def with_values(step: GraphStep, values: Mapping[int, Any]) -> dict[str, Any]:
    """Return the feeds that give variables these values, by their handles."""
    return {name: value for handle, value in values.items() for name in step.reads.get(handle, ())}


def _values(gradient: Any) -> Any:
    array = np.asarray(getattr(gradient, "values", gradient))
    return array.astype(np.float32) if array.dtype.name in ("bfloat16", "float16") else array
