"""Describes symbolic tensors without touching anything that may be gone.

In TensorFlow up to 2.12 the graph of a collected function is emptied, and its tensors then point at freed memory:
`name`, `op.type` or any use of them can end the process. So the Python attributes are looked at first, and a tensor
whose graph was taken apart is described from those alone.
"""

from __future__ import annotations

import os
import re
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.framework.func_graph import FuncGraph

from tensorwhy.model.facts.graph import GraphKind, GraphRef, Symbolic
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode

_DEEPEST = 400
_FIRST_VALUE = "backend/common/variables.py", "value"
# Operations by which something comes into a graph.
_GIVEN = ("Placeholder", "VarHandle", "Variable")
_SCRATCH = re.compile(r"(?P<layer>.*?)scratch_graph(_\d+)?")
_DATASET = re.compile(
    r"Dataset_(flat_map|take_while|group_by_window|bucket_by_sequence_length|[a-z]+)_(?P<function>.+)"
)


def is_symbolic(value: Any) -> bool:
    """Return whether this is a tensor of a graph: neither eager, nor a variable, nor a Keras tensor."""
    kind = type(value)
    return issubclass(kind, tf.Tensor) and not issubclass(kind, ops.EagerTensor)


def graph_of(tensor: Any) -> Any | None:
    """The tensor's graph; None when it was taken apart."""
    op = vars(tensor).get("_op") if "_op" in getattr(tensor, "__dict__", {}) else None
    if op is not None:  # TensorFlow up to 2.12: Python objects
        graph = vars(op).get("_graph")
        return graph if graph is not None and vars(graph) else None
    return tensor.graph


def twins(one: Any, other: Any) -> bool:
    """Return whether two traces of one function made these tensors, by the same operation."""
    if not (is_symbolic(one) and is_symbolic(other)):
        return False
    graph, twin = graph_of(one), graph_of(other)
    if graph is None or twin is None or graph is twin:
        return False
    if not (is_function_graph(graph) and is_function_graph(twin)):
        return False
    return bool(graph.name == twin.name and one.name == other.name)


def is_function_graph(graph: Any) -> bool:
    return isinstance(graph, FuncGraph)


def called_graph(graph: Any, name: str) -> Any | None:
    """The graph of a function that operations of this graph call by its name, where it is still there."""
    held = getattr(graph, "_functions", {}).items()
    function = next((each for key, each in held if name == (key.decode() if isinstance(key, bytes) else key)), None)
    # From 2.13 on, `graph` builds one where there is none.
    return getattr(function, "_cached_graph" if hasattr(function, "_cached_graph") else "graph", None)


def is_finished(graph: Any) -> bool:
    """True if the trace that made this graph has come to its end. False also for one that was given up half-way."""
    return bool(
        graph.structured_outputs is not None
        or graph.outputs
        or graph.control_outputs
        or getattr(graph, "_weak_variables", None)
    )


def is_constant(tensor: Any) -> bool:
    """Return whether nothing that the traced function was given went into this, neither an argument nor a variable."""
    seen: set[Any] = set()
    queue = [tensor.op]
    while queue:
        operation = queue.pop()
        if operation.type.startswith(_GIVEN) or operation.type in ("Arg", "IteratorGetNext") or len(seen) > _DEEPEST:
            return False
        if reads_first_value(stack_of(operation)):
            return False
        seen.add(operation.name)
        queue += [each.op for each in operation.inputs if each.op.name not in seen]
    return True


def reads_first_value(stack: list[tuple[str, int, str]]) -> bool:
    """True if something was made for a reader of a variable of Keras 3, which had no value yet but its initializer."""
    module, method = _FIRST_VALUE
    return any(name == method and file.replace("\\", "/").endswith(module) for file, _, name in stack)


def encloses(outer: Any, inner: Any) -> bool:
    """Return whether `outer` is `inner` or one of the graphs around it, whose tensors may be captured."""
    while inner is not None:
        if inner is outer:
            return True
        inner = getattr(inner, "outer_graph", None)
    return False


def describe_operation(operation: Any, user: UserCode) -> Symbolic:
    """What is known of an operation of a living graph, which may have no tensor at all."""
    stack = stack_of(operation)
    calls = user_calls(stack, user)
    return Symbolic(
        name=operation.name,
        op=operation.type,
        created=calls[-1] if calls else None,
        calls=calls,
        graph=describe_graph(operation.graph, stack, user),
    )


def describe(tensor: Any, user: UserCode) -> Symbolic:
    """What is known of a symbolic tensor, whether its graph still lives or not."""
    graph = graph_of(tensor)
    if graph is None:
        held = vars(tensor)
        return Symbolic(
            name=str(held.get("_name") or ""),
            dtype=_dtype(held.get("_dtype")),
            shape=_shape(held.get("_shape_val")),
        )
    stack = traceback_of(tensor)
    calls = user_calls(stack, user)
    return Symbolic(
        name=tensor.name,
        op=tensor.op.type,
        dtype=_dtype(tensor.dtype),
        shape=_shape(tensor.shape),
        created=calls[-1] if calls else None,
        calls=calls,
        graph=describe_graph(graph, stack, user),
    )


