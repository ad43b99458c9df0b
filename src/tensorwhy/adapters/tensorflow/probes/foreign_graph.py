"""A tensor of one `tf.Graph` that met another graph, another session, another thread, or eager execution."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.client import session as sessions
from tensorflow.python.framework import ops

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import UserStack
from tensorwhy.adapters.tensorflow.failures import drawing, givers, mixed_graphs
from tensorwhy.adapters.tensorflow.graphs import misuse, operands, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import ForeignGraph, Symbolic
from tensorwhy.model.location import Location
from tensorwhy.model.report import LineageView
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    thread = _thread(live)
    refused = misuse.find(live)
    if refused is not None and refused.used is not None:
        graph = symbolic.graph_of(refused.tensor)
        if graph is not None and not symbolic.is_function_graph(graph):
            tensor = symbolic.describe(refused.tensor, live.user)
            view = _drawn(refused.tensor, refused.used, live.user)
            eager = refused.graph is None
            yield ForeignGraph(used=refused.used, tensor=tensor, eager=eager, thread=thread, lineage=view)
        return
    for place in live.roots():
        if isinstance(place.exception, (ValueError, RuntimeError, TypeError)):
            found = (
                _mixed(place, live, thread)
                or _dataset(place, thread)
                or _fetched(live, place, thread)
                or _named(live, place, thread)
                or _no_session(place, live, thread)
            )
            if found is not None:
                yield found
                return


def _mixed(place: UserStack, live: LiveFailure, thread: str) -> ForeignGraph | None:
    """Two tensors, or a tensor and the graph that an operation was to be added to, that do not belong together."""
    user = live.user
    for frame in reversed(place.inner):
        local = frame.frame.f_locals
        one, two = local.get("original_item"), local.get("item")
        if frame.frame.f_code.co_name != "_assert_same_graph" or not (_is_plain(one) or _is_plain(two)):
            continue
        if not _is_plain(one):
            view, tensor = _drawn(two, place.own.location, user), symbolic.describe(two, user)
            return ForeignGraph(used=place.own.location, tensor=tensor, thread=thread, lineage=view)
        crossed = _crossed(one, two, place, live, thread)
        if crossed is not None:
            return crossed
        other = symbolic.describe(two, user) if _is_plain(two) else None
        if other is not None and _made_in_thread(one) != _made_in_thread(two):
            thread = thread or "a worker thread"
        view, tensor = (
            _drawn(one, place.own.location, user, two if other is not None else None),
            symbolic.describe(one, user),
        )
        return ForeignGraph(used=place.own.location, tensor=tensor, other=other, thread=thread, lineage=view)
    return None


def _crossed(one: Any, two: Any, place: UserStack, live: LiveFailure, thread: str) -> ForeignGraph | None:
    """One of both came from a method that gave it in the graph of its object: `iterator.get_next()`."""
    sources = Sources()
    found = [mixed_graphs.first(each, place, live, sources) for each in (one, two) if _is_plain(each)]
    known = [each for each in found if each is not None]
    if len(known) != 1:
        return None
    operation, used = known[0]
    text, tensor = mixed_graphs.owner(used, sources), operation.inputs[0]
    view = _drawn(tensor, used, live.user)
    return ForeignGraph(used=used, tensor=symbolic.describe(tensor, live.user), thread=thread, text=text, lineage=view)


def _dataset(place: UserStack, thread: str) -> ForeignGraph | None:
    """An iterator was to be made in one graph, and the dataset (or one that it is made of) belongs to another."""
    for frame in reversed(place.inner):
        local = frame.frame.f_locals
        graphs = [value for value in local.values() if isinstance(value, ops.Graph)]
        for value in local.values():
            own = getattr(value, "_graph", None) if isinstance(value, tf.data.Dataset) else None
            if isinstance(own, ops.Graph) and any(graph is not own for graph in graphs):
                return ForeignGraph(used=place.own.location, thread=thread, text=_dataset_text(place))
    return None


def _dataset_text(place: UserStack) -> str:
    """The user's name for the dataset, where the failed line has exactly one."""
    texts = {
        ast.unparse(each)
        for node in operands.nodes(place, Sources())
        for each in ast.walk(node)
        if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(operands.value_of(each, place), tf.data.Dataset)
    }
    return texts.pop() if len(texts) == 1 else ""


def _drawn(tensor: Any, used: Location, user: UserCode, other: Any = None) -> LineageView | None:
    return drawing.refused(tensor, "", "used here", used, "another graph", user, other)


def _made_in_thread(tensor: Any) -> bool:
    stack = symbolic.traceback_of(tensor)
    return any(name == "_bootstrap" and file.endswith("threading.py") for file, _, name in stack)


def _is_plain(value: Any) -> bool:
    return _plain_graph(value) is not None


