"""A value was asked of a symbolic tensor: either its graph was just being traced, or it had leaked out of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import handed
from tensorwhy.adapters.tensorflow.failures import cell_results, drawing, leaks, refused_backward, unconverted
from tensorwhy.adapters.tensorflow.graphs import misuse, operands, operations, origins, sizes, switched_off, symbolic
from tensorwhy.adapters.tensorflow.graphs.operations import Operation
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import EagerOnlyInGraph, GraphRef, Symbolic, UnknownSize
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    size = sizes.find(live, sources)
    if size is not None:
        yield _unknown_size(size, live)
    if size is not None or misuse.find(live) is not None:
        return
    way = live.joined()
    if cell_results.unpacked(way) is not None or cell_results.scanned(way):
        return
    if any(refused_backward.refused(live)):  # TensorFlow takes apart what was no pair
        return
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
        names, giver = handed.unpacking(way, sources) if operation.kind == "iteration" else (0, None)
        yield EagerOnlyInGraph(
            tensor=described,
            operation=operation.kind,
            name=operation.name,
            used=operation.used,
            tensor_text=text,
            autograph=operation.place.own.converted,
            switched_off=switched_off.line(live, sources) if described.graph.kind == "plain" else None,
            unconverted=unconverted.first(live, operation.used, text, sources)
            if operation.kind in ("truth", "iteration")
            else None,
            lineage=drawn,
            names=names,
            given=giver.location if giver is not None else None,
            given_by=handed.called(giver, sources) if giver is not None else "",
        )


def _unknown_size(use: sizes.Use, live: LiveFailure) -> UnknownSize:
    """A dimension that is not known while tracing, taken for a number."""
    size = use.size
    near = [size.tensor, *use.place.own.frame.f_locals.values()] if size.tensor is None else [size.tensor]
    traced = next((each for each in near if symbolic.is_symbolic(each)), None)
    return UnknownSize(
        tensor=symbolic.describe(traced, live.user) if traced is not None else Symbolic(),
        tensor_text=size.tensor_text,
        size=size.text,
        axis=size.axis,
        read=size.read,
        used=use.place.own.location,
        given=use.text,
        by=use.by,
        python=use.python,
        whole=use.whole,
        method=size.method,
        layered=packages.kind_of(size.tensor) == "keras-tensor",
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
