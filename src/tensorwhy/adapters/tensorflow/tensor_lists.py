"""Reads the tensor lists of a graph, which is what a TensorArray becomes there."""

from __future__ import annotations

from typing import Any


def element_dtype(handle: Any) -> Any:
    """The dtype that a list was made for; None when the graph does not say."""
    from tensorflow.python.framework import dtypes

    data = _handle_data(handle)
    return dtypes.as_dtype(data.dtype) if data is not None else None


def element_shape(handle: Any) -> Any:
    """The static shape of a list's elements as a TensorShape; None when the graph does not say."""
    from tensorflow.python.framework import tensor_shape

    data = _handle_data(handle)
    return tensor_shape.TensorShape(data.shape) if data is not None else None


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
    function = loop.graph._get_function(loop.get_attr("body").name)
    return getattr(function, "graph", None)
