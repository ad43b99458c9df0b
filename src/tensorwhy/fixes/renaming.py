"""Edits that give a second thing a name of its own, where it took the name of the first."""

from __future__ import annotations

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


def second(bound: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`encoder = make()` as `encoder_2 = make()`, so that the name means what it meant before.

    An empty result means that it is no plain assignment, or one that goes on from the old value.
    """
    tree = syntax.tree(bound.file, sources) if bound is not None else None
    statements = tree.statements_at(bound) if tree is not None else []
    target = syntax.target(statements[-1]) if statements else None
    value = syntax.value(statements[-1]) if statements else None
    if tree is None or not isinstance(target, cst.Name) or value is None or target.value in syntax.names(value):
        return ()
    return (tree.replaced(target, syntax.fresh(f"{target.value}_2", tree, statements[-1])),)


def result(taken: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`loss = loss(y, p)` as `loss_value = loss(y, p)`, and what reads the result behind it in the same function.

    An empty result means that the statement binds something else than what its own call gives.
    """
    tree = syntax.tree(taken.file, sources) if taken is not None else None
    statements = tree.statements_at(taken) if tree is not None else []
    target = syntax.target(statements[-1]) if statements else None
    if tree is None or not isinstance(target, cst.Name):
        return ()
    scope, end, name = tree.scope(statements[-1]), tree.span(statements[-1])[1], target.value
    own = syntax.fresh(f"{name}_value", tree, statements[-1])
    behind = [each for each in tree.inside(scope, cst.Name) if each.value == name and tree.span(each)[0] > end]
    return tuple(tree.replaced(each, own) for each in (target, *behind) if each is target or _reads_value(tree, each))


def _reads_value(tree: Tree, name: cst.Name) -> bool:
    """Return whether a name stands for a value, and not for what is called, or for an attribute or a keyword."""
    above = tree.parent(name)
    if isinstance(above, cst.Attribute):
        return above.value is name
    if isinstance(above, cst.Arg):
        return above.value is name
    return not (isinstance(above, cst.Call) and above.func is name) and not isinstance(
        above, (cst.AssignTarget, cst.Param, cst.NameItem)
    )


def outer_recorder(
    name: str, hidden: Location | None, opened: Location | None, asked: Location | None, sources: Sources
) -> tuple[Edit, ...]:
    """Another name for the tape around the one that took its name: where it is opened, told to watch, and asked."""
    tree = syntax.tree(hidden.file, sources) if hidden is not None else None
    outer, inner = _with(tree, name, hidden), _with(tree, name, opened)
    if tree is None or outer is None or inner is None or asked is None or asked.file != tree.file:
        return ()
    own = syntax.fresh(f"outer_{name}", tree, outer)
    begins = tree.span(inner)[0]
    uses = [each for each in tree.inside(outer, cst.Name) if each.value == name and tree.span(each)[0] < begins]
    behind = [each for each in tree.at(asked, cst.Name) if each.value == name and each not in uses]
    return tuple(tree.replaced(each, own) for each in (*uses, *behind)) if behind else ()


def _with(tree: Tree | None, name: str, opened: Location | None) -> cst.With | None:
    """The `with` that opens a tape of this name at a place."""
    for each in tree.at(opened, cst.With) if tree is not None else ():
        named = [item.asname.name for item in each.items if item.asname is not None]
        if any(isinstance(found, cst.Name) and found.value == name for found in named):
            return each
    return None
