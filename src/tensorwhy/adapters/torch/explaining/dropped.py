"""Results that are assigned to a name that nothing reads after that, or only once it has another value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.callees import Callees
from tensorwhy.source.files import Function, Sources
from tensorwhy.source.reading import stands_at

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_NUMBERS = frozenset({"item", "detach", "data", "tolist", "numpy"})


class Assigned(NamedTuple):
    """Where a result is given a name, once all functions have returned it."""

    location: Location
    statement: ast.Assign
    name: str


def overwritten(fact: GradientBreak, lineage: Lineage, sources: Sources) -> Assigned | None:
    """Return the name under which each turn of a loop puts a result, where that of another turn reaches the loss."""
    question, journal = fact.question, lineage.journal
    behind = lineage.ancestors(question.targets, question.event) | {*question.targets}
    derived, lost, kept = {fact.sources[0].tensor}, -1, set[int]()
    for event in journal.events(question.since, question.event):
        if event.kind > j.RECORDED or not event.outputs:
            continue
        if behind.intersection(event.outputs):
            kept.add(event.place)
        elif derived.intersection(event.inputs):
            derived.update(event.outputs)
            lost = event.place
    found = assigned((each.location for each in journal.chain(lost)), sources) if lost in kept else None
    return found if found is not None and _is_overwritten(found, sources) else None


def assigned(chain: Iterable[Location], sources: Sources) -> Assigned | None:
    """Return where a result gets its name, for the lines from that which computes it to the outermost call."""
    part: int | None = None
    for location in chain:
        statement = sources.statement(location)
        if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Tuple):
            found = [at for at, each in enumerate(statement.value.elts) if _covers(each, location)]
            part = found[0] if len(found) == 1 else None
        elif isinstance(statement, ast.Return):
            part = part if isinstance(statement.value, ast.Call) else None
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
            if isinstance(target, (ast.Tuple, ast.List)) and part is not None and part < len(target.elts):
                target = target.elts[part]
            named = isinstance(target, ast.Name) and not target.id.startswith("_")
            return Assigned(location, statement, target.id) if named and isinstance(target, ast.Name) else None
        else:
            return None
    return None


def _is_overwritten(found: Assigned, sources: Sources) -> bool:
    """Return whether each turn of a loop gives the name another value, and only what follows reads the last one."""
    function = sources.function(found.location, lambdas=False)
    scope = function if function is not None else sources.tree(found.location.file)
    inside = (
        [node for node in ast.walk(scope) if isinstance(node, _LOOPS) and _has(node, found.statement)] if scope else []
    )
    if scope is None or not inside:
        return False
    loop = max(inside, key=lambda each: each.lineno)
    shown = {id(name) for node in ast.walk(loop) if _only_shows(node) for name in ast.walk(node)}
    if any(id(read) not in shown for read in _reads(loop, found.name)):
        return False
    return any(read.lineno > (loop.end_lineno or loop.lineno) for read in _reads(scope, found.name))


def _only_shows(node: ast.AST) -> bool:
    """Whether what is below a node is only shown, or taken as a number."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Attribute) and node.attr in _NUMBERS
    return getattr(node.func, "id", "") in ("print", "float")


def dropped(location: Location | None, sources: Sources) -> tuple[str, bool] | None:
    """Return the name that the result of a line is given in vain, and whether that is a variable of a loop.

    None where the result may be read.
    """
    statement = sources.statement(location) if location is not None else None
    function = sources.function(location, lambdas=False) if location is not None else None
    if statement is None or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or target.id.startswith("_"):
        return None
    loops = [node for node in ast.walk(function) if isinstance(node, _LOOPS) and _has(node, statement)]
    bound = [loop for loop in loops if isinstance(loop, ast.For) and target.id in _names(loop.target)]
    first = max((loop.lineno for loop in bound), default=0)
    again = [loop for loop in loops if loop.lineno > first and loop not in bound]
    since = min((loop.lineno for loop in again), default=statement.end_lineno or statement.lineno)
    inside = {id(each) for each in ast.walk(statement)}
    for read in _reads(function, target.id):
        if id(read) not in inside and read.lineno >= since:
            return None
    if again and any(id(read) in inside for read in _reads(function, target.id)):
        return None  # it goes on from what the round before has left
    return target.id, bool(bound)


def discarded(fact: GradientBreak, lineage: Lineage, sources: Sources) -> ast.Call | None:
    """Return the call that stands alone in a statement, and only returns what it computes with the source.

    None where something that was computed below it reaches the loss, as what a hook keeps.
    """
    statement = sources.statement(fact.location) if fact.location is not None else None
    if fact.location is None or not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call, file, question, journal = statement.value, fact.location.file, fact.question, lineage.journal
    name = ast.unparse(call.func).rpartition(".")[2]
    if name.endswith("_") or any(each.arg in ("out", "inplace") for each in call.keywords):
        return None
    behind = lineage.ancestors(question.targets, question.event) | {*question.targets}
    found = Callees(sources).of(file, call.func) or Callees(sources).method(file, name)
    function: Function | None = found[1] if found is not None else None
    own = False
    for event in journal.events(question.since, question.event):
        chain = [each.location for each in journal.chain(event.place)] if event.kind <= j.RECORDED else []
        below = next((at for at, each in enumerate(chain) if each.file == file and _covers(call, each)), -1)
        if below < 0:
            continue
        if behind.intersection(event.outputs):
            return None
        if stands_at(call, chain[below], sources):
            own = own or (below == 0 and lineage.op_name(event) == name)
            function = sources.function(chain[below - 1], lambdas=False) if below else function
    return call if own or _only_returns(function) else None


def _only_returns(function: Function | None) -> bool:
    """Whether all that a function does is to return a value other than the object that it belongs to."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    for node in (each for statement in function.body for each in ast.walk(statement)):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            return False
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, ast.AugAssign) and _names(node.target) & given:
            return False
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            return False
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("_"):
            return False
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and not any(
        each is None or isinstance(each, ast.Constant) or (isinstance(each, ast.Name) and each.id == "self")
        for each in returned
    )


def _has(loop: ast.stmt, statement: ast.stmt) -> bool:
    return any(node is statement for node in ast.walk(loop))


def _covers(node: ast.expr, location: Location) -> bool:
    """Whether a line begins inside of an expression."""
    at = location.line, location.column or 0
    return (node.lineno, node.col_offset) <= at < (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _reads(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Where a name is read, but for what inner scopes call so themselves."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and child.id == name and not isinstance(child.ctx, ast.Store):
            yield child
        if not (isinstance(child, _SCOPES) and name in _bound_by(child)):
            yield from _reads(child, name)


def _bound_by(scope: ast.AST) -> set[str]:
    if isinstance(scope, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return {name for each in scope.generators for name in _names(each.target)}
    arguments = getattr(scope, "args", None)
    return {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)} if arguments is not None else set()
