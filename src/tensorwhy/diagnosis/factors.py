"""What the user calls the zeros that something was multiplied with, and where they were written down."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import node_at


def mask(sources: Sources, made: Location, looked_up: bool = False) -> str:
    """The name of what was made at a place: what the statement binds, if that is all of it; else what went in there.

    `looked_up`: what went in are keys, so that the call itself is named.
    """
    names, node = sources.names(made), node_at(made, sources)
    value = getattr(sources.statement(made), "value", None)
    product = _as_product(value)
    calls = [isinstance(each, ast.Call) for each in (product.left, product.right)] if product is not None else []
    if product is not None and made.column is None and sum(calls) != 1:
        return ""  # which of the two it is, nobody can say
    if node is None or value is None or node is value:
        inner = value is not None and any(_as_product(each) is not None for each in ast.walk(value))
        return names[0] if len(names) == 1 and (made.column is not None or not inner) else ""
    if looked_up:
        return f"{ast.unparse(node.func)}(…)" if isinstance(node, ast.Call) else ""
    while isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Starred):
        node = node.args[0]
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Compare)) else ""


def factor(sources: Sources, product: Location, side: int, number: bool = False) -> tuple[Location, str]:
    """Where one factor of a product comes from, and its name: the list that it is taken from in turn, or its value.

    Of a plain `number` the side is not known: it is the factor that the text gives the value 0, if one is.
    """
    node = _product(sources, product)
    if number and node is not None:
        sides = [_zero(sources, product, each) for each in (node.left, node.right)]
        found = [each for each in sides if each is not None]
        return found[0] if len(found) == 1 else (product, "")
    name = (node.left, node.right)[side] if node is not None else None
    if not isinstance(name, ast.Name):
        return product, "" if name is None or isinstance(name, ast.Constant) else ast.unparse(name)
    taken = next((each for each in _taken(sources, product, name.id)), name)
    given = sources.assignment(product, {taken.id}) if isinstance(taken, ast.Name) else None
    return given or product, name.id


def _zero(sources: Sources, product: Location, node: ast.expr) -> tuple[Location, str] | None:
    """The number 0, or a name that a statement before gives that number."""
    given = sources.assignment(product, {node.id}) if isinstance(node, ast.Name) else None
    value = getattr(sources.statement(given), "value", None) if given is not None else node
    zero = isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and value.value == 0
    return (given or product, ast.unparse(node)) if zero else None


def _as_product(node: ast.AST | None) -> ast.BinOp | None:
    return node if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) else None


def _product(sources: Sources, place: Location) -> ast.BinOp | None:
    """The product at a place; without columns, the only one of its statement."""
    statement = sources.statement(place) if place.column is None else None
    if statement is None:
        return _as_product(node_at(place, sources))
    found = [product for each in ast.walk(statement) if (product := _as_product(each)) is not None]
    return found[0] if len(found) == 1 else None


def _taken(sources: Sources, place: Location, name: str) -> Iterator[ast.expr]:
    """What a loop or comprehension around a place takes the values of a name from; innermost first."""
    tree = sources.tree(place.file)
    loops: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(tree) if tree is not None else ():
        if not getattr(node, "lineno", place.line + 1) <= place.line <= (getattr(node, "end_lineno", 0) or 0):
            continue
        if isinstance(node, ast.For):
            loops.append((node.target, node.iter))
        loops += [(each.target, each.iter) for each in getattr(node, "generators", ())]
    for target, taken in reversed(loops):
        found = _part(target, taken, name)
        if found is not None:
            yield found


def _part(target: ast.expr, taken: ast.expr, name: str) -> ast.expr | None:
    """What a name in the target of a loop goes over: through `zip`, `enumerate`, and what gives the parts of a dict."""
    if isinstance(target, ast.Name):
        if isinstance(taken, ast.Call) and isinstance(taken.func, ast.Attribute) and not taken.args:
            taken = taken.func.value
        return taken if target.id == name else None
    called = taken.func.id if isinstance(taken, ast.Call) and isinstance(taken.func, ast.Name) else ""
    if not isinstance(target, ast.Tuple) or not isinstance(taken, ast.Call):
        return None
    if called == "enumerate" and len(target.elts) == 2 and taken.args:
        return _part(target.elts[1], taken.args[0], name)
    if called == "zip":
        return next((found for pair in zip(target.elts, taken.args) if (found := _part(*pair, name)) is not None), None)
    if isinstance(taken.func, ast.Attribute) and any(isinstance(e, ast.Name) and e.id == name for e in target.elts):
        return taken.func.value
    return None
