"""The argument that a loss was computed from, where a result of what was asked about was there and not passed."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import NamedTuple

from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Function, Sources


class Passed(NamedTuple):
    """A call, what it passes for which parameter of the function, and the name of a result that it does not pass."""

    location: Location
    argument: str
    parameter: str
    instead: str


def passed(fact: GradientBreak, lineage: Lineage, sources: Sources, has_graph: Callable[[int], bool]) -> Passed | None:
    """What a function that computes a loss without a source was given, as far as one argument alone decides that."""
    question, journal = fact.question, lineage.journal
    behind = lineage.ancestors(question.targets, question.event) | {*question.targets}
    derived, named, first = {fact.sources[0].tensor}, dict[str, Location](), None
    for event in journal.events(question.since, question.event):
        if event.kind > j.RECORDED or not event.outputs:
            continue
        if derived & {*event.inputs} and any(has_graph(each) for each in event.outputs):
            derived.update(event.outputs)
            for frame in journal.chain(event.place):
                names = sources.names(frame.location)
                if len(names) == 1:
                    named[names[0]] = frame.location
        elif first is None and behind & {*event.outputs}:
            data = (each for each in event.inputs if each > 0 and each not in derived and not has_graph(each))
            first = event if any(has_graph(each) for each in event.inputs) and any(data) else None
    return _argument(first, named, lineage, sources) if first is not None else None


def _argument(first: Event, named: dict[str, Location], lineage: Lineage, sources: Sources) -> Passed | None:
    chain = lineage.journal.chain(first.place)
    for inner, outer in itertools.pairwise(chain):
        function, call = sources.function(inner.location), call_at(sources, outer.location)
        used = call_at(sources, inner.location)
        given = [each.id for each in used.args if isinstance(each, ast.Name)] if used is not None else []
        parameter = given[0] if len(given) == 1 and used is not None and len(used.args) == 1 else ""
        written = _written(function, parameter, call)
        if call is None or written is None:
            continue
        around = sources.function(outer.location)
        passed = {ast.unparse(each) for each in (*call.args, *(each.value for each in call.keywords))}
        others = [
            name
            for name, place in named.items()
            if name not in passed and around is not None and sources.function(place) is around
            if place.file == outer.location.file and place.line < outer.location.line
        ]
        if len(others) == 1:
            return Passed(outer.location, ast.unparse(written), parameter, others[0])
    return None


def _written(function: Function | None, parameter: str, call: ast.Call | None) -> ast.expr | None:
    """What a call passes for a parameter that its function binds to nothing else."""
    if call is None or not isinstance(function, ast.FunctionDef) or not parameter:
        return None
    if any(isinstance(each, ast.Name) and each.id == parameter and not isinstance(each.ctx, ast.Load)
           for each in ast.walk(function)):  # fmt: skip
        return None
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    method = isinstance(call.func, ast.Attribute) and names[:1] == ["self"]
    if parameter not in names or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    at = names.index(parameter) - method
    keyword = next((each.value for each in call.keywords if each.arg == parameter), None)
    return call.args[at] if 0 <= at < len(call.args) else keyword
