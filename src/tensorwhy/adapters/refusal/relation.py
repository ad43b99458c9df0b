"""The part of a condition that decided, as a relation between two sides with their values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from tensorwhy.adapters.refusal.look import Look, shown
from tensorwhy.adapters.refusal.values import MISSING

_OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", ">="), ast.LtE: ("<=", ">"), ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"), ast.Is: ("==", "!="), ast.IsNot: ("!=", "=="), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}  # fmt: skip
_RANKS = ("ndim", "ndims", "rank")
_LONG = 50


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One operand: the library's text for it, empty for a constant, and its value."""

    node: ast.expr
    text: str
    value: str


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a condition held: `kind` is an operator of Python, "type" (a value of another type), "unfit" (a function
    found that they do not go together), or "flag" (a truth). Empty `sides`: the values are not known."""

    test: ast.expr
    kind: str = ""
    sides: tuple[Side, ...] = ()


def of(test: ast.expr, look: Look, defined: Callable[[str], ast.expr | None]) -> Relation:
    """The relation that made a condition true. `defined` gives what a local name was computed by."""
    node, truth = _decisive(test, True, look)
    return _compared(node, truth, look, defined) or _called(node, truth, look) or _flag(node, look)


def _decisive(node: ast.expr, truth: bool, look: Look) -> tuple[ast.expr, bool]:
    """The part of a condition without which it would have been different, as far as one can tell."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _decisive(node.operand, not truth, look)
    if not isinstance(node, ast.BoolOp):
        return node, truth
    if isinstance(node.op, ast.And) == truth:  # all parts were so: the last is what the others lead to
        parts = [each for each in node.values if not _leads(each)] or node.values
        return _decisive(parts[-1], truth, look)
    known = [(each, look.truth(each)) for each in node.values]
    found = [each for each, held in known if held is truth] or [each for each, held in known if held is None]
    return _decisive(found[0], truth, look) if len(found) == 1 else (node, truth)


def _leads(node: ast.expr) -> bool:
    """Return whether a part only asks whether the others can be asked: `x is not None and x.shape != y.shape`."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        other = node.comparators[0]
        return isinstance(other, ast.Constant) and other.value is None
    return isinstance(node, (ast.Name, ast.Attribute))


def _compared(node: ast.expr, truth: bool, look: Look, defined: Callable[[str], ast.expr | None]) -> Relation | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in _OPERATORS:
        return None
    kind = _OPERATORS[type(node.ops[0])][0 if truth else 1]
    pair = (node.left, node.comparators[0])
    counted = [_counted(each, defined) for each in pair]
    if counted[0] is not None and counted[1] is not None and all(shown(look.at(each)) for each in counted if each):
        pair = (counted[0], counted[1])
    sides = tuple(_side(each, look) for each in pair)
    known = all(each.value for each in sides) or (kind in ("in", "not in") and sides[0].value and sides[1].text)
    return Relation(test=node, kind=kind, sides=sides if known else ())


def _counted(node: ast.expr, defined: Callable[[str], ast.expr | None]) -> ast.expr | None:
    """The shape whose axes an expression counts: a shape tells more than its rank."""
    if isinstance(node, ast.Name):
        given = defined(node.id)
        return _counted(given, defined) if isinstance(given, (ast.Call, ast.Attribute)) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        return node.args[0]
    return node.value if isinstance(node, ast.Attribute) and node.attr in _RANKS else None


def _called(node: ast.expr, truth: bool, look: Look) -> Relation | None:
    """A test that a function makes: its operands are the sides."""
    if not isinstance(node, ast.Call) or truth:
        return None
    if isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
        thing, wanted = look.at(node.args[0]), ast.unparse(node.args[1])
        if thing is MISSING or len(wanted) > _LONG:
            return Relation(test=node)
        text = ast.unparse(node.args[0])
        kinds = look.at(node.args[1])
        names = [each.__name__ for each in (kinds if isinstance(kinds, tuple) else (kinds,)) if isinstance(each, type)]
        pair = (
            Side(node=node.args[0], text=text, value=_kind(thing)),
            Side(node=node.args[1], text="", value=" or ".join(names) or wanted),
        )
        return Relation(test=node, kind="type", sides=pair)
    parts = [*node.args, *(each.value for each in node.keywords)]
    if isinstance(node.func, ast.Attribute):
        parts.insert(0, node.func.value)
    sides = tuple(side for each in parts if (side := _side(each, look)).value)
    return Relation(test=node, kind="unfit", sides=sides) if len(sides) in (1, 2) else None


def _flag(node: ast.expr, look: Look) -> Relation:
    """A setting of an object that a condition only asks for: `model.built`."""
    side = _side(node, look)
    plain = isinstance(node, ast.Attribute) and isinstance(look.at(node), (bool, type(None)))
    return Relation(test=node, kind="flag" if plain else "", sides=(side,) if plain and side.text else ())


def _kind(thing: object) -> str:
    return f"the class {thing.__name__}" if isinstance(thing, type) else type(thing).__name__


def _side(node: ast.expr, look: Look) -> Side:
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and not shown(look.at(node)):
        return _side(node.args[0], look)  # what a function normalizes
    fixed = isinstance(node, ast.Constant) or (isinstance(node, ast.Attribute) and node.attr.isupper())
    text = "" if fixed else ast.unparse(node)
    return Side(node=node, text=text if len(text) <= _LONG else "", value=shown(look.at(node)))


def shown_in(tree: ast.AST, look: Look) -> Iterator[tuple[str, str]]:
    """The longest expressions in a tree whose values are plain, with those."""
    waiting = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Constant, ast.Tuple, ast.List)):
            thing = look.at(node)
            answer = isinstance(thing, bool) and not isinstance(node, (ast.Name, ast.Attribute))  # the condition itself
            text = shown(thing) if not callable(thing) and not answer else ""
            if text:
                yield ast.unparse(node), text
                continue
        if isinstance(node, ast.Call):
            waiting += [*node.args, *(each.value for each in node.keywords)]
            waiting += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        elif not isinstance(node, (ast.Name, ast.Constant)):
            waiting += ast.iter_child_nodes(node)


def names(tree: ast.AST) -> list[ast.expr]:
    """Names and chains of attributes, each chain before its parts; what is called is none of them."""
    found: list[ast.expr] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call):
            waiting += [*node.args, *(each.value for each in node.keywords)]
            if isinstance(node.func, ast.Attribute):
                waiting.append(node.func.value)
            continue
        if isinstance(node, (ast.Name, ast.Attribute)):
            found.append(node)
        waiting += ast.iter_child_nodes(node)
    return found
