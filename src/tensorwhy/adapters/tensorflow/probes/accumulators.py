"""Python containers that a traced loop fills: once, with tensors of its body."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import array_objects, leaks
from tensorwhy.adapters.tensorflow.graphs import misuse, operands, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import LeakedTensor
from tensorwhy.model.facts.loops import PythonAccumulator
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_LAST_ITEM = re.compile(r"\[[^\[\]]*\]$")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """A tensor of a loop's body that was taken out of a container, or a container indexed by such a tensor."""
    way = live.joined()
    fact = _escaped(live, way) or _indexed(live)
    return (fact,) if fact is not None else ()


def _escaped(live: LiveFailure, way: Stack) -> PythonAccumulator | None:
    found = misuse.find(live)
    if found is None:
        return None
    graph = symbolic.graph_of(found.tensor)
    if not symbolic.is_function_graph(graph):
        return None
    # Who holds the tensor is a search through the program's objects: only of a loop's it is worth that here.
    loops = symbolic.describe(found.tensor, live.user).graph.kind == "loop"
    if not loops or array_objects.called(way) is not None:
        return None
    whole = leaks.describe(found.tensor, found.graph, found.used, live)
    holder = next((each for each in whole.holders if each.contained), None)
    if holder is not None and whole.handed:
        return None  # a library's own list, which the user never sees
    if holder is None:
        return _from_result(found.tensor, whole, way)
    container = _LAST_ITEM.sub("", holder.expression)
    filled = _filled_nearby(holder.attribute, whole) or whole.escape
    loop, construct = _loop(filled or whole.tensor.created, whole)
    return PythonAccumulator(
        container=container,
        kind=_kind(holder.expression),
        problem="escaped",
        construct=construct,
        filled=filled or whole.tensor.created,
        loop=loop,
        used=whole.used,
        length=1,
        lineage=whole.lineage,
    )


def _filled_nearby(name: str, whole: LeakedTensor) -> Location | None:
    """The filling statement in the function that holds the loop, for a local container."""
    sources = Sources()
    for call in reversed(whole.tensor.calls):
        function = sources.function(call)
        node = _filling(function, name)
        if node is not None:
            return reading.place(node, call, sources)
    return None


def _kind(expression: str) -> Any:
    item = _LAST_ITEM.search(expression)
    return "list" if item is None or item[0].strip("[]").lstrip("-").isdigit() else "dict"


def _loop(inside: Location | None, whole: LeakedTensor) -> tuple[Location | None, str]:
    """The loop around a line of its body; of a `tf.while_loop` the call is on the stack of what was made in it."""
    if inside is None:
        return None, ""
    sources = Sources()
    node = reading.loop_around(inside, sources)
    if node is not None:
        place = Location(file=inside.file, line=node.lineno, function=inside.function)
        return place, "while" if isinstance(node, ast.While) else "for"
    for call in reversed(whole.tensor.calls):
        for name in ("while_loop", "map_fn", "scan", "foldl", "foldr"):
            found = reading.named_call(call, sources, name)
            if found is not None:
                return found[1], name
    return None, ""


def _from_result(tensor: Any, whole: LeakedTensor, way: Stack) -> PythonAccumulator | None:
    """The traced function returned the container itself, or its only item, so only its source tells the name.

    `tf.add_n` and `tf.concat` of one tensor are that tensor.
    """
    for step in reversed(way.frames):
        result = step.local("func_outputs") if step.name == "func_graph_from_py_func" else None
        if result is tensor or isinstance(result, (list, dict, tuple)):
            break
    else:
        return None
    values = [result] if result is tensor else list(result.values() if isinstance(result, dict) else result)
    if not any(each is tensor for each in values) or whole.tensor.created is None:
        return None
    sources = Sources()
    created = whole.tensor.created
    function = sources.function(created)
    for value in reading.returns(function) if function is not None else ():
        for name in [each.id for each in ast.walk(value) if isinstance(each, ast.Name)]:
            filled = _filling(function, name)
            if filled is not None:
                place = reading.place(filled, created, sources)
                loop, construct = _loop(place, whole)
                if loop is None or (result is tensor and loop != _loop(created, whole)[0]):
                    continue
                return PythonAccumulator(
                    container=name,
                    kind="dict" if isinstance(result, dict) else "list",
                    problem="escaped",
                    construct=construct,
                    filled=place,
                    loop=loop,
                    used=reading.place(value, created, sources),
                    length=len(values),
                    lineage=whole.lineage,
                )
    return None


def _filling(function: ast.AST | None, name: str) -> ast.AST | None:
    """The call or assignment that puts something into the container of this name."""
    for node in ast.walk(function) if function is not None else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("append", "extend", "insert", "add", "update")
            and ast.unparse(node.func.value) == name
        ):
            return node
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Subscript) and ast.unparse(target.value) == name for target in node.targets
        ):
            return node
    return None


def _indexed(live: LiveFailure) -> PythonAccumulator | None:
    """`results[i] = x` where `i` counts a traced loop: Python's list needs a number that only the graph will have."""
    if not isinstance(live.exceptions[-1], TypeError):
        return None
    place = next(iter(live.roots()), None)
    if place is None:
        return None
    if place.inner and place.inner[-1].frame.f_code.co_name.lstrip("_") not in ("get_item", "set_item", "py_get_item"):
        return None
    sources = Sources()
    statement = sources.statement(place.own.location)
    for node in ast.walk(statement) if statement is not None else ():
        if not isinstance(node, ast.Subscript):
            continue
        container, index = operands.value_of(node.value, place), operands.value_of(node.slice, place)
        if not isinstance(container, list) or not symbolic.is_symbolic(index):
            continue
        graph = symbolic.graph_of(index)
        if type(graph).__name__ != "WhileBodyFuncGraph":
            continue
        loop = reading.loop_around(place.own.location, sources)
        here = reading.place(node, place.own.location, sources)
        return PythonAccumulator(
            container=ast.unparse(node.value),
            kind="list",
            problem="indexed",
            construct="while" if isinstance(loop, ast.While) else "for",
            filled=here,
            loop=Location(file=here.file, line=loop.lineno, function=here.function) if loop is not None else None,
            length=len(container),
        )
    return None
