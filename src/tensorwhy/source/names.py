"""Which names a statement binds and reads, and how a value can get from one to another."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Set

_MUTATING = {"append", "extend", "insert", "add", "update", "put", "fill", "appendleft", "setdefault", "write"}
_OUT_OF_TURN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.NamedExpr)
_KEPT = 4096
"""Statements whose names are remembered: the same ones are asked about for each place where a value may have left."""


def spread(statements: list[ast.stmt], names: Set[str]) -> set[str]:
    """All names that a value can get to from these names."""
    tainted = set(names)
    grown = True
    while grown:
        grown = False
        for statement in statements:
            new = bound(statement) - tainted
            if new and read(statement) & tainted:
                tainted |= new
                grown = True
    return tainted


@functools.lru_cache(_KEPT)
def names_in(node: ast.AST) -> frozenset[str]:
    """All names in an expression, whoever bound them."""
    return frozenset({name_of(each) for each in ast.walk(node) if isinstance(each, (ast.Name, ast.Attribute))} - {""})


@functools.lru_cache(_KEPT)
def out_of_turn(statement: ast.stmt) -> bool:
    """Return whether something in a statement is evaluated in another order than it is written."""
    return any(isinstance(node, _OUT_OF_TURN) for node in ast.walk(statement))


@functools.lru_cache(_KEPT)
def own_nodes(statement: ast.stmt) -> tuple[ast.AST, ...]:
    """The nodes of a statement without those of the statements in its body."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
    return tuple(found)


def name_of(node: ast.AST) -> str:
    """`a` for `a`, `a[0]`, `a.b`; `self.x` for attributes of self: what stays the same when a part is stored."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    if isinstance(node, ast.Attribute):
        return (
            f"self.{node.attr}" if isinstance(node.value, ast.Name) and node.value.id == "self" else name_of(node.value)
        )
    return node.id if isinstance(node, ast.Name) else ""


def _comprehensions(node: ast.AST) -> list[ast.comprehension]:
    return node.generators if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) else []


def _targets(comprehension: ast.comprehension) -> set[str]:
    return {node.id for node in ast.walk(comprehension.target) if isinstance(node, ast.Name)}


def _visible(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement, but those that name what a comprehension binds for itself."""
    found: list[ast.AST] = []
    stack: list[tuple[ast.AST, frozenset[str]]] = [(statement, frozenset())]
    while stack:
        node, hidden = stack.pop()
        if isinstance(node, ast.Attribute) and _root(node) in hidden:
            continue
        if _root(node.func if isinstance(node, ast.Call) else node) not in hidden:
            found.append(node)
        for each in _comprehensions(node):
            hidden = hidden | _targets(each)
        first = _comprehensions(node)[:1]  # what the first one goes over is read outside
        for child in ast.iter_child_nodes(node):
            if child in first and isinstance(child, ast.comprehension):
                stack.append((child.iter, hidden - _targets(child)))
                stack += [(each, hidden) for each in child.ifs]
            elif not isinstance(child, ast.stmt):
                stack.append((child, hidden))
    return found


def _root(node: ast.AST) -> str:
    """The name that an expression begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def tainted_within(statement: ast.stmt, tainted: set[str] | None) -> set[str] | None:
    """The tainted names inside of a statement: what its comprehensions bind is tainted by what they go over."""
    if tainted is None:
        return None
    local: set[str] = set()
    taken: set[str] = set()
    for node in own_nodes(statement):
        for each in _comprehensions(node):
            local |= _targets(each)
            if names_in(each.iter) & (tainted | taken):
                taken |= _targets(each)
    return (tainted - (local - read(statement))) | taken


@functools.lru_cache(_KEPT)
def bound(statement: ast.stmt) -> frozenset[str]:
    """What a statement gives a value to, or puts one into."""
    names = set()
    for node in _visible(statement):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            names.add(name_of(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
            names.add(name_of(node.func.value))
    return frozenset(names - {""})


def attributes(statement: ast.stmt) -> set[str]:
    """The last names of the attributes that a statement sets: `w` for `model.w = ...`."""
    nodes = (node for node in own_nodes(statement) if isinstance(node, ast.Attribute))
    return {node.attr for node in nodes if isinstance(node.ctx, ast.Store)}


@functools.lru_cache(_KEPT)
def read(statement: ast.stmt) -> frozenset[str]:
    """What a statement takes a value from."""
    return loads(_visible(statement))


def loads(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names among these nodes that are read."""
    names = {name_of(n) for n in nodes if isinstance(n, (ast.Name, ast.Attribute)) and isinstance(n.ctx, ast.Load)}
    return frozenset(names - {""})
