"""Something of TensorFlow 1's graph mode was used while executing eagerly."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.client import session as sessions
from tensorflow.python.framework import ops

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import anatomy
from tensorwhy.adapters.stack import Frame, UserStack
from tensorwhy.adapters.tensorflow.graphs import operands, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import GraphOnlyInEager, GraphOnlyRole
from tensorwhy.model.location import Location
from tensorwhy.recording import bindings
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_EAGER = ("executing_eagerly", "executing_eagerly_outside_functions")
_ROLES: dict[str, GraphOnlyRole] = {
    "placeholder": "placeholder",
    "placeholder_with_default": "placeholder",
    "sparse_placeholder": "placeholder",
    "Session": "session",
    "InteractiveSession": "session",
    "get_default_session": "session",
    "get_session": "session",
    "set_session": "session",
    "gradients": "gradients",
    "global_variables_initializer": "initializer",
    "local_variables_initializer": "initializer",
    "variables_initializer": "initializer",
    "initialize_all_variables": "initializer",
    "tables_initializer": "initializer",
    "make_one_shot_iterator": "dataset",
    "make_initializable_iterator": "dataset",
    "get_default_graph": "graph",
    "reset_default_graph": "graph",
    "get_collection": "graph",
    "add_to_collection": "graph",
    "get_variable": "graph",
    "variable_scope": "graph",
    "global_variables": "graph",
    "get_local_variable": "graph",
    "get_global_step": "graph",
    "get_or_create_global_step": "graph",
    "create_global_step": "graph",
    "GraphKeys": "graph",
    "layers": "graph",  # these get their weights by name, out of the graph
    "rnn_cell": "graph",
    "dynamic_rnn": "graph",
    "bidirectional_dynamic_rnn": "graph",
    "static_rnn": "graph",
    "MonitoredTrainingSession": "session",
    "ConfigProto": "session",
    "report_uninitialized_variables": "initializer",
    "is_variable_initialized": "initializer",
    "start_queue_runners": "other",
    "merge": "other",
    "assign": "other",
    "assign_add": "other",
    "assign_sub": "other",
    "trainable_variables": "graph",
    "merge_all": "other",
    "FileWriter": "other",
    "Saver": "other",
    "minimize": "optimizer",
    "compute_gradients": "optimizer",
}
_EAGER_ATTRIBUTES = ("graph", "op", "name", "eval", "consumers", "value_index")


# Of TensorFlow 1: they list variables of a graph. Those that are made eagerly are in none.
_LISTING = (tf.compat.v1.trainable_variables, tf.compat.v1.global_variables)


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    for place in live.roots():
        listed = _listed(place, sources)
        if listed is not None:
            yield GraphOnlyInEager(api=listed[0], used=listed[1], role="collection")
            return
        found = _removed(place) or _attribute(place) or _session(place, sources) or _refused(place, sources)
        if found is not None:
            role, removed, name = found
            text = _written(place, name, sources) or name
            yield GraphOnlyInEager(api=text, used=place.own.location, role=role, removed=removed)
            return


def _removed(place: UserStack) -> tuple[GraphOnlyRole, bool, str] | None:
    """A name that the module or object no longer has, and that `tf.compat.v1` still has."""
    error = place.exception
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if not isinstance(error, AttributeError) or not isinstance(name, str):
        return None
    if isinstance(owner, types.ModuleType):
        path = owner.__name__.partition("_api.v2")[2].strip(".") if "_api.v2" in owner.__name__ else ""
        if owner.__name__.partition(".")[0] not in ("tensorflow", "keras", "tf_keras"):
            return None
        if name in ("get_session", "set_session") and owner.__name__.endswith("backend"):
            return "session", True, name
        role: GraphOnlyRole | None = "optimizer" if path == "train" and name.endswith("Optimizer") else _ROLES.get(name)
        return (role, True, name) if role is not None and _in_v1(path, name) else None
    if isinstance(owner, tf.data.Dataset) and name in ("make_one_shot_iterator", "make_initializable_iterator"):
        return "dataset", True, name
    return None


def _in_v1(path: str, name: str) -> bool:
    owner: Any = tf.compat.v1
    for part in filter(None, path.split(".")):
        owner = getattr(owner, part, None)
    return hasattr(owner, name)


def _attribute(place: UserStack) -> tuple[GraphOnlyRole, bool, str] | None:
    """`.graph`, `.op` and the like, of an eager tensor. What Keras reads for its own purposes is not the reason."""
    for frame in place.inner:
        if "keras" in frame.frame.f_globals.get("__name__", ""):
            return None
        name = frame.frame.f_code.co_name
        if name in _EAGER_ATTRIBUTES and isinstance(frame.frame.f_locals.get("self"), ops.EagerTensor):
            return "attribute", False, name
    return None


def _session(place: UserStack, sources: Sources) -> tuple[GraphOnlyRole, bool, str] | None:
    """A session that was asked for eager values: its graph never heard of them."""
    if not tf.executing_eagerly():
        return None
    for frame in place.inner:
        local, code = frame.frame.f_locals, frame.frame.f_code
        # What it hands to the runtime, which may fail for other reasons, is called so, too.
        given = "fetches" in code.co_varnames[: code.co_argcount]
        if isinstance(local.get("self"), sessions.BaseSession) and given:
            asked = operands.leaves(local["fetches"])
            fed = list(local.get("feed_dict") or ())
            if asked and not any(map(_of_a_graph, (*asked, *fed))):
                return "layers" if any(map(packages.is_keras_tensor, (*asked, *fed))) else "session", False, "run"
    hashed = [frame.frame.f_locals.get("self") for frame in place.inner if frame.frame.f_code.co_name == "__hash__"]
    if hashed or isinstance(place.exception, TypeError):
        for node in operands.nodes(place, sources):
            statement = sources.statement(place.own.location)
            written = [each for each in (ast.walk(node) if hashed else (node,)) if isinstance(each, ast.Dict)]
            if statement is not None and any(_feeds(statement, each) for each in written):
                return "layers" if any(map(packages.is_keras_tensor, hashed)) else "session", False, "feed_dict"
    return None


def _of_a_graph(thing: Any) -> bool:
    """A tensor, an operation, a variable or a sparse tensor of a graph, or the name of one."""
    parts = (getattr(thing, name, None) for name in ("handle", "_variable", "values"))
    return isinstance(thing, (str, ops.Operation)) or any(map(symbolic.is_symbolic, (thing, *parts)))


def _feeds(statement: ast.stmt, node: ast.Dict) -> bool:
    return any(
        isinstance(each, ast.keyword) and each.arg == "feed_dict" and ast.dump(each.value) == ast.dump(node)
        for each in ast.walk(statement)
    )


def _listed(place: UserStack, sources: Sources) -> tuple[str, Location] | None:
    """The call that lists the variables of a graph, where its empty list is what the failed line could not do with."""
    if not isinstance(place.exception, (ValueError, IndexError)) or not tf.executing_eagerly() or _LISTING[1]():
        return None
    held = [value for frame in place.inner for value in frame.frame.f_locals.values()]
    if held and not any(map(_is_empty, held)):
        return None
    for node in operands.nodes(place, sources):
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        empty = [name for name in names if _is_empty(operands.value_of(name, place))]
        given = [
            value for name in empty for value in bindings.values(name, place.own.frame, place.own.location, sources)
        ]
        for within in (node, *given):
            for each in (each for each in ast.walk(within) if isinstance(each, ast.Call)):
                if any(operands.value_of(each.func, place) is listing for listing in _LISTING):
                    at = reading.where(each, place.own.location.file, place.own.location.function, sources)
                    return ast.unparse(each.func), at
    return None


def _is_empty(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and not value


def _refuses_eager(frame: Frame, sources: Sources) -> bool:
    """Whether the frame stands at a `raise` that is there for eager execution: `if executing_eagerly(): raise ...`."""
    statements = anatomy.around(frame, sources)
    if not statements or not isinstance(statements[-1], ast.Raise):
        return False
    for each in statements:
        if isinstance(each, ast.If) and any(reading.on_line(inner, frame.at.line) for inner in each.body):
            test = each.test
            parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            if any(isinstance(part, ast.Call) and reading.callee(part) in _EAGER for part in parts):
                return True
    return False


def _refused(place: UserStack, sources: Sources) -> tuple[GraphOnlyRole, bool, str] | None:
    """A function of TensorFlow whose own source raises if it is executed eagerly."""
    if not place.inner or not isinstance(place.exception, (RuntimeError, NotImplementedError, ValueError)):
        return None
    frame = place.inner[-1]
    if not _is_framework(frame.frame.f_code.co_filename) or not _refuses_eager(frame, sources):
        return None
    name = frame.frame.f_code.co_name
    role = _ROLES.get(name) or next(
        (_ROLES[each.frame.f_code.co_name] for each in place.inner if each.frame.f_code.co_name in _ROLES), None
    )
    if role is None:
        role = "gradients" if name == "_GradientsHelper" else "other"
    return role, False, name


def _is_framework(file: str) -> bool:
    path = file.replace("\\", "/")
    return any(f"/site-packages/{name}/" in path for name in ("tensorflow", "keras", "tf_keras"))


def _written(place: UserStack, name: str, sources: Sources) -> str:
    """The name as it stands in the user's line: `tf.placeholder`, `session.run`, `x.graph`."""
    best = ""
    for node in operands.nodes(place, sources):
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and each.attr == name:
                return ast.unparse(each)
            if isinstance(each, ast.Call) and isinstance(each.func, (ast.Attribute, ast.Name)) and not best:
                best = ast.unparse(each.func)
    return best
