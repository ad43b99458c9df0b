"""Writes the graphs of functions that were traced before the recording began, when they are first called in it.

A notebook traces its training step long before somebody puts `record()` around a call of it. The graph is still there:
it is the one of the object that TensorFlow calls, which is found in the frames of that call.
"""

from __future__ import annotations

from types import FrameType
from typing import TYPE_CHECKING, Any

from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.adapters.tensorflow.hooks import traced
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.journal import Frame

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.hooks.functions import Functions
    from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder

_FRAMES = 8
"""TensorFlow's own frames between the kernel's entry point and the function that is called (five in 2.21)."""
_MOST = 20_000
"""Operations of one graph that are worth the wait; of a larger function nothing is known."""
_AUTOGRAPH_RUNTIME = "/autograph/"


class Earlier:
    """Told of each function by name when it is first called; those that nobody saw traced are written now."""

    def __init__(self, recorder: Recorder, functions: Functions) -> None:
        self._recorder = recorder
        self._functions = functions
        self._met: set[str] = set()

    def called(self, name: str, frame: FrameType | None) -> None:
        """A function or a rare operation is called from `frame`."""
        if name in self._met or name in self._functions.by_name:
            return
        self._met.add(name)
        for _ in range(_FRAMES):
            if frame is None or self._recorder.files[frame.f_code.co_filename]:
                return
            owner = locals_of(frame).get("self") if "self" in frame.f_code.co_varnames[:1] else None
            if type(owner).__module__.startswith("tensorflow.") and _name(getattr(owner, "name", None)) == name:
                self._write(name, owner)
                return
            frame = frame.f_back

    def calls(self, graph: Any) -> None:
        """A new function is made of a graph: what it calls may have been traced earlier, and is called nowhere else."""
        for name, function in list(getattr(graph, "_functions", {}).items()):
            self._write(_name(name), function)

    def _write(self, name: str, function: Any) -> None:
        """Write the operations of a function, after those of the functions that it calls."""
        # From 2.13 on, `graph` builds one where there is none, which the program would then keep.
        graph = getattr(function, "_cached_graph" if hasattr(function, "_cached_graph") else "graph", None)
        if graph is None or name in self._functions.by_name:
            return
        operations = graph.get_operations()
        if len(operations) > _MOST:
            return
        outputs = getattr(function, "_func_graph_outputs", None) or graph.outputs
        self._functions.register(name, graph, graph.inputs, outputs)
        self.calls(graph)
        for operation in operations:
            if operation.type == "Placeholder":  # before 2.13, one in a loop's condition knows its output only
                traced.write(self._recorder, operation, operation.type, (), -1)
            else:
                place = self._place(operation)
                traced.write(self._recorder, operation, operation.type, operation.inputs, place)

    def _place(self, operation: Any) -> int:
        """The user's frames when the operation was created; TensorFlow kept their lines, without columns."""
        chain: list[Frame] = []
        between = False
        for file, line, function in reversed(symbolic.stack_of(operation)):
            if self._recorder.files[file]:
                if chain:
                    chain[-1] = Frame(chain[-1].location, direct=not between)
                chain.append(Frame(symbolic.location(file, line, function), direct=True))
                between = False
                if function == "<module>":
                    break
            elif _AUTOGRAPH_RUNTIME not in file:
                between = True
        return self._recorder.journal.known_place(tuple(chain)) if chain else -1


def _name(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
