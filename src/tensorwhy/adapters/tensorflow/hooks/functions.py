"""Registers every traced function at its creation: name, inputs, outputs. Later nobody may be left to ask."""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters import autograph
from tensorwhy.adapters.tensorflow.graphs import trial_runs
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.model.location import Location
from tensorwhy.model.question import Function
from tensorwhy.recording.locations import UserCode


class Functions:
    """Functions by name, and the source maps of what autograph converted."""

    def __init__(self, recorder: Recorder, user: UserCode) -> None:
        self.by_name: dict[str, Function] = {}
        self._graphs: dict[str, weakref.ref[Any]] = {}
        self._recorder = recorder
        self._user = user
        self.on_calls: Callable[[Any], None] = lambda graph: None
        """Told of the graph of each new function: it may call functions that nobody saw traced."""

    def install(self) -> None:
        """Hook the constructor of graph functions and autograph's conversion."""
        from tensorflow.python.autograph.impl import api

        replace = self._recorder.patches.replace
        try:
            from tensorflow.python.eager.polymorphic_function import atomic_function
        except ImportError:
            replace(_defined_function_class(), "__init__", self._wrap_defined_function)
        else:
            replace(atomic_function, "from_func_graph", self._wrap_from_func_graph)
        replace(api, "_convert_actual", self._wrap_convert)

    def graph(self, name: str) -> Any:
        """The graph of a function, as long as there is one."""
        known = self._graphs.get(name)
        return known() if known is not None else None

    def register(self, name: Any, graph: Any, inputs: Any, outputs: Any) -> None:
        """A function was made of this graph."""
        name = name.decode() if isinstance(name, bytes) else str(name)
        self._graphs[name] = weakref.ref(graph)
        self.by_name[name] = Function(
            name=name, inputs=tuple(t._id for t in inputs), outputs=tuple(t._id for t in outputs)
        )

    def _wrap_from_func_graph(self, original: Callable[..., Any]) -> Callable[..., Any]:
        functions, recorder = self, self._recorder

        @functools.wraps(original)
        def from_func_graph(name: Any, graph: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(name, graph, *args, **kwargs)
            if recorder.active:
                try:
                    functions.register(name, graph, graph.inputs, graph.outputs)
                    functions.on_calls(graph)
                    trial_runs.look(graph, functions._user)
                except Exception as error:
                    recorder.fail(error)
            return result

        return from_func_graph

    def _wrap_defined_function(self, original: Callable[..., Any]) -> Callable[..., Any]:
        functions, recorder = self, self._recorder

        @functools.wraps(original)
        def __init__(this: Any, name: Any, graph: Any, inputs: Any, outputs: Any, *args: Any, **kwargs: Any) -> None:
            inputs, outputs = list(inputs), list(outputs)
            original(this, name, graph, inputs, outputs, *args, **kwargs)
            if recorder.active:
                try:
                    functions.register(this.name, graph, inputs, outputs)
                    functions.on_calls(graph)
                except Exception as error:
                    recorder.fail(error)

        return __init__

    def _wrap_convert(self, original: Callable[..., Any]) -> Callable[..., Any]:
        functions, recorder = self, self._recorder

        @functools.wraps(original)
        def _convert_actual(*args: Any, **kwargs: Any) -> Any:
            converted = original(*args, **kwargs)
            if recorder.active:
                try:
                    functions._learn_source_map(getattr(converted, "ag_source_map", None) or {})
                except Exception as error:
                    recorder.fail(error)
            return converted

        return _convert_actual

    def _learn_source_map(self, source_map: dict[Any, Any]) -> None:
        """Generated lines point at the user's lines; converted library functions are not the user's."""
        places, moved = self._recorder.journal.source_maps, autograph.offset(source_map)
        for generated, origin in source_map.items():
            file = os.path.abspath(origin.loc.filename)
            self._recorder.files[generated.filename] = self._user.owns(origin.loc.filename)
            places[(os.path.abspath(generated.filename), generated.lineno)] = Location(
                file=file,
                line=origin.loc.lineno + moved,
                column=origin.loc.col_offset,
                function=origin.function_name or "<module>",
            )


def _defined_function_class() -> Any:
    """`_EagerDefinedFunction`, wherever this TensorFlow (before 2.13) keeps it."""
    try:
        from tensorflow.python.eager.polymorphic_function import monomorphic_function as home
    except ImportError:
        from tensorflow.python.eager import function as home
    return home._EagerDefinedFunction
