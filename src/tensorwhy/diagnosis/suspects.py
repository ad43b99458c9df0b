"""What is often blamed and made no difference: with the call, an argument of it that is blamed is named too."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.model.report import RuledOut
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_BLAMED = ("validate_indices",)
"""Arguments that the gradient came back past, as it did past the call that has them."""


def ruled_out(case: Case) -> tuple[RuledOut, ...]:
    """What an experiment ruled out for this case."""
    fact = case.fact
    found = fact.tried.ruled_out if isinstance(fact, GradientBreak) else ()
    return tuple(_with_arguments(each, case.sources) for each in found)


def _with_arguments(suspect: RuledOut, sources: Sources) -> RuledOut:
    names = [name for name in _BLAMED if name in _keywords(suspect.location, sources)]
    words = "".join(f" with its `{name}`" for name in names)
    return msgspec.structs.replace(suspect, what=suspect.what + words) if words else suspect


def _keywords(location: Location | None, sources: Sources) -> set[str]:
    """The keywords of all calls on a line."""
    tree = sources.tree(location.file) if location is not None else None
    if tree is None or location is None:
        return set()
    return {
        keyword.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and reading.on_line(node, location.line)
        for keyword in node.keywords
        if keyword.arg is not None
    }
