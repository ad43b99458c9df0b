"""Edits that keep state between the calls of a traced function in a variable, where an attribute held a tensor."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def read_as_well(escape: Location, sources: Sources) -> bool:
    """True if the function that stores an attribute reads it, too: then its value has to come in with each call."""
    found = _store(escape, sources)
    return found is not None and bool(_reads(*found))


def in_variable(escape: Location, sources: Sources) -> tuple[Edit, ...]:
    """`self.h = f(self.h)` by `self.h.assign`, with a variable that `__init__` makes of what it gave the attribute.

    In a loop, the function works on a name of its own, and assigns that at its end: an assigned value carries no
    gradient. An empty result means that the attribute has no value from `__init__`.
    """
    found = _store(escape, sources)
    if found is None:
        return ()
    tree, function, target = found
    owner, tf = tree.above(function, cst.ClassDef), tree.spelled("tensorflow")
    if owner is None or not tf or tree.text(target.value) != "self":
        return ()
    made: list[tuple[cst.AssignTarget, cst.Expression]] = []
    later: list[tuple[cst.AssignTarget, cst.Expression]] = []
    for each in tree.inside(owner.body, cst.AssignTarget):
        if not any(tree.text(part) == tree.text(target) for part in tree.inside(each.target, cst.Attribute)):
            continue
        statement = tree.statement(each)
        value = syntax.value(statement) if statement is not None else None
        if value is None or tree.text(each.target) != tree.text(target) or tree.text(value) == "None":
            return ()
        if tree.function(each) is not function:
            method = tree.function(each)
            at_first = method is not None and method.name.value == "__init__"
            (made if at_first else later).append((each, value))
    first = made[0][1] if len(made) == 1 else None
    if first is None or (isinstance(first, cst.Call) and tree.canonical(first.func) == "tensorflow.Variable"):
        return ()
    edits = [tree.replaced(first, f"{tf}.Variable({tree.text(first)}, trainable=False)")]
    edits += [_assigned(tree, each, value) for each, value in later]
    own = _own(tree, function, target, tf)
    return (*edits, *own) if own else ()


def _own(tree: Tree, function: cst.FunctionDef, target: cst.Attribute, tf: str) -> tuple[Edit, ...]:
    """What the traced function itself does with the attribute."""
    stores = [
        each for each in tree.inside(function.body, cst.AssignTarget) if tree.text(each.target) == tree.text(target)
    ]
    reads = _reads(tree, function, target)
    once = len(stores) == 1 and tree.above(stores[0], cst.For, cst.While, cst.If, cst.FunctionDef) is function
    if once and all(tree.span(each) < tree.span(stores[0]) for each in reads):
        statement = tree.statement(stores[0])
        value = syntax.value(statement) if statement is not None else None
        return (_assigned(tree, stores[0], value),) if value is not None else ()
    body = function.body.body
    first = body[1] if syntax.documented(function.body) and len(body) > 1 else body[0]
    name = syntax.fresh(target.attr.value.lstrip("_") or "state", tree, first)
    ends = [each for each in tree.inside(function.body, cst.Return) if tree.function(each) is function]
    last = body[-1]
    if any(tree.function(each) is not function for each in (*reads, *stores)) or not isinstance(
        last, cst.SimpleStatementLine
    ):
        return ()
    edits = [tree.before(first, f"{name} = {tf}.identity({tree.text(target)})")]
    edits += [tree.replaced(each, name) for each in reads]
    edits += [tree.replaced(each.target, name) for each in stores]
    end = f"{tree.text(target)}.assign({name})"
    for each in ends:
        statement = tree.statement(each)
        if statement is None or len(statement.body) != 1:
            return ()
        if any(read in tree.inside(statement, cst.Attribute) for read in reads) and len(body) == 1:
            return ()
        edits.append(tree.before(statement, end))
    if not isinstance(last.body[-1], cst.Return):
        edits.append(tree.after(last, end))
    return tuple(edits)


def _assigned(tree: Tree, target: cst.AssignTarget, value: cst.Expression) -> Edit:
    """`self.h = value` as `self.h.assign(value)`."""
    whole = tree.parent(target)
    return tree.replaced(whole or target, f"{tree.text(target.target)}.assign({tree.text(value)})")


def _store(escape: Location, sources: Sources) -> tuple[Tree, cst.FunctionDef, cst.Attribute] | None:
    tree = syntax.tree(escape.file, sources)
    statements = tree.statements_at(escape)[-1:] if tree is not None else []
    target = syntax.target(statements[0]) if statements else None
    function = tree.function(statements[0]) if tree is not None and statements else None
    if tree is None or function is None or not isinstance(target, cst.Attribute):
        return None
    return tree, function, target


def _reads(tree: Tree, function: cst.FunctionDef, target: cst.Attribute) -> list[cst.Attribute]:
    return [
        each
        for each in tree.inside(function.body, cst.Attribute)
        if tree.text(each) == tree.text(target) and not isinstance(tree.parent(each), cst.AssignTarget)
    ]
