"""A value was asked of a symbolic tensor: either its graph was just being traced, or it had leaked out of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import cell_results, drawing, leaks, refused_backward, unconverted
from tensorwhy.adapters.tensorflow.graphs import misuse, operands, operations, origins, sizes, switched_off, symbolic
from tensorwhy.adapters.tensorflow.graphs.operations import Operation
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import EagerOnlyInGraph, GraphRef, Symbolic
from tensorwhy.source.files import Sources

_TWINS = {
    "mean": "reduce_mean",
    "average": "reduce_mean",
    "sum": "reduce_sum",
    "max": "reduce_max",
    "amax": "reduce_max",
    "min": "reduce_min",
    "amin": "reduce_min",
    "prod": "reduce_prod",
    "any": "reduce_any",
    "all": "reduce_all",
    "std": "math.reduce_std",
    "var": "math.reduce_variance",
    "concatenate": "concat",
    "absolute": "abs",
    "array": "convert_to_tensor",
    "asarray": "convert_to_tensor",
    "arange": "range",
    "float": "cast",
    "int": "cast",
    "power": "pow",
    "dot": "tensordot",
    "log2": "math.log",
    "fabs": "abs",
    "clip": "clip_by_value",
    "len": "shape",
    "open": "io.read_file",
    "bool": "cond",
    "median": "",
    "map": "map_fn",
    "enumerate": "range",
    "range": "range",
    "astype": "cast",
    "item": "",
    "tolist": "",
    "flatten": "reshape",
    "ravel": "reshape",
    "copy": "identity",
}
# What a string can do, by the names of `tf.strings`.
_OF_TEXT = {"replace": "regex_replace", "find": "", "format": ""}  # fmt: skip


def probe(live: LiveFailure) -> Iterator[Fact]:
    if misuse.find(live) is not None or sizes.find(live, Sources()) is not None:
        return
    way = live.joined()
    if cell_results.unpacked(way) is not None or cell_results.scanned(way):
        return
    if refused_backward.find(live) is not None:  # TensorFlow takes apart what was no pair
        return
    sources = Sources()
    operation = operations.find(live, sources)
    if operation is None:
        yield from _leaked_operand(live, sources)
        return
    if operation.tensor is not None and not operation.text and _from_elsewhere(operation, live):
        return  # the line that failed was not given it
    tensor = operation.tensor if operation.tensor is not None else operation.near
    if tensor is not None and _leaked(tensor, operation):
        yield leaks.describe(tensor, None, operation.used, live)
    elif tensor is not None or operation.kind == "elements" or _in_graph(operation):
        what, text = operation.name or operation.kind, operation.text
        drawn = None
        if operation.tensor is not None:
            drawn = drawing.refused(operation.tensor, text, what, operation.used, "has no value yet", live.user)
        described = _described(operation, live)
        yield EagerOnlyInGraph(
            tensor=described,
            operation=operation.kind,
            name=operation.name,
            used=operation.used,
            tensor_text=text,
            twin=_twin(operation),
            autograph=operation.place.own.converted,
            switched_off=switched_off.line(live, sources) if described.graph.kind == "plain" else None,
            unconverted=unconverted.first(live, operation.used, text, sources)
            if operation.kind in ("truth", "iteration")
            else None,
            lineage=drawn,
        )


def _from_elsewhere(operation: Operation, live: LiveFailure) -> bool:
    """Whether a library computed the tensor of others, none of which the failed line names: it had kept them."""
    place = operation.place
    before = origins.behind(operation.tensor, live.user)
    given = [
        each.tensor for node in operands.nodes(place, Sources()) for each in operands.symbolic_operands(node, place)
    ]
    return bool(before) and bool(place.inner) and not any(one is each for one in before for each in given)


def _described(operation: Operation, live: LiveFailure) -> Symbolic:
    """Of a tensor that no name held, only the graph is known, from its neighbours in the frame."""
    if operation.tensor is not None:
        return symbolic.describe(operation.tensor, live.user)
    if operation.kind == "elements":
        return Symbolic(graph=GraphRef(kind="plain"))
    near = operation.near
    if near is None:
        near = next(
            (value for value in operation.place.own.frame.f_locals.values() if symbolic.is_symbolic(value)), None
        )
    return Symbolic(graph=symbolic.describe(near, live.user).graph) if near is not None else Symbolic()


def _leaked_operand(live: LiveFailure, sources: Sources) -> Iterator[Fact]:
    """Keras cuts TensorFlow's frames out of the traceback; the failed line still names a tensor of a finished trace."""
    for place in live.roots():
        if not isinstance(place.exception, TypeError) or place.own.converted:
            continue
        for node in operands.nodes(place, sources):
            for operand in operands.symbolic_operands(node, place):
                graph = symbolic.graph_of(operand.tensor)
                if graph is None or (symbolic.is_function_graph(graph) and symbolic.is_finished(graph)):
                    yield leaks.describe(operand.tensor, None, place.own.location, live)
                    return


def _leaked(tensor: Any, operation: Operation) -> bool:
    """Whether the tensor's own trace was over when it was used."""
    graph = symbolic.graph_of(tensor)
    if graph is None:
        return True
    if not symbolic.is_function_graph(graph) or operation.place.own.converted:
        return False
    if symbolic.is_finished(graph):
        return True
    others = [
        value
        for value in operation.place.own.frame.f_locals.values()
        if symbolic.is_symbolic(value) and value is not tensor
    ]
    graphs = [symbolic.graph_of(value) for value in others]
    return bool(graphs) and all(other is not None and not symbolic.encloses(graph, other) for other in graphs)


def _in_graph(operation: Operation) -> bool:
    """Whether the failed frame was being traced: it is AutoGraph's, or it holds symbolic tensors of its own."""
    frame = operation.place.own.frame
    if operations.is_disallowed(operation.place.exception) or _asked_a_variable(operation):
        return True
    if frame.f_locals is frame.f_globals:
        return False
    return operation.place.own.converted or any(symbolic.is_symbolic(value) for value in frame.f_locals.values())


def _asked_a_variable(operation: Operation) -> bool:
    """Whether a variable refused its value: it gives that wherever nothing is being traced."""
    if not isinstance(operation.place.exception, NotImplementedError):
        return False
    asked = [each.frame for each in operation.place.inner if each.frame.f_code.co_name == "numpy"]
    return any(isinstance(frame.f_locals.get("self"), tf.Variable) for frame in asked)


def _twin(operation: Operation) -> str:
    """The function of the installed TensorFlow that does the same to tensors; empty when there is none."""
    last = operation.name.rpartition(".")[2]
    if operation.kind == "method" and operation.tensor is not None and operation.tensor.dtype == tf.string:
        last = _OF_TEXT.get(last, last)
        return f"tf.strings.{last}" if last and _has(f"strings.{last}") else ""
    known = _TWINS.get(last)
    if known is None and not (hasattr(np, last) or hasattr(np.ndarray, last) or hasattr(math, last)):
        return ""
    for candidate in (known,) if known is not None else (last, f"math.{last}", f"linalg.{last}", f"signal.{last}"):
        if candidate and _has(candidate):
            return f"tf.{candidate}"
    return ""


def _has(dotted: str) -> bool:
    owner: Any = tf
    for part in dotted.split("."):
        owner = getattr(owner, part, None)
        if owner is None:
            return False
    return callable(owner)
