"""Has a traced step looked at once, when variables that it trains have stood still for several calls.

The function and its graph are alive while it is called, so that is when the look is taken: at the end of the program
a model that was made in a function is gone.
"""

from __future__ import annotations

import math
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tensorwhy.adapters.tensorflow.variables.arrays import is_zero
from tensorwhy.lineage.signal import Walk
from tensorwhy.model.location import Location

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.replays.graph_steps import Looked
    from tensorwhy.adapters.tensorflow.replays.observed_graph import Traced

_KEPT, _BYTES = 8, 64 << 20
"""So many steps are kept for experiments, with samples of so many bytes."""
_ROWS = 32
"""So many samples of what the function was given are looked at, or fewer."""
_FEW = 8
"""So many for the gradients of what stood still alone."""
_ELEMENTS = 8 << 20
"""So many numbers may be looked at, in all tensors of a step; one that has more for a single sample is passed over."""


class Stalled:
    """`alive` has, by call site and function, the variables that stood still and whose gradient is not zero all the
    same: too small for a step to change them.

    `executed` are copies of such steps, with all of their numbers, `skipped` the first outputs of loops that did not
    run, and `origins` tells where zeros that a step was given got their name. With `keeps`, the steps themselves stay
    for experiments in `kept`. `named` tells where the user's functions on the stack gave an object its name.
    """

    def __init__(self, named: Callable[[Any], Location | None]) -> None:
        self.keeps = False
        self.kept: dict[tuple[int, int], Looked | str] = {}
        self._size = 0
        self._named = named
        self.alive: dict[tuple[int, int], set[int]] = {}
        self.origins: dict[int, Location] = {}
        self.skipped: dict[tuple[int, int], set[int]] = {}
        self.executed: dict[tuple[int, int], Traced] = {}
        self._steps: dict[tuple[int, int], tuple[weakref.ref[Any], tuple[str, ...]]] = {}
        self._tried: set[tuple[int, int]] = set()

    def traced(self, place: int, owner: int, targets: Iterable[Any]) -> None:
        """A gradient of these symbolic tensors was asked for while a function was traced."""
        tensors = [target for target in targets if not hasattr(target, "_datatype_enum") and hasattr(target, "graph")]
        if tensors:
            self._steps[place, owner] = weakref.ref(tensors[0].graph), tuple(tensor.name for tensor in tensors)

    def captured(self, graph: Any) -> Iterator[tuple[Any, Any]]:
        """The handles of variables of floating numbers that a graph reads, each with its dtype."""
        from tensorflow.python.framework import dtypes

        from tensorwhy.adapters.tensorflow.replays.graph_steps import outside

        for _, internal in graph.captures:
            handle = outside(internal, graph) if internal.dtype == dtypes.resource else None
            data = getattr(handle, "_handle_data", None)
            if data is not None and len(data.shape_and_type) == 1:
                dtype = dtypes.as_dtype(data.shape_and_type[0].dtype)
                if dtype.is_floating:
                    yield handle, dtype

    def waiting(self, owner: int) -> list[int]:
        """The call sites within a function that were not looked at yet."""
        return [place for place, of in self._steps if of == owner and (place, owner) not in self._tried]

    def steps(self, owner: int) -> list[tuple[int, Any, tuple[str, ...]]]:
        """The call sites within a function, with its graph while that is there, and the names of their targets."""
        found = ((place, *self._steps[place, of]) for place, of in self._steps if of == owner)
        return [(place, graph, names) for place, held, names in found if (graph := held()) is not None]

    def look(self, place: int, owner: int, still: Iterable[int], args: Any) -> None:
        """Look at one step now, `args` being what the function was called with."""
        self._tried.add((place, owner))
        from tensorwhy.adapters.tensorflow.questions import skipped_loops
        from tensorwhy.adapters.tensorflow.replays import graph_steps

        reference, names = self._steps[place, owner]
        graph = reference()
        if graph is None:
            return
        step = graph_steps.step_of(tuple(graph.get_tensor_by_name(name) for name in names))
        if isinstance(step, str) or graph_steps.calls_python(step):
            return
        given = _given(graph, args)
        rows = _rows(given, sys.maxsize) if _within(given) else {}
        self.skipped[place, owner] = skipped_loops.skipped(graph, rows)
        self.origins.update(self._zeros(given))
        size = sum(math.prod(each or 1 for each in _shape(graph, name)) for name in step.tensors.values())
        still = list(still)
        if size > _ELEMENTS:
            self.alive[place, owner] = self._alive(step, still, _rows(given, _FEW))
            return
        most = min(_ROWS, _ELEMENTS // max(size, 1))
        arguments = {name: np.array(rows) for name, rows in _rows(given, most).items()}
        if any(handle in step.reads for handle in still):
            self._keep(place, owner, graph_steps.Looked(step, arguments))
        self._execute(place, owner, (step, graph), still, arguments)

    def _execute(
        self, place: int, owner: int, traced: tuple[Any, Any], still: list[int], arguments: dict[str, Any]
    ) -> None:
        """Execute a copy of the step with the gradient of each use, now that all it needs is alive."""
        from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph

        step, graph = traced
        try:
            found = ObservedGraph(step, still, arguments, inside=graph).executed()
        except _refusals():
            return  # a kernel that refuses what it never got before: then the step is not walked
        if found.step.sources:
            self.executed[place, owner] = found
            walk = Walk(found.step, found.step.sources)
            flowing = {handle for handle in found.step.sources if walk.state(handle) == "flows"}
            self.alive[place, owner] = set() if found.made_up else flowing

    def _alive(self, step: Any, still: list[int], arguments: dict[str, Any]) -> set[int]:
        """The variables that have a gradient, of a step with more numbers than a walk takes."""
        from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph

        if not arguments:
            return set()
        try:
            copy = ObservedGraph(step, still, arguments)
            found = {} if copy.made_up else copy.answer().gradients
        except _refusals():
            return set()
        return {handle for handle, gradient in found.items() if np.any(gradient)}

    def _keep(self, place: int, owner: int, looked: Looked) -> None:
        """Keep a step for an experiment: its nodes, and a few samples."""
        if not self.keeps:
            return
        self._size += sum(array.nbytes for array in looked.arguments.values())
        within = len(self.kept) < _KEPT and self._size <= _BYTES
        self.kept[place, owner] = looked if within else f"only {_KEPT} traced steps and 64 MB of samples are kept"

    def _zeros(self, given: list[tuple[Any, Any]]) -> Iterator[tuple[int, Location]]:
        """Where those arguments got their names that are zero everywhere."""
        for tensor, value in given:
            array = np.asarray(value)
            named = self._named(value) if array.size and array.dtype.kind in "fiub" and is_zero(array) else None
            if named is not None:
                yield tensor._id, named


def _refusals() -> tuple[type[Exception], ...]:
    from tensorflow.python.framework import errors

    from tensorwhy.adapters.tensorflow.replays.opening import Impossible

    return Impossible, errors.OpError, ValueError, TypeError, LookupError


def arguments_of(graph: Any, args: Any) -> dict[str, Any]:
    """The first rows of what a function was called with, by the names of its inputs."""
    return {name: np.array(rows) for name, rows in _rows(_given(graph, args), _ROWS).items()}


def _within(given: list[tuple[Any, Any]]) -> bool:
    """Return whether all that a function was given is little enough to be computed with as a whole."""
    return sum(np.asarray(value).size for _, value in given) <= _ELEMENTS


def _shape(graph: Any, name: str) -> list[int | None]:
    shape = graph.get_tensor_by_name(name).shape
    return list(shape.as_list()) if shape.rank is not None else []


def _given(graph: Any, args: Any) -> list[tuple[Any, Any]]:
    """The inputs of a function, each with what it was given; empty where they do not match."""
    from tensorflow import nest

    from tensorwhy.adapters.keras_common.learning import fitting

    inside = {id(internal) for _, internal in graph.captures}
    inputs = [tensor for tensor in graph.inputs if id(tensor) not in inside]
    taken = [op for op in graph.get_operations() if op.type == "IteratorGetNext"]
    inputs = list(taken[0].outputs) if taken else inputs
    given = nest.flatten(fitting.given[-1] if fitting.given else args)
    arrays = [each for each in given if isinstance(each, np.ndarray) or hasattr(each, "_datatype_enum")]
    return list(zip(inputs, arrays)) if len(arrays) == len(inputs) else []


def _rows(given: list[tuple[Any, Any]], most: int) -> dict[str, Any]:
    """The first rows of what a function was given, by the names of its inputs; empty where their shapes differ."""
    found = {}
    for tensor, value in given:
        array = np.asarray(value)
        rows = array[: (tensor.shape[0] if tensor.shape.rank else None) or most] if array.ndim else array
        rows = rows[:, None] if tensor.shape.rank == array.ndim + 1 == 2 else rows  # as Keras makes columns of targets
        if tensor.shape.rank != rows.ndim or not tensor.shape.is_compatible_with(rows.shape):
            return {}
        found[tensor.name] = rows.astype(tensor.dtype.as_numpy_dtype)
    return found
