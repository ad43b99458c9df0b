"""Edits that give a value a name of its own, where it took the place of an attribute."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def localised(location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`self.w = f(self.w)` as `w = f(self.w)`, and what reads `self.w` behind it in the same function as `w`.

    A guard like `if self.w is None:` around the assignment goes too: a local name is made in every call. An empty
    result means that nothing behind it in this function reads the attribute: it is what other functions read.
    """
    tree = syntax.tree(location.file, sources) if location is not None else None
    for statement in tree.statements_at(location) if tree is not None else ():
        assert tree is not None
        target, function = syntax.target(statement), tree.function(statement)
        if not isinstance(target, cst.Attribute) or not isinstance(target.value, cst.Name) or function is None:
            continue
        name = syntax.fresh(target.attr.value.lstrip("_") or "value", tree, statement)
        behind = [
            each
            for each in tree.inside(function.body, cst.Attribute)
            if tree.text(each) == tree.text(target) and tree.span(each)[0] > tree.span(statement)[1]
        ]
        if not behind or any(isinstance(tree.parent(each), cst.AssignTarget) for each in behind):
            return ()
        guard = _guard(tree, statement, target)
        if guard is not None and _read_elsewhere(tree, function, target):
            return ()
        edits = [tree.replaced(each, name) for each in behind]
        if guard is None:
            return (tree.replaced(target, name), *edits)
        small = statement.body[0]
        assert isinstance(small, (cst.Assign, cst.AnnAssign)) and small.value is not None
        return (tree.replaced(guard, f"{name} = {tree.text(small.value)}"), *edits)
    return ()


def _guard(tree: Tree, statement: cst.SimpleStatementLine, target: cst.Attribute) -> cst.If | None:
    """The `if` whose only statement this is, and which asks for the attribute."""
    above = tree.above(statement, cst.If, cst.FunctionDef)
    if not isinstance(above, cst.If) or above.orelse is not None or len(above.body.body) != 1:
        return None
    asked = any(tree.text(each) == tree.text(target) for each in tree.inside(above.test, cst.Attribute))
    return above if asked else None


def _read_elsewhere(tree: Tree, function: cst.FunctionDef, target: cst.Attribute) -> bool:
    return any(
        each.attr.value == target.attr.value
        and tree.function(each) is not function
        and not isinstance(tree.parent(each), cst.AssignTarget)
        for each in tree.inside(tree.module, cst.Attribute)
    )
