"""Finds the statement by which a tensor escaped: the one that stored it where it is held now.

The holder gives the name that the statement must store to; the tensor's creation gives the functions that were running.
Text is searched, never executed; when several statements could have done it, none is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tensorwhy.model.facts.graph import Holder, Symbolic
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

ADDERS = {"append", "appendleft", "extend", "insert", "add", "update", "setdefault", "put", "put_nowait"}
_VARIABLE_MAKERS = {"Variable", "add_weight", "add_variable", "get_variable", "variable"}
# Of a statement that ran, or may have run, when the trace was over.
_LATER = -1


class Store:
    """A statement that stores to the wanted name, with the function that it stands in."""

    __slots__ = ("file", "function", "node", "value")

    def __init__(self, file: str, node: ast.expr | ast.stmt, value: ast.AST | None, function: str) -> None:
        self.file, self.node, self.value, self.function = file, node, value, function

    def location(self, sources: Sources) -> Location:
        return reading.where(self.node, self.file, self.function, sources)

    def covers(self, location: Location) -> bool:
        first, last = self.node.lineno, self.node.end_lineno
        return self.file == location.file and first <= location.line <= (last or first)


def escapes(tensor: Symbolic, held: Iterable[tuple[Holder, Iterable[str]]], sources: Sources) -> tuple[Location, ...]:
    """The storing statements, the surest first; of a holder none when there is none or more than one possible.

    `held` are the holders, each with the files to search. Statements that stored the tensor while it was made are
    told alone: what may have taken it from there later did not let it escape.
    """
    found = [stored for holder, files in held if (stored := _stored_by(tensor, holder, files, sources)) is not None]
    found.sort(key=lambda each: each[0], reverse=True)
    while_made = [store for depth, store in found if depth > _LATER]
    stores = while_made or [store for _, store in found[:1]]
    return tuple(dict.fromkeys(store.location(sources) for store in stores))


def _stored_by(tensor: Symbolic, holder: Holder, files: Iterable[str], sources: Sources) -> tuple[int, Store] | None:
    """The statement that stored to this holder, with how far inside the traced function it did so.

    A statement that was running when the tensor was made comes before the others of the function that it is in, and
    these before the functions that are called by name from there.
    """
    stores = [
        store
        for file in dict.fromkeys(files)
        for store in _stores(sources, file, holder)
        if not makes_variable(store.value)
    ]
    running = [store for store in stores if store.function != "<module>" and not store.function.endswith("__init__")]
    traced = _traced_from(tensor)
    calls = list(enumerate(tensor.calls))
    for depth, location in reversed(calls):
        for store in stores:
            if store.covers(location):
                return (depth if depth >= traced else _LATER), store
    for depth, location in reversed(calls):
        for store in running:
            line = store.node.lineno
            if store.file == location.file and store.function == _plain(location.function) and line >= location.line:
                return (depth if depth >= traced else _LATER), store
    for depth, location in reversed(calls[traced:]):
        called = _called_from(location, running, sources)
        if len(called) == 1:
            return depth, called[0]
    # What a module does itself it does once: after the trace, or the tensor's calls would hold it.
    for candidates in (running, running if calls else stores):
        if len(candidates) == 1:
            return _LATER, candidates[0]
    return None


def _traced_from(tensor: Symbolic) -> int:
    """Which of the tensor's calls is the traced function; the first where none goes by that name."""
    inside = (depth for depth, call in enumerate(tensor.calls) if _plain(call.function) == tensor.graph.name)
    return max(inside, default=0)


def former_holder(tensor: Symbolic, sources: Sources) -> Holder | None:
    """Where the statement that made a tensor stored it, if that was beyond its function: an attribute or a global.

    Or the call of the function that returned it did: `self.state = cell(x)`.
    """
    calls = [each for each in tensor.calls[_traced_from(tensor) :] if each != tensor.created]
    for place in (tensor.created, *reversed(calls)):
        holder = _stored_at(place, sources) if place is not None else None
        if holder is not None:
            return holder
        if place is not None and not isinstance(sources.statement(place), ast.Return):
            return None
    return None


