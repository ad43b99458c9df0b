"""Where did this object get its name? The live frames say which name holds it, the source says which line bound it.

An eager tensor, an array or a number carries no trace of its origin. As long as the frames of a failure are alive,
the object is found again by identity under its names, and the last assignment before the failing line tells the rest.
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

import msgspec

from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_DEPTH = 4
_MOST_ELEMENTS = 64
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_Loop = ast.For | ast.AsyncFor | ast.While


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The user's name for an object, and the expression that made it. Both may be unknown."""

    name: str = ""
    location: Location | None = None


def named(thing: object, frame: FrameType) -> tuple[str, ...]:
    """The names in a frame that hold exactly this object: locals, globals it uses, their attributes, elements."""
    if thing is None or isinstance(thing, (bool, int, str)):
        return ()  # shared by everybody: identity says nothing
    variables = locals_of(frame)
    local = [name for name, value in variables.items() if value is thing]
    attributes = [
        f"{name}.{attribute}"
        for name, value in variables.items()
        for attribute, held in _attributes(value).items()
        if held is thing and not attribute.startswith("_")
    ]
    used = set(frame.f_code.co_names)
    shared = [name for name, value in frame.f_globals.items() if value is thing and name in used and name not in local]
    elements = [
        f"{name}[{key!r}]" for name, value in variables.items() for key, held in _elements(value) if held is thing
    ]
    of_shared = [
        f"{name}.{attribute}"
        for name in sorted(used - set(variables))
        for attribute, held in _attributes(frame.f_globals.get(name)).items()
        if held is thing and attribute in used
    ]
    return (*local, *attributes, *shared, *elements, *of_shared)


def _elements(value: object) -> Iterator[tuple[object, Any]]:
    """What a plain container of the user's holds, with the keys; of a large one the first."""
    items: Iterable[tuple[object, Any]]
    if type(value) is dict:
        items = ((key, held) for key, held in value.items() if isinstance(key, (str, int)))
    elif isinstance(value, (list, tuple)):
        items = enumerate(value)
    else:
        return
    yield from itertools.islice(items, _MOST_ELEMENTS)


def _attributes(value: object) -> Mapping[str, Any]:
    """Instance attributes read without running any code of the instance."""
    if isinstance(value, (type, FunctionType)) or inspect.ismodule(value):
        return {}
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):  # the latter of an object that passes for one of another class
        return {}
    return {key: held[key] for key in list(held) if isinstance(key, str)} if isinstance(held, dict) else {}


def origin(
    thing: object,
    frames: Sequence[tuple[FrameType, Location]],
    sources: Sources,
    user: UserCode,
    depth: int = _DEPTH,
) -> Origin:
    """The name and the making expression of an object, looked for in user frames given outermost first.

    A parameter leads to the caller, a call of the user's own function leads to what that function returns, `depth`
    functions deep.
    """
    name = ""
    for frame, location in reversed(frames):
        for found in named(thing, frame):
            name = name or found
            value = _bound(found, frame, location, sources, rounds=True)
            if value is not None and not ("[" in found and _is_empty(value[0])):
                expression, function = value
                made = _inside(expression, location.file, function, frame.f_globals, sources, user, depth)
                return Origin(name=name, location=made)
    return Origin(name=name)


def _bound(
    name: str, frame: FrameType, location: Location, sources: Sources, rounds: bool = False
) -> tuple[ast.expr, str] | None:
    """The right-hand side last assigned to a name before `location`, and the function it stands in.

    `rounds`: what the rest of a loop assigned counts from its second iteration on; None where that cannot be told.
    """
    tree = sources.tree(location.file)
    if tree is None:
        return None
    name = name.partition("[")[0]
    if "." in name:
        values = [v for node in ast.walk(tree) for target, v in reading.assigned(node) if _attribute_of(target, name)]
        return (values[0], location.function) if len(values) == 1 else None
    scope: ast.AST = tree
    function = "<module>"
    if name in locals_of(frame) and frame.f_code.co_name != "<module>":
        found = reading.definition(tree, frame.f_code)
        if found is None:
            return None
        scope, function = found, location.function
    here = (location.line, location.column or 0)
    limit = here if scope is not tree or location.function == "<module>" else None
    best: ast.expr | None = None
    loops = (
        [each for each in reading.own(scope) if isinstance(each, _LOOPS) and _spans(each, here[0])] if rounds else []
    )
    later: list[tuple[ast.AST, ast.expr]] = []
    for node in reading.own(scope):
        for target, value in reading.assigned(node):
            if not (isinstance(target, ast.Name) and target.id == name):
                continue
            if limit is None or (value.end_lineno or value.lineno, value.end_col_offset or 0) <= limit:
                best = value
            elif any(_spans(each, value.lineno) for each in loops):
                later.append((node, value))
    if later:
        elsewhere = {each for node in reading.own(scope) for each in _targets(node) if node is not later[-1][0]}
        again = _is_repeated(loops, later[-1][0], elsewhere | {name}, locals_of(frame))
        best = best if again is False else later[-1][1] if again else None
    return (best, function) if best is not None else None


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


