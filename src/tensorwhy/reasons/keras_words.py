"""Words that the Keras reasons share: how to name a value, a tensor and a place."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensorwhy.model.facts.symbolic import Disconnected, Given
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import TensorRef
from tensorwhy.source.files import Sources

_LONG = 60


def article(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"an {noun}" if noun[:1].lower() in "aeio" else f"a {noun}"


def code(text: str) -> str:
    """Source text in backticks; text that would not read as a name is cut."""
    return f"`{text if len(text) <= _LONG else text[: _LONG - 2] + ' …'}`"


def given(value: Given, sources: Sources) -> str:
    """The user's name for a value, else the expression that made it."""
    if value.name:
        return code(value.name)
    place = value.written or value.made
    text = sources.expression(place) if place is not None else ""
    return code(text) if text else "the value"


def tensor(ref: TensorRef, sources: Sources) -> str:
    """The user's name for a tensor, else the layer that made it."""
    name = name_of(ref, sources)
    if name:
        return code(name)
    return f"the output of layer {code(ref.layer)}" if ref.layer else "a symbolic Keras tensor"


def name_of(ref: TensorRef, sources: Sources) -> str:
    """The name that holds a tensor, else the one it was bound to where it was made; "" when there is none."""
    if ref.name or ref.location is None:
        return ref.name
    statement = sources.statement(ref.location)
    names = sources.names(ref.location)
    value = getattr(statement, "value", None)
    return names[0] if len(names) == 1 and value is not None and _is_whole(value, ref.location, sources) else ""


def _is_whole(value: ast.expr, location: Location, sources: Sources) -> bool:
    """Return whether a right-hand side as a whole is at this location: in `y = f(g(x))`, `g(x)` has no name.

    Where columns are unknown, only a call without further calls among its arguments leaves no doubt.
    """
    if location.column is not None:
        begin = sources.column(location.file, value.lineno, value.col_offset)
        return (value.lineno, begin) == (location.line, location.column)
    if not isinstance(value, ast.Call):
        return False
    maker = value.func.func if isinstance(value.func, ast.Call) else value.func
    inner = [maker, *value.args, *(keyword.value for keyword in value.keywords)]
    return not any(isinstance(node, (ast.Call, ast.Lambda, ast.BinOp)) for each in inner for node in ast.walk(each))


def tensors(refs: Iterable[TensorRef], sources: Sources) -> str:
    """Several tensors in one phrase."""
    words = [tensor(ref, sources) for ref in refs]
    return " and ".join(words) if len(words) < 3 else ", ".join(words[:-1]) + f" and {words[-1]}"


def marks(*found: tuple[Location | None, str, str], primary: Location | None) -> tuple[Marked, ...]:
    """(location, label, role) triples as marked places, without unknown ones and without the primary again."""
    kept: dict[tuple[str, int, int], Marked] = {}
    for location, label, role in found:
        same = primary is not None and location is not None and location.order == primary.order
        if location is not None and not same:
            kept.setdefault(location.order, Marked.at(location, label, role))
    return tuple(kept.values())


def whole_of(fact: Disconnected) -> str:
    """The name of the model of whose own inputs only some were given, "" where that is not all there is to say."""
    partly = fact.owner is not None and fact.shared and fact.fed is None and not fact.unused
    return fact.owner.name if partly and fact.owner is not None else ""