def _dtype(dtype: Any) -> str:
    return str(getattr(dtype, "name", "") or "")


def _shape(shape: Any) -> tuple[int | None, ...] | None:
    if shape is None or getattr(shape, "rank", None) is None:
        return None
    return tuple(shape.as_list())


def traceback_of(tensor: Any) -> list[tuple[str, int, str]]:
    """File, line and function of all frames at the tensor's creation, outermost first."""
    return stack_of(tensor.op)


def stack_of(operation: Any) -> list[tuple[str, int, str]]:
    """Indexed from the end one by one: converting the whole C++ stack at once is slow on deep stacks."""
    stack = operation.traceback
    if stack is None:
        return []
    count = min(len(stack), _DEEPEST)
    frames = [stack[index] for index in range(-1, -count - 1, -1)]
    return [(str(frame.filename), int(frame.lineno or 0), str(frame.name)) for frame in reversed(frames)]


def made_inside(tensor: Any, user: UserCode) -> bool:
    """True if the user's code was running in the trace that made the tensor, rather than only what began the trace."""
    stack = traceback_of(tensor) if graph_of(tensor) is not None else []
    traced = next((index for index, (_, _, name) in enumerate(stack) if name == "func_graph_from_py_func"), -1)
    return any(user.owns(file) for file, _, _ in stack[traced + 1 :]) or not stack


def user_calls(stack: list[tuple[str, int, str]], user: UserCode) -> tuple[Location, ...]:
    return tuple(location(*frame) for frame in stack if user.owns(frame[0]))


def location(file: str, line: int, function: str) -> Location:
    return Location(file=file if file.startswith("<") else os.path.abspath(file), line=line, function=function)


def describe_graph(graph: Any, stack: list[tuple[str, int, str]] | None, user: UserCode) -> GraphRef:
    """Which kind of graph this is, as people know it."""
    if not is_function_graph(graph):
        return GraphRef(kind="plain")
    name = str(graph.name)
    kind = _kind(graph, name)
    if kind == "dataset" and any(_loops_over_dataset(*frame) for frame in stack or ()):
        kind = "loop"
    if kind == "scratch":
        return GraphRef(kind=kind, name=_scratch_owner(name), call=_outside_keras(stack or [], user))
    return GraphRef(kind=kind, name=_vectorized(stack or [], user) or _traced_name(name))


def _vectorized(stack: list[tuple[str, int, str]], user: UserCode) -> str:
    """The user's function that `tf.vectorized_map` or a Jacobian runs once, in a function of TensorFlow's own."""
    mapping = ["/ops/parallel_for/" in file.replace(os.sep, "/") for file, _, _ in stack]
    traced = [index for index, (_, _, function) in enumerate(stack) if function == "func_graph_from_py_func"]
    if not traced or not any(mapping[: traced[-1]]):
        return ""
    own = next((index for index in range(traced[-1], len(stack)) if user.owns(stack[index][0])), None)
    return stack[own][2].rpartition(".")[2] if own is not None and any(mapping[traced[-1] : own]) else ""


def _kind(graph: Any, name: str) -> GraphKind:
    """Keras and the control-flow functions of TensorFlow give the graphs that they trace these names."""
    if name in ("build_graph", "keras_graph") or _SCRATCH.fullmatch(name):
        return "scratch"
    if name.startswith("Dataset_") or "_Dataset_" in name:
        return "dataset"
    type_name = type(graph).__name__
    if type_name == "CondBranchFuncGraph":
        return "branch"
    if type_name in ("WhileCondFuncGraph", "WhileBodyFuncGraph"):
        return "loop"
    return "function"


def _loops_over_dataset(file: str, line: int, function: str) -> bool:
    """AutoGraph makes a `for` over a dataset into a `scan` of that dataset."""
    return function == "_tf_dataset_for_stmt" or file.replace(os.sep, "/").endswith("data/ops/dataset_autograph.py")


def _scratch_owner(name: str) -> str:
    match = _SCRATCH.fullmatch(name)
    return match["layer"].rstrip("_") if match else ""


def _traced_name(name: str) -> str:
    """tf.data names its graphs after the transformation and the function: `Dataset_map_normalise`."""
    match = _DATASET.fullmatch(name)
    function = match["function"] if match else name
    # A callable object goes by its class.
    return function.rpartition(".")[2] if function.startswith("class_") else function


def _outside_keras(stack: list[tuple[str, int, str]], user: UserCode) -> Location | None:
    """The user's innermost line that called into Keras' tracing of a layer or a model."""
    best: Location | None = None
    last: Location | None = None
    for file, line, function in stack:
        if user.owns(file):
            last = location(file, line, function)
        elif _traces_a_layer(file, function) and last is not None:
            best = last
    return best


def _traces_a_layer(file: str, function: str) -> bool:
    path = file.replace(os.sep, "/")
    return "/keras/" in path and (
        (function == "build" and path.endswith("training.py"))
        or function in ("_infer_output_signature", "_keras_tensor_symbolic_call", "compute_output_spec")
    )
