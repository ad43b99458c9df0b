"""Edits of what takes the slope out of a value: casts to whole numbers, rounding, clipping."""

from __future__ import annotations

import ast

from tensorwhy.fixes import syntax
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

STEPS = ("round", "rint", "floor", "ceil", "sign")


def cast(location: Location | None, sources: Sources) -> tuple[Tree, cst.Call, cst.Expression] | None:
    """The cast to a whole number at a place, with what it casts."""
    return _unary(location, sources, ("cast", "to_int32", "saturate_cast"))


def step(location: Location | None, sources: Sources) -> tuple[Tree, cst.Call, cst.Expression] | None:
    """The call of a step function at a place, with its argument."""
    return _unary(location, sources, STEPS)


def floored(location: Location | None, sources: Sources) -> tuple[Edit, ...]:
    """`x // n` with the slope of `x / n`; only of names and numbers, because they are written three times."""
    tree = syntax.tree(location.file, sources) if location is not None else None
    found = [each for each in tree.at(location, cst.BinaryOperation) if _floors(each)] if tree is not None else []
    tf = tree.spelled("tensorflow") if tree is not None else ""
    if tree is None or len(found) != 1 or not tf:
        return ()
    whole, plain = found[0], (cst.Name, cst.Attribute, cst.Integer, cst.Float)
    if not isinstance(whole.left, plain) or not isinstance(whole.right, plain):
        return ()
    exact = f"{tree.text(whole.left)} / {tree.text(whole.right)}"
    text = f"{exact} + {tf}.stop_gradient({whole.bare} - {exact})"
    return (tree.replaced(found[0], text) if whole.parens else tree.instead(found[0], text),)


def _floors(node: cst.BinaryOperation) -> bool:
    return isinstance(node.operator, ast.FloorDiv)


_RISING = ("greater", "greater_equal")


def threshold(location: Location | None, sources: Sources) -> tuple[Tree, cst.Call, cst.Expression] | None:
    """The cast of a comparison `x > number` to floating point, with that `x`."""
    tree = syntax.tree(location.file, sources) if location is not None else None
    nodes: list[cst.Comparison | cst.Call] = []
    if tree is not None:
        nodes = [*tree.at(location, cst.Comparison), *tree.at(location, cst.Call)]
    found = [rising for each in nodes if (rising := _rising(each)) is not None]
    if tree is None or len(found) != 1:
        return None
    compared, value = found[0]
    above = tree.parent(compared)
    call = tree.parent(above) if isinstance(above, cst.Arg) else None
    if not isinstance(call, cst.Call) or syntax.called(call) != "cast" or call.args[0] is not above:
        return None
    dtype = syntax.argument(call, 1, "dtype")
    text = tree.text(dtype.value) if dtype is not None else ""
    is_float = "float" in text or text.endswith(".dtype")
    return (tree, call, value) if is_float and isinstance(value, (cst.Name, cst.Attribute)) else None


def _rising(node: cst.Comparison | cst.Call) -> tuple[cst.Expression, cst.Expression] | None:
    """A comparison that becomes true where a value rises, and the value."""
    if isinstance(node, cst.Call):
        plain = len(node.args) == 2 and not any(each.keyword or each.star for each in node.args)
        return (node, node.args[0].value) if plain and syntax.called(node) in _RISING else None
    if len(node.comparisons) != 1 or not isinstance(node.comparisons[0].operator, (ast.Gt, ast.GtE)):
        return None
    number = isinstance(node.comparisons[0].comparator, (cst.Float, cst.Integer, cst.Name, cst.Attribute))
    return (node, node.left) if number else None


def clip(location: Location | None, sources: Sources) -> tuple[Tree, cst.Call, cst.Expression] | None:
    """The call that clips at a place, with what it clips."""
    return _unary(location, sources, ("clip_by_value", "clip"))


def _unary(
    location: Location | None, sources: Sources, wanted: tuple[str, ...]
) -> tuple[Tree, cst.Call, cst.Expression] | None:
    tree = syntax.tree(location.file, sources) if location is not None else None
    calls = [call for call in tree.at(location, cst.Call) if syntax.called(call) in wanted] if tree else []
    if tree is None or len(calls) != 1 or not calls[0].args or calls[0].args[0].star:
        return None
    return tree, calls[0], calls[0].args[0].value


def left_out(tree: Tree, call: cst.Call, argument: cst.Expression) -> tuple[Edit, ...]:
    """The argument of a call in the call's place."""
    text, statement = tree.text(argument), tree.statement(call)
    if statement is not None and syntax.value(statement) is call:
        target, removed = syntax.target(statement), tree.removed(statement)
        if removed is not None and target is not None and tree.text(target) == text:
            return (removed,)
    return (tree.replaced(call, text) if syntax.simple(argument) else tree.instead(call, text),)


def straight_through(tree: Tree, call: cst.Call, argument: cst.Expression, made: str = "") -> tuple[Edit, ...]:
    """The same value, with the gradient of the argument: `x + stop_gradient(round(x) - x)`.

    `made` is the text of the stepped value, where it is not the call itself.
    """
    tf = tree.spelled("tensorflow")
    detached = tree.canonical(call.func).startswith("torch.")
    statement = tree.statement(call)
    if not (tf or detached) or statement is None:
        return ()
    text, edits = tree.text(argument), []
    if not isinstance(argument, (cst.Name, cst.Attribute)):
        name = syntax.fresh("smooth", tree, call)
        if tree.above(call, cst.Lambda, cst.CompFor) is not None:
            return ()
        edits.append(tree.before(statement, f"{name} = {text}"))
        made, text = (made or tree.text(call)).replace(text, name, 1), name
    made = made or tree.text(call)
    rest = f"({made} - {text}).detach()" if detached else f"{tf}.stop_gradient({made} - {text})"
    return (*edits, tree.instead(call, f"{text} + {rest}"))


def soft_position(location: Location | None, sources: Sources) -> tuple[str, tuple[Edit, ...]] | None:
    """`argmax(x, axis=1)` with the gradient of a mean of positions, which a softmax weights: words, and edit."""
    tree = syntax.tree(location.file, sources) if location is not None else None
    tf = tree.spelled("tensorflow") if tree is not None else ""
    found = (
        [call for call in tree.at(location, cst.Call) if syntax.called(call) == "argmax"] if tree is not None else []
    )
    if tree is None or not tf or len(found) != 1 or not found[0].args:
        return None
    axis = syntax.argument(found[0], 1, "axis")
    at, scores = tree.text(axis.value) if axis is not None else "", found[0].args[0].value
    if at not in ("1", "-1") or not isinstance(scores, cst.Name):
        return None
    x = scores.value
    places = f"{tf}.cast({tf}.range({tf}.shape({x})[{at}]), {x}.dtype)"
    statement = tree.statement(found[0])
    if statement is None or tree.above(found[0], cst.Lambda, cst.CompFor) is not None:
        return None
    name = syntax.fresh("place", tree, found[0])
    mean = f"{name} = {tf}.reduce_sum({tf}.nn.softmax({x}, axis={at}) * {places}, axis={at})"
    text = f"{name} + {tf}.stop_gradient({tf}.cast({tree.text(found[0])}, {x}.dtype) - {name})"
    return f"`{text}`, with `{mean}`", (tree.before(statement, mean), tree.instead(found[0], text))