def _stored_at(created: Location, sources: Sources) -> Holder | None:
    """What a statement stores to beyond its function; or what one behind it gives a name that the first bound.

    `out, state = cell(x)`, `self.state = state[0]`.
    """
    statement = sources.statement(created)
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    function = sources.function(created)
    for target in map(_beside_names, targets):
        text, contained = ast.unparse(target), isinstance(target, ast.Subscript)
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute):
            words = (f"attribute `{text}`",)
            return Holder(kind="attribute", expression=text, steps=words, attribute=target.attr, contained=contained)
        if isinstance(target, ast.Name) and function is not None:
            for node in ast.walk(function):
                if isinstance(node, (ast.Global, ast.Nonlocal)) and target.id in node.names:
                    if isinstance(node, ast.Global):
                        words = (f"module global `{target.id}`",)
                        return Holder(kind="global", expression=target.id, steps=words, attribute=target.id)
                    words = (f"variable `{target.id}`",)
                    return Holder(kind="closure", expression=target.id, steps=words, attribute=target.id)
    bound = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    kept = list(_kept_as_attributes(function, bound, created.line)) if function is not None else []
    if len(kept) == 1:
        text = ast.unparse(kept[0])
        return Holder(kind="attribute", expression=text, steps=(f"attribute `{text}`",), attribute=kept[0].attr)
    return None


def _beside_names(target: ast.expr) -> ast.expr:
    """The one target beyond the function that a statement unpacks to beside plain names: `out, self.state = ...`."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    kept = [each for each in parts if not isinstance(each, ast.Name)]
    return kept[0] if len(kept) == 1 and not isinstance(kept[0], ast.Starred) else target


def _kept_as_attributes(function: ast.AST, names: set[str], line: int) -> Iterator[ast.Attribute]:
    """The attributes that get one of these names, or a part of it, behind a line."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign) or node.lineno <= line or len(node.targets) != 1:
            continue
        ways = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
        inner = [each.value if isinstance(each, ast.Subscript) else each for each in ways]
        known = all(isinstance(each, ast.Name) and each.id in names for each in inner)
        if known and isinstance(node.targets[0], ast.Attribute):
            yield node.targets[0]


def handed_over(created: Location | None, sources: Sources) -> tuple[Location | None, str]:
    """The call that was given the tensor and whose result nothing uses, with its function's text.

    A tensor that is made in the arguments of such a statement can only have been kept by what is called.
    """
    statement = sources.statement(created) if created is not None else None
    if created is None or not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None, ""
    call = statement.value
    if not isinstance(call.func, ast.Attribute) or call.func.attr in ADDERS or not (call.args or call.keywords):
        return None, ""
    return Store(created.file, call, None, created.function).location(sources), ast.unparse(call.func)


def variable_store(holder: Holder, files: Iterable[str], sources: Sources) -> Location | None:
    """Where the same attribute or name is first given a variable, or a container of some; None when it never is."""
    for file in dict.fromkeys(files):
        for store in _stores(sources, file, holder):
            if _holds_variables(store.value) if holder.contained else makes_variable(store.value):
                return store.location(sources)
    return None


def bound(holder: Holder, files: Iterable[str], sources: Sources) -> tuple[list[Location], list[Location]]:
    """Where the name is given a variable, and where something else."""
    stores = [store for file in dict.fromkeys(files) for store in _stores(sources, file, holder)]
    made = [store.location(sources) for store in stores if makes_variable(store.value)]
    return made, [store.location(sources) for store in stores if not makes_variable(store.value)]


def replaces(escape: Location, sources: Sources) -> bool:
    """Return whether the statement puts its value in the place of another one: an element that is assigned to."""
    statement = sources.statement(escape)
    if isinstance(statement, ast.AugAssign):
        return True
    return isinstance(statement, ast.Assign) and all(isinstance(each, ast.Subscript) for each in statement.targets)


