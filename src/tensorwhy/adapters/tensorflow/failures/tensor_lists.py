"""Reads the tensor lists of a graph, which is what a TensorArray becomes there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.tensorflow.graphs import symbolic


def element_dtype(handle: Any) -> Any:
    """The dtype that a list was made for; None when the graph does not say."""
    from tensorflow.python.framework import dtypes

    data = _handle_data(handle)
    return dtypes.as_dtype(data.dtype) if data is not None else None


def _handle_data(handle: Any) -> Any:
    try:
        from tensorflow.python.ops import handle_data_util
    except ImportError:  # pragma: no cover
        return None
    data = handle_data_util.get_resource_handle_data(handle)
    return data.shape_and_type[0] if data is not None and data.is_set and data.shape_and_type else None


def stored_value(handle: Any) -> Any:
    """The tensor that was stored last in a list: followed through the loop that filled it. None when not found."""
    write = last_write(handle)
    return write.inputs[2] if write is not None else None


def last_write(handle: Any) -> Any:
    """The TensorListSetItem whose result this handle is; None when it is not one."""
    for _ in range(20):
        operation = handle.op
        if operation.type == "TensorListSetItem":
            return operation
        if operation.type in ("Identity", "TensorListResize"):
            handle = operation.inputs[0]
        elif operation.type in ("While", "StatelessWhile"):
            body = body_graph(operation)
            if body is None:
                return None
            handle = body.outputs[handle.value_index]
        else:
            return None
    return None


def body_graph(loop: Any) -> Any:
    """The FuncGraph of a While's body; None when its function is gone."""
    return symbolic.called_graph(loop.graph, loop.get_attr("body").name)


def first_handle(handle: Any) -> Any:
    """The handle as it was when the list was made: followed back through writes, loops and captures."""
    for _ in range(40):
        operation = handle.op
        if operation.type in ("TensorListSetItem", "TensorListResize", "Identity", "TensorListPushBack"):
            handle = operation.inputs[0]
        elif operation.type in ("While", "StatelessWhile"):
            handle = operation.inputs[handle.value_index]
        else:
            outer = outside(handle)
            if outer is None:
                return handle
            handle = outer
    return handle


def outside(tensor: Any) -> Any:
    """What a placeholder of a loop's or branch's graph stands for in the graph around it; None when it is none."""
    graph = tensor.graph
    for external, internal in getattr(graph, "captures", None) or ():
        if internal is tensor:
            return None if hasattr(external, "numpy") else external
    loop, position = _loop_of(tensor)
    return loop.inputs[position] if loop is not None and position < len(loop.inputs) else None


def _loop_of(tensor: Any) -> tuple[Any, int]:
    """The loop that an input of a loop's graph belongs to, and which of its values that is; None when it is none."""
    graph = tensor.graph
    around = getattr(graph, "outer_graph", None)
    position = next((index for index, each in enumerate(getattr(graph, "inputs", ())) if each is tensor), -1)
    for operation in around.get_operations() if around is not None and position >= 0 else ():
        if operation.type in ("While", "StatelessWhile"):
            names = operation.get_attr("body").name, operation.get_attr("cond").name
            if any(name == graph.name or name.startswith(graph.name + "_") for name in names):
                return operation, position
    return None, -1


def _after_loop(handle: Any) -> Iterator[Any]:
    """What a loop gives out for a value that its body hands on unchanged, and what merely stands for that."""
    loop, position = _loop_of(handle) if handle.op.type == "Placeholder" else (None, -1)
    outputs = getattr(handle.graph, "outputs", ())
    if loop is None or not position < len(outputs):
        return
    handed_on = outputs[position]
    if handed_on is not handle and not (handed_on.op.type == "Identity" and handed_on.op.inputs[0] is handle):
        return
    waiting = [loop.outputs[position]]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += [each.outputs[0] for each in found.consumers() if each.type == "Identity"]


READS = frozenset({"TensorListStack", "TensorListGetItem", "TensorListConcatV2", "TensorListGather"})


_CHANGES = frozenset({"TensorListSetItem", "TensorListPushBack", "TensorListPopBack"})


def ignored_writes(graph: Any) -> list[tuple[Any, Any]]:
    """Writes to a list whose result nothing uses, each with an operation that reads the list without it."""
    from tensorwhy.adapters.tensorflow.failures import failed_node

    graphs = list(failed_node.nested(graph))
    found = []
    for each in graphs:
        returned = {id(output) for output in each.outputs}
        for operation in each.get_operations():
            if operation.type != "TensorListSetItem":
                continue
            result = operation.outputs[0]
            if result.consumers() or id(result) in returned:
                continue
            reader = _reader(operation)
            if reader is not None:
                found.append((operation, reader))
    return found


def _reader(write: Any) -> Any:
    """An operation that reads the same state of the list that the write began from."""
    handle = write.inputs[0]
    for _ in range(10):
        for state in (handle, *_after_loop(handle)):
            for consumer in state.consumers():
                if consumer is not write and consumer.type in READS:
                    return consumer
        earlier = outside(handle) if handle.op.type == "Placeholder" else _unresized(handle)
        if earlier is None:
            return None
        handle = earlier
    return None


def _unresized(handle: Any) -> Any:
    """The list before it was made longer where it is too short, which TensorFlow up to 2.12 does in a branch."""
    operation = handle.op
    if operation.type in ("Identity", "TensorListResize"):
        return operation.inputs[0]
    if operation.type not in ("If", "StatelessIf"):
        return None
    names = [operation.get_attr(f"{each}_branch").name for each in ("then", "else")]
    graphs = [symbolic.called_graph(operation.graph, name) for name in names]
    if any(each is None or any(op.type in _CHANGES for op in each.get_operations()) for each in graphs):
        return None
    lists = [each for each in operation.inputs if each.dtype.base_dtype == handle.dtype.base_dtype]
    return lists[0] if len(lists) == 1 else None


def is_made_of(tensor: Any, handles: frozenset[int]) -> bool:
    """Return whether a graph computes a tensor from variables with these handles, in the graphs around it, too."""
    pending, seen = [tensor], set[int]()
    while pending and len(seen) < _MOST:
        found = pending.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if found.op.type != "Placeholder":
            pending += found.op.inputs
            continue
        captures = getattr(found.graph, "captures", None) or ()
        external = next((given for given, internal in captures if internal is found), None)
        if external is not None and hasattr(external, "numpy"):
            if external._id in handles:
                return True
        elif (outer := external if external is not None else outside(found)) is not None:
            pending.append(outer)
    return False


_MOST = 5000
