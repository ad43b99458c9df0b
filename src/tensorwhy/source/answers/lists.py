"""Which variables a program asks gradients for, and what it hands an optimizer."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.source.answers.calls import call_at, written_sources
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import callee


def sources_made(sources: Sources, asked: Location | None) -> Location | None:
    """Where the list that the gradient was asked for got its name, above the call; the call itself without a name."""
    call = call_at(sources, asked)
    if call is None or asked is None:
        return asked
    given = written_sources(call)
    scope = sources.function(asked) or sources.tree(asked.file)
    if not isinstance(given, ast.Name) or scope is None:
        return asked
    bound = [
        node
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign)
        and any(isinstance(each, ast.Name) and each.id == given.id for each in node.targets)
        and node.lineno <= asked.line
    ]
    last = max(bound, key=lambda node: node.lineno, default=None)
    return sources.place(asked.file, last) if last is not None else asked


def taken_before(sources: Sources, asked: Location | None) -> Location | None:
    """Where a model's variables were put into a list once, which another function asks for, or a loop further down."""
    call = call_at(sources, asked)
    tree = sources.tree(asked.file) if asked is not None else None
    if call is None or asked is None or tree is None:
        return None
    given = written_sources(call)
    own = sources.function(asked)
    if not isinstance(given, (ast.Name, ast.Attribute)):
        return None
    above = _taken_above(own or tree, given, asked)
    if above is not None or own is None:
        return sources.place(asked.file, above) if above is not None else None
    inside = {id(node) for node in ast.walk(own)}
    local = [node for node in ast.walk(own) if isinstance(node, ast.Assign) and _binds(node, given)]
    outer = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and id(node) not in inside and _binds(node, given) and _lists(node.value)
    ]
    return sources.place(asked.file, outer[0]) if len(outer) == 1 and not local else None


def _taken_above(scope: ast.AST, given: ast.expr, asked: Location) -> ast.Assign | None:
    """The only line of a scope that gives the list its value, above a loop that asks for it."""
    bound = [node for node in ast.walk(scope) if isinstance(node, ast.Assign) and _binds(node, given)]
    loops = [
        loop
        for loop in ast.walk(scope)
        if isinstance(loop, (ast.For, ast.While)) and loop.lineno < asked.line <= (loop.end_lineno or 0)
    ]
    if len(bound) != 1 or not _lists(bound[0].value) or not loops:
        return None
    return bound[0] if all(bound[0].lineno < loop.lineno for loop in loops) else None


def _binds(node: ast.Assign, wanted: ast.expr) -> bool:
    return any(ast.unparse(target) == ast.unparse(wanted) for target in node.targets)


def _lists(value: ast.expr) -> bool:
    """Return whether an expression reads a model's variables, of one or several together."""
    if isinstance(value, ast.BinOp):
        return _lists(value.left) and _lists(value.right)
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        return _lists(value.args[0])  # a copy: `list(...)`, `tuple(...)`
    return isinstance(value, ast.Attribute) and value.attr in _LISTS


_LISTS = ("trainable_variables", "trainable_weights", "variables", "weights")


def picked(sources: Sources, asked: Location | None) -> bool:
    """True if the list of sources was picked one by one: by a condition, a slice, or from single layers of a model.

    A list of one's own is followed to where it got its value, or was filled.
    """
    call, tree = call_at(sources, asked), sources.tree(asked.file) if asked is not None else None
    if call is None or asked is None or tree is None:
        return False
    given = written_sources(call)
    if given is None or _picks(given):
        return given is not None
    own = sources.function(asked)
    for scope in (own, tree) if own is not None else (tree,):
        bound = [node.value for node in ast.walk(scope) if isinstance(node, ast.Assign) and _binds(node, given)]
        filled = [node for node in ast.walk(scope) if isinstance(node, ast.If) and _fills(node, given)]
        if bound or filled:
            return bool(filled) or any(map(_picks, bound))
    return any(_picks(loop.iter) for loop in _loops(own or tree, call, given))


def asked_elsewhere(sources: Sources, asked: Location | None, unreached: tuple[Location, ...]) -> bool:
    """True if one of these calls, which did not run, asks for the variables of another model than this one does."""
    call = call_at(sources, asked)
    own = written_sources(call) if call is not None else None
    for place in unreached:
        other = call_at(sources, place)
        given = written_sources(other) if other is not None else None
        if own is not None and given is not None and _lists(given) and ast.unparse(given) != ast.unparse(own):
            return True
    return False


