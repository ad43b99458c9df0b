"""Edits that make a further optimizer, for variables that the first one was not made for."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def renewed(made: Location | None, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """`optimizer = Adam(0.01)` once more before the loop in which it meets other variables, or before the model is
    compiled with it for the last time.

    An empty result means that neither stands in the same function, or that what it is made from has no value there.
    """
    found = _made(made, sources)
    if found is None or made is None or made.file != used.file:
        return ()
    tree, statement, target, call = found
    there = next(iter(tree.statements_at(used)[-1:]), None)
    loop = _outermost_loop(tree, there) if there is not None else None
    if loop is None or not _means(tree, statement, target, loop) or loop is _outermost_loop(tree, statement):
        loop = None
    meets = loop or _compiled(tree, statement, target)
    if meets is None or syntax.names(call) - set(tree.imports):
        return ()
    return (tree.before(meets, f"{tree.text(target)} = {tree.text(call)}"),)


def second(made: Location | None, used: Location, sources: Sources) -> tuple[Edit, ...]:
    """One more optimizer behind the first, and its name where the other model's variables are given.

    An empty result means that both models are trained by the same statement, or that it does not know the name.
    """
    found = _made(made, sources)
    if found is None or made is None or made.file != used.file:
        return ()
    tree, statement, target, call = found
    there = next(iter(tree.statements_at(used)[-1:]), None)
    name = tree.text(target)
    known = there is not None and (tree.scope(statement) is tree.module or _means(tree, statement, target, there))
    if there is None or not known:
        return ()
    uses = [
        each
        for each in tree.inside(there, cst.Name, cst.Attribute)
        if tree.text(each) == name and not isinstance(tree.parent(each), cst.AssignTarget)
    ]
    if len(uses) != 1 or not _used_elsewhere(tree, target, statement, there):
        return ()
    other = syntax.fresh(f"{name.rpartition('.')[2]}_2", tree, statement)
    other = f"{name.rpartition('.')[0]}.{other}" if "." in name else other
    return (tree.after(statement, f"{other} = {tree.text(call)}"), tree.replaced(uses[0], other))


def _used_elsewhere(
    tree: Tree, target: cst.Expression, made: cst.SimpleStatementLine, there: cst.SimpleStatementLine
) -> bool:
    """Return whether a further statement has the optimizer do something."""
    name = tree.text(target)
    return any(
        tree.text(call.func.value) == name and tree.statement(call) not in (made, there)
        for call in tree.inside(tree.module, cst.Call)
        if isinstance(call.func, cst.Attribute)
    )


def _made(
    made: Location | None, sources: Sources
) -> tuple[Tree, cst.SimpleStatementLine, cst.Name | cst.Attribute, cst.Call] | None:
    """The statement that makes the optimizer, its name, and the call."""
    tree = syntax.tree(made.file, sources) if made is not None else None
    for statement in tree.statements_at(made)[-1:] if tree is not None else ():
        target, call = syntax.target(statement), syntax.value(statement)
        if tree is not None and isinstance(target, (cst.Name, cst.Attribute)) and isinstance(call, cst.Call):
            return tree, statement, target, call
    return None


def _means(tree: Tree, statement: cst.SimpleStatementLine, target: cst.Name | cst.Attribute, there: cst.Node) -> bool:
    """True if the name is known, and can be bound, at another place: the same function, or attributes of one class."""
    if isinstance(target, cst.Attribute):
        owner = tree.above(statement, cst.ClassDef)
        return tree.text(target.value) == "self" and owner is not None and owner is tree.above(there, cst.ClassDef)
    return tree.scope(statement) is tree.scope(there)


def _compiled(
    tree: Tree, statement: cst.SimpleStatementLine, target: cst.Name | cst.Attribute
) -> cst.SimpleStatementLine | None:
    """The last statement behind the first one, in the same function, that compiles a model with the optimizer."""
    name, begins = tree.text(target), tree.span(statement)[1]
    found = [
        each
        for each in tree.inside(tree.scope(statement), cst.SimpleStatementLine)
        if tree.span(each)[0] > begins and tree.scope(each) is tree.scope(statement)
        for call in tree.inside(each, cst.Call)
        if syntax.called(call) == "compile" and any(tree.text(given.value) == name for given in call.args)
    ]
    return found[-1] if found else None


def _outermost_loop(tree: Tree, node: cst.Node) -> cst.For | cst.While | None:
    """The loop of the same function that holds all others around a node."""
    found: cst.For | cst.While | None = None
    above = tree.above(node, cst.For, cst.While, cst.FunctionDef)
    while isinstance(above, (cst.For, cst.While)):
        found, above = above, tree.above(above, cst.For, cst.While, cst.FunctionDef)
    return found