def _holds_variables(value: ast.AST | None) -> bool:
    """Return whether an expression makes a container of nothing but variables."""
    if isinstance(value, (ast.ListComp, ast.SetComp)):
        return makes_variable(value.elt)
    if isinstance(value, ast.DictComp):
        return makes_variable(value.value)
    parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", ())
    return bool(parts) and all(makes_variable(each) for each in parts)


def _plain(function: str) -> str:
    return function.rpartition(".")[2].removeprefix("tf__")


def makes_variable(value: ast.AST | None) -> bool:
    """Return whether an expression is the call that makes a variable."""
    return isinstance(value, ast.Call) and reading.callee(value) in _VARIABLE_MAKERS


def _called_from(location: Location, stores: list[Store], sources: Sources) -> list[Store]:
    """The stores in functions that are called by name from the function at a location."""
    function = sources.function(location)
    nodes = ast.walk(function) if function is not None else ()
    called = {reading.callee(node) for node in nodes if isinstance(node, ast.Call)}
    return [store for store in stores if store.function in called]


def _stores(sources: Sources, file: str, holder: Holder) -> Iterator[Store]:
    tree = sources.tree(file)
    if tree is not None:
        yield from _walk(tree, file, "<module>", holder, bound=holder.kind == "global")


def _walk(node: ast.AST, file: str, function: str, holder: Holder, bound: bool) -> Iterator[Store]:
    """`bound`: whether a plain assignment to the name here means the held name (a global, a shared closure cell)."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _walk(child, file, child.name, holder, _binds(child, holder))
            continue
        if isinstance(child, (ast.expr, ast.stmt)):
            yield from (Store(file, child, value, function) for value in _stored(child, holder, bound))
        yield from _walk(child, file, function, holder, bound)


def _binds(function: ast.FunctionDef | ast.AsyncFunctionDef, holder: Holder) -> bool:
    if holder.kind == "closure":
        return True
    return any(isinstance(node, ast.Global) and holder.attribute in node.names for node in ast.walk(function))


def _stored(node: ast.AST, holder: Holder, bound: bool) -> Iterator[ast.AST | None]:
    """The values that this node stores to the wanted name."""
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            for single in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if _is_target(single, holder, bound):
                    yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if holder.contained and node.func.attr in ADDERS and _reads(node.func.value, holder):
            yield node
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
        name = node.args[1] if len(node.args) > 2 else None
        if isinstance(name, ast.Constant) and name.value == holder.attribute:
            yield node.args[2]


def _is_target(target: ast.expr, holder: Holder, bound: bool) -> bool:
    if isinstance(target, ast.Starred):
        target = target.value
    if isinstance(target, ast.Subscript):
        return holder.contained and _reads(target.value, holder) and _may_be_key(target, holder)
    if isinstance(target, ast.Attribute):
        return holder.kind in ("attribute", "class attribute") and target.attr == holder.attribute
    return isinstance(target, ast.Name) and bound and target.id == holder.attribute


def _may_be_key(target: ast.Subscript, holder: Holder) -> bool:
    """Return whether the element that is stored to can be the one that holds the tensor: other constants cannot."""
    outer = target
    while isinstance(outer.value, ast.Subscript):
        outer = outer.value
    known = isinstance(outer.slice, ast.Constant) and isinstance(outer.slice.value, str)
    return not known or not holder.key or f"[{outer.slice.value!r}]" == holder.key  # type: ignore[attr-defined]


def _reads(node: ast.expr, holder: Holder) -> bool:
    """Return whether the expression reaches into the named container: `x.name`, `name[key]`, `name.setdefault(...)`."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("setdefault", "get")
        ):
            node = node.func.value
        else:
            break
    if isinstance(node, ast.Attribute):
        return node.attr == holder.attribute
    return isinstance(node, ast.Name) and node.id == holder.attribute