def _is_repeated(
    loops: Sequence[_Loop], statement: ast.AST, elsewhere: set[str], known: Mapping[str, Any]
) -> bool | None:
    """Return whether a statement that stands later in these loops has run; None where no variable tells.

    The names that nothing but it binds exist from then on. `elsewhere` are those that other statements bind too.
    """
    if (_targets(statement) - elsewhere) & known.keys():
        return True
    found = [_is_past_first(each, known) for each in loops if _spans(each, getattr(statement, "lineno", 0))]
    return True if True in found else None if None in found else False


def _targets(node: ast.AST) -> set[str]:
    """The names that a statement itself binds."""
    targets = [*getattr(node, "targets", ()), *(each for each in (getattr(node, "target", None),) if each is not None)]
    return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}


def _is_past_first(loop: _Loop, known: Mapping[str, Any]) -> bool | None:
    """Return whether a loop has left its first element behind; None where that is not known."""
    if isinstance(loop, ast.While):
        return None
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
    held = known.get(target.id) if isinstance(target, ast.Name) else None
    if isinstance(loop.iter, ast.Call) and len(loop.iter.args) == 1 and not loop.iter.keywords:
        counted = ast.unparse(loop.iter.func) in ("range", "enumerate")
        return held != 0 if counted and isinstance(held, int) else None
    over = known.get(loop.iter.id) if isinstance(loop.iter, ast.Name) else None
    places = [at for at, each in enumerate(over) if each is held] if isinstance(over, (list, tuple)) else []
    return places[0] > 0 if len(places) == 1 and target is loop.target else None


def _is_empty(expression: ast.expr) -> bool:
    """Return whether an expression makes an empty container, so that something else put the elements in."""
    if isinstance(expression, ast.Call):
        made = ast.unparse(expression.func) in ("list", "dict")
        return made and not expression.args and not expression.keywords
    return (isinstance(expression, ast.List) and not expression.elts) or (
        isinstance(expression, ast.Dict) and not expression.keys
    )


def begun(name: str, frame: FrameType, location: Location, sources: Sources) -> Location | None:
    """Where the value began that a name was bound to again and again (`x = layer(x)`), before `location`.

    None where no line of its own bound the name to something else first.
    """
    found: Location | None = None
    while (value := _bound(name, frame, location if found is None else found, sources)) is not None:
        expression, function = value
        at = reading.where(expression, location.file, function, sources)
        if found is not None and (at.line, at.column) >= (found.line, found.column):
            return None
        found = at
        if not any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(expression)):
            return found
    return None


def values(node: ast.expr, frame: FrameType, location: Location, sources: Sources) -> list[ast.expr]:
    """Everything that a name is bound to anywhere in the function of a frame. In a loop, later lines come first.

    `location` counts where the frame runs a rewritten copy of the function.
    """
    tree = sources.tree(location.file)
    scope: ast.AST | None = tree
    if tree is not None and frame.f_code.co_name != "<module>":
        scope = reading.definition(tree, frame.f_code) or reading.enclosing(tree, location.line)
    if not isinstance(node, ast.Name) or scope is None:
        return []
    return [
        value
        for each in reading.own(scope)
        for target, value in reading.assigned(each)
        if isinstance(target, ast.Name) and target.id == node.id
    ]


def returned(code: CodeType, sources: Sources) -> list[ast.expr] | None:
    """The expressions that a function returns or yields; None when its source is not known."""
    tree = sources.tree(code.co_filename)
    definition = reading.definition(tree, code) if tree is not None else None
    if definition is None:
        return None
    kinds = (ast.Return, ast.Yield, ast.YieldFrom)
    return [each.value for each in reading.own(definition) if isinstance(each, kinds) and each.value is not None]


def _attribute_of(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == name.rpartition(".")[2]


def _inside(
    expression: ast.expr,
    file: str,
    function: str,
    names: Mapping[str, Any],
    sources: Sources,
    user: UserCode,
    depth: int,
) -> Location:
    """Follow `x = build()` into the user's own `build` when that has a single return; else the expression itself."""
    here = reading.where(expression, file, function, sources)
    if depth == 0 or not isinstance(expression, ast.Call) or not isinstance(expression.func, ast.Name):
        return here
    called = names.get(expression.func.id)
    if not isinstance(called, FunctionType) or not user.owns(called.__code__.co_filename):
        return here
    inner_file = called.__code__.co_filename
    tree = sources.tree(inner_file)
    definition = reading.definition(tree, called.__code__) if tree is not None else None
    if definition is None:
        return here
    returns = [node for node in reading.own(definition) if isinstance(node, ast.Return)]
    if len(returns) != 1 or returns[0].value is None:
        return here
    result = returns[0].value
    if isinstance(result, ast.Name):
        values = [
            value
            for node in reading.own(definition)
            for target, value in reading.assigned(node)
            if isinstance(target, ast.Name) and target.id == result.id
        ]
        if not values:
            return here
        result = values[-1]
    if not isinstance(result, ast.Call):
        return here
    return _inside(result, inner_file, called.__qualname__, called.__globals__, sources, user, depth - 1)
