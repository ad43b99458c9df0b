"""Notices that a name stands for another model or optimizer than it did when a graph was traced.

A traced function holds on to the variables that it read while it was traced. When its global `model`, or `self.model`,
is made anew, its graph goes on with those of the first one.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from tensorwhy.model.facts.graph import FrozenValue
from tensorwhy.model.location import Location

_KINDS = ("model", "layer", "optimizer")


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """What a name stood for in one trace; the object itself is not kept alive. `home`: see `Scope.globals_of`."""

    node: ast.expr
    name: str
    home: Mapping[str, Any] | None
    kind: str
    words: str
    reference: weakref.ref[Any]

    @property
    def key(self) -> str:
        """The name and its line."""
        return f"{self.node.lineno}:{self.name}"

    @classmethod
    def of(cls, node: ast.expr, held: Any, home: Mapping[str, Any] | None) -> Named | None:
        """None for what is no model, layer, module or optimizer."""
        kind, name = _kind(held), ast.unparse(node)
        if not kind:
            return None
        return Named(node=node, name=name, home=home, kind=kind, words=_words(held), reference=weakref.ref(held))


class Replaced:
    """What was found; by place, so that each is told once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str], FrozenValue] = {}

    def note(self, graph: Any, named: Named, now: Any, place: Location, times: int) -> None:
        """A graph runs, so many times, and the name stands for `now`.

        Nothing is lost where the graph reads the variables of that as well.
        """
        name = named.name
        key = (place.file, place.line, name)
        if _kind(now) != named.kind or not (named.kind == "optimizer" or _left_out(graph, now)):
            return
        known = self._found.get(key)
        self._found[key] = FrozenValue(
            name=name,
            read=place,
            function=str(graph.name),
            frozen=named.words,
            now=f"another {words}" if (words := _words(now)) == named.words else words,
            stale_calls=known.stale_calls + times if known is not None else 1,
            kind="optimizer" if named.kind == "optimizer" else "object",
        )

    def found(self) -> Iterable[FrozenValue]:
        """Of several names for the same thing in one function the outermost: `self.agent`, not `self.agent.model`."""
        names = {(each.function, each.name) for each in self._found.values()}
        for each in self._found.values():
            parts = each.name.split(".")
            outer = {".".join(parts[:length]) for length in range(1, len(parts))}
            if not any((each.function, name) in names for name in outer):
                yield each


def _kind(held: Any) -> str:
    from tensorflow import Module

    from tensorwhy.adapters.keras_common import packages

    kind = packages.kind_of(held)
    if kind in _KINDS:
        return "optimizer" if kind == "optimizer" else "module"
    return "module" if isinstance(held, Module) else ""


def _left_out(graph: Any, module: Any) -> bool:
    """Return whether a module has variables, and the graph reads none of them."""
    from tensorwhy.adapters.keras_common.learning.training import handles_of

    own = handles_of(module, "variables")
    captured = {getattr(outside, "_id", None) for outside, _ in graph.captures}
    return bool(own) and own.isdisjoint(captured)


def _words(held: Any) -> str:
    name = getattr(held, "name", None)
    return f"{type(held).__name__} `{name}`" if isinstance(name, str) else type(held).__name__
