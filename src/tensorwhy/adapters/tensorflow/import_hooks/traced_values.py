"""Keeps a row for each trace, and watches whether what it read from Python has changed when its graph runs again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.patches import Patches
from tensorwhy.adapters.tensorflow.hooks import calls
from tensorwhy.adapters.tensorflow.tracing import frozen
from tensorwhy.adapters.tensorflow.variables import learning_rate
from tensorwhy.recording.around import around, told
from tensorwhy.recording.locations import UserCode


def install(user: UserCode) -> Callable[[], None]:
    """Hook traces, the creation of graph nodes and variables in them, and the calls of concrete functions."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import func_graph

    watch = frozen.Watch(user, learning_rate.called)
    patches = Patches()
    failed: list[Exception] = []

    def created(op: Any, graph: Any, *args: Any, **kwargs: Any) -> None:
        try:
            if not failed:
                watch.traced(graph, sys._getframe(1))
        except Exception as error:  # the bulkhead: a fault of ours ends the watch, not the program
            failed.append(error)

    def runs(function: Any) -> None:
        """A concrete function is called; the calls after it may be of those that are only counted."""
        try:
            if not failed and context.executing_eagerly():
                watch.called(function, function.graph)
        except Exception as error:  # the bulkhead
            failed.append(error)

    def wrap_call(original: Callable[..., Any]) -> Callable[..., Any]:
        return calls.gated(original, runs, watch.budgets.slots)

    def begin(name: Any, function: Any, args: Any, kwargs: Any, *rest: Any, **more: Any) -> Any:
        row = watch.rows.begin(name, function, args, kwargs)
        return None if row is None else ((name, function, args, kwargs, *rest), more, row)

    def end(row: Any, raised: BaseException | None, graph: Any) -> None:
        watch.rows.end(row, raised is not None)
        if raised is None:
            watch.built(row, graph)

    def made(result: Any, *args: Any, **kwargs: Any) -> None:
        watch.rows.created_variable()

    patches.replace(func_graph, "func_graph_from_py_func", lambda original: around(original, begin, end))
    patches.replace(_variable_class(), "__init__", lambda original: told(original, made))
    patches.replace(func_graph.FuncGraph, "_create_op_internal", lambda original: told(original, created))
    patches.replace(_concrete_function_class(), "_call_flat", wrap_call)
    frozen.CURRENT.append(watch)

    def uninstall() -> None:
        patches.restore()
        if watch in frozen.CURRENT:
            frozen.CURRENT.remove(watch)

    return uninstall


def _concrete_function_class() -> Any:
    """It has moved twice; all versions keep it in a module of `tensorflow.python.eager`."""
    import importlib

    for name in ("polymorphic_function.concrete_function", "polymorphic_function.monomorphic_function", "function"):
        try:
            module = importlib.import_module(f"tensorflow.python.eager.{name}")
        except ImportError:
            continue
        if hasattr(module, "ConcreteFunction"):
            return module.ConcreteFunction
    raise ImportError("this TensorFlow keeps its ConcreteFunction elsewhere")


def _variable_class() -> Any:
    """The variables that a traced function creates; another module has had the class before."""
    try:
        from tensorflow.python.eager.polymorphic_function import polymorphic_function as home
    except ImportError:
        from tensorflow.python.eager import def_function as home
    return home.UnliftedInitializerVariable