def applied_at_intervals(sources: Sources, asked: Location | None) -> bool:
    """True if gradients are applied every so many steps, by a condition with a remainder: a short run ends before."""
    tree = sources.tree(asked.file) if asked is not None else None
    nodes = sources.nodes(asked.file) if asked is not None and tree is not None else ()
    functions = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    applying = {"apply_gradients", *(each.name for each in functions if "apply_gradients" in _called(each))}
    return any(
        isinstance(node, ast.If)
        and any(isinstance(each, ast.Mod) for each in ast.walk(node.test))
        and any(not applying.isdisjoint(_called(each)) for each in node.body)
        for node in nodes
    )


def _called(scope: ast.AST) -> set[str]:
    """The last parts of the names of all that is called."""
    return {callee(node) for node in ast.walk(scope) if isinstance(node, ast.Call)}


def _loops(scope: ast.AST, call: ast.Call, given: ast.expr) -> list[ast.For]:
    """The loops around a call whose variable the list is read from: `layer.trainable_variables`."""
    names = {node.id for node in ast.walk(given) if isinstance(node, ast.Name)}
    return [
        node
        for node in ast.walk(scope)
        if isinstance(node, ast.For)
        and isinstance(node.target, ast.Name)
        and node.target.id in names
        and any(each is call for each in ast.walk(node))
    ]


def _picks(value: ast.expr) -> bool:
    """Return whether an expression takes some of a model's variables, and so leaves out others."""
    for node in ast.walk(value):
        if isinstance(node, ast.comprehension) and node.ifs:
            return True
        taken = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(taken, ast.Attribute) and taken.attr in (*_LISTS, "layers"):
            return True
        if isinstance(node, ast.Call) and callee(node) in ("get_layer", "filter"):
            return True
        if isinstance(node, ast.Call) and callee(node) not in _KEEPING and any(map(_is_list, node.args)):
            return True  # a function of the program's makes another list of it
    return False


def _is_list(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr in _LISTS


_KEEPING = frozenset(
    {"list", "tuple", "set", "sorted", "reversed", "sum", "chain", "flatten", "copy", "deepcopy", "zip", "enumerate"}
)
"""Functions whose result holds all of the list that they are given."""


def _fills(node: ast.If, wanted: ast.expr) -> bool:
    """Return whether a condition decides what is put into a list, or added to it."""
    name = ast.unparse(wanted)
    calls = [each.value for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    added = [each.target for each in node.body if isinstance(each, ast.AugAssign)]
    return any(ast.unparse(target) == name for target in added) or any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr in ("append", "extend")
        and ast.unparse(call.func.value) == name
        for call in calls
    )


def zipped(sources: Sources, applied: Location | None) -> bool:
    """True if the pairs that an optimizer got were made by `zip` alone, and not chosen by a condition or a slice."""
    tree = sources.tree(applied.file) if applied is not None else None
    statement = sources.statement(applied) if applied is not None else None
    if tree is None or statement is None:
        return False
    scope = sources.function(applied) or tree if applied is not None else tree
    used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    held = [
        node
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in used for t in node.targets)
    ]
    nodes = [inner for each in (statement, *held) for inner in ast.walk(each)]
    chosen = any(
        (isinstance(node, ast.comprehension) and node.ifs) or isinstance(node, ast.Subscript) for node in nodes
    )
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return not chosen and any(isinstance(each, ast.Name) and each.id == "zip" for each in calls)


def set_apart(sources: Sources, asked: Location | None) -> bool:
    """Return whether the answers are unpacked into names of their own, all of which are used, or thrown away as `_`."""
    statement = sources.statement(asked) if asked is not None else None
    if asked is None or not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        return False
    scope = sources.function(asked) or sources.tree(asked.file)
    parts = [each.value if isinstance(each, ast.Starred) else each for each in statement.targets[0].elts]
    read = {
        node.id
        for node in (ast.walk(scope) if scope is not None else ())
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return all(isinstance(each, ast.Name) and (each.id in read or each.id.startswith("_")) for each in parts)