def _plain_graph(value: Any) -> ops.Graph | None:
    """The graph of a tensor or of an operation, such as a training step, unless it is that of a function."""
    graph = value.graph if isinstance(value, ops.Operation) else None
    if symbolic.is_symbolic(value):
        graph = symbolic.graph_of(value)
    return None if graph is None or symbolic.is_function_graph(graph) else graph


def _fetched(live: LiveFailure, place: UserStack, thread: str) -> ForeignGraph | None:
    """A session whose graph does not hold what was asked of it, or fed to it."""
    session = graph = None
    for frame in live.innermost_first():
        local = frame.frame.f_locals
        if isinstance(local.get("self"), sessions.BaseSession) and "fetches" in local:
            session = session or local
        owner, element = local.get("self"), local.get("obj")
        if isinstance(owner, ops.Graph) and _plain_graph(element) not in (None, owner):
            graph = graph or (owner, element)
    if graph is not None:
        return _met(graph[1], session, live, place, thread)
    if session is not None:
        for value in (*operands.leaves(session["fetches"]), *list(session.get("feed_dict") or ())):
            if _plain_graph(value) not in (None, session["self"].graph):
                return _met(value, session, live, place, thread)
    return None


def _named(live: LiveFailure, place: UserStack, thread: str) -> ForeignGraph | None:
    """A session was asked by name for what another graph of the program has, and its own has not (`Saver.restore`)."""
    for frame in live.innermost_first():
        local = frame.frame.f_locals
        if not isinstance(local.get("self"), sessions.BaseSession) or "fetches" not in local:
            continue
        asked = (*operands.leaves(local["fetches"]), *list(local.get("feed_dict") or ()))
        for name in (each for each in asked if isinstance(each, str)):
            if _element(local["self"].graph, name) is not None:
                continue
            value = next((found for graph in _held(live) if (found := _element(graph, name)) is not None), None)
            if value is not None:
                return _met(value, local, live, place, thread)
        return None
    return None


def _element(graph: ops.Graph, name: str) -> Any:
    try:
        return graph.as_graph_element(name)
    except (KeyError, ValueError):
        return None


def _held(live: LiveFailure) -> Iterator[ops.Graph]:
    """The graphs that the user's functions have in a variable, or in an attribute of their own object."""
    for frame in live.innermost_first():
        if frame.location is not None:
            own = getattr(frame.frame.f_locals.get("self"), "__dict__", {})
            for value in (*frame.frame.f_locals.values(), *own.values(), *frame.frame.f_globals.values()):
                if isinstance(value, ops.Graph) and not symbolic.is_function_graph(value):
                    yield value


def _met(value: Any, session: Any, live: LiveFailure, place: UserStack, thread: str) -> ForeignGraph:
    """Where tensor and session came together: not in a function that was handed the tensor."""
    sources = Sources()
    if session is not None and not thread:
        place = givers.outermost(value, place, live)
    operation = isinstance(value, ops.Operation)
    return ForeignGraph(
        used=place.own.location,
        tensor=(symbolic.describe_operation if operation else symbolic.describe)(value, live.user),
        session=session is not None,
        thread=thread,
        text=_text(value, place, sources),
        opened=givers.opened(session["self"], place, sources) if session is not None else None,
        lineage=None if operation else _drawn(value, place.own.location, live.user),
    )


def _text(value: Any, place: UserStack, sources: Sources) -> str:
    """The user's expression for a tensor or an operation in the line where it met the session."""
    for node in operands.nodes(place, sources):
        for each in ast.walk(node):
            if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)) and operands.value_of(each, place) is value:
                return ast.unparse(each)
        for operand in operands.symbolic_operands(node, place):
            if operand.tensor is value:
                return operand.text
    return ""


def _no_session(place: UserStack, live: LiveFailure, thread: str) -> ForeignGraph | None:
    """`tensor.eval()` and `operation.run()` in a thread: the default session is that of the thread."""
    if not thread:
        return None
    for frame in reversed(place.inner):
        local = frame.frame.f_locals
        name = frame.frame.f_code.co_name
        if name in ("_eval_using_default_session", "_run_using_default_session") and local.get("session") is None:
            value = local.get("tensors")
            tensor = symbolic.describe(value, live.user) if _is_plain(value) else None
            return ForeignGraph(used=place.own.location, tensor=tensor or Symbolic(), session=True, thread=thread)
    return None


def _thread(live: LiveFailure) -> str:
    """The thread that failed, if it is not the main one; also when its exception was handed to the main one."""
    current = threading.current_thread()
    if current is not threading.main_thread():
        return current.name
    for frame in live.innermost_first():
        file = frame.frame.f_code.co_filename.replace("\\", "/")
        if file.endswith(("concurrent/futures/thread.py", "multiprocessing/pool.py", "/threading.py")):
            return "a worker thread"
    return ""
