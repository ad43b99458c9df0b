"""The function that raised, the condition that guards its raise, and the objects that the condition reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.sources import Sources

_DEPTH = 3
_LONG = 110
_SHOWN = 4


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """An object that a refusal depends on. `direct`: the condition itself reads it. `frame`: index in the stack."""

    text: str
    thing: Any
    frame: int
    direct: bool


class Anatomy(msgspec.Struct, frozen=True, kw_only=True):
    """How a library came to raise. `frame` is the index of the frame whose condition decided.

    `condition` is empty where there is none: an operation of Python or below it failed in this frame.
    """

    frame: int
    condition: str
    known: tuple[str, ...]
    reads: tuple[Read, ...]


def of(stack: Stack, sources: Sources) -> Anatomy:
    """Goes outward from the frame that raised, as far as functions that do nothing but raise."""
    last = stack.innermost_user()
    index = len(stack.frames) - 1
    reads: list[Read] = []
    while True:
        frame = stack.frames[index]
        statements = _around(frame, sources)
        raises = index < len(stack.frames) - 1 or (
            bool(statements) and isinstance(statements[-1], (ast.Raise, ast.Assert))
        )
        test = _guard(statements, frame.at.line)
        if test is not None and raises:
            reads += _reads(test, frame, index, sources)
            reads += _mentioned(statements[-1], frame, index)
            text = ast.unparse(test)
            condition = text if len(text) <= _LONG else text[: _LONG - 2] + " …"
            return Anatomy(frame=index, condition=condition, known=_known(test, frame), reads=tuple(reads))
        reads += _failing(statements, frame, index)
        reads += _given(frame, index)
        outward = index - 1 if raises and _only_raises(frame, sources) else -1
        if outward < 0 or stack.frames[outward].user or (last is not None and outward <= last):
            return Anatomy(frame=index, condition="", known=(), reads=tuple(reads))
        index = outward


def passing(stack: Stack, index: int, sources: Sources) -> tuple[Read, ...]:
    """What a library's frame further out was working on when the one inside it failed."""
    frame = stack.frames[index]
    reads = _failing(_around(frame, sources), frame, index)
    found = list(reads)
    for each in reads:
        for node in _computed_from(each.text, frame, sources):
            thing = values.value(node, frame.frame)
            if thing is not MISSING and not _is_machinery(thing):
                found.append(Read(text=ast.unparse(node), thing=thing, frame=index, direct=False))
    return tuple(found)


def _only_raises(frame: Frame, sources: Sources) -> bool:
    """Whether a function decides nothing: whoever calls it has decided already."""
    code = frame.frame.f_code
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    own = next(
        (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == code.co_name)
        if tree is not None
        else iter(()),
        None,
    )
    deciding = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.IfExp)
    return own is not None and not any(isinstance(node, deciding) for node in ast.walk(own))


def _around(frame: Frame, sources: Sources) -> list[ast.stmt]:
    """The statements of the frame's function that hold its line, outermost first."""
    code = frame.frame.f_code
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.stmt)
        and node.lineno <= frame.at.line <= (node.end_lineno or 0)
        and node.lineno >= code.co_firstlineno
        and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return sorted(found, key=lambda node: (node.lineno, -(node.end_lineno or 0)))


def _guard(statements: list[ast.stmt], line: int) -> ast.expr | None:
    """The innermost condition that decides whether the line runs, as it must have been."""
    for node in reversed(statements):
        if isinstance(node, ast.If):
            if any(each.lineno <= line <= (each.end_lineno or 0) for each in node.body):
                return node.test
            if any(each.lineno <= line <= (each.end_lineno or 0) for each in node.orelse):
                return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node.test), node.test)
        if isinstance(node, ast.Assert):
            return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node.test), node.test)
    return None


def _reads(test: ast.AST, frame: Frame, index: int, sources: Sources) -> Iterator[Read]:
    """What the condition reads, then what the values that it reads were computed from in the same function."""
    known = locals_of(frame.frame)
    seen: set[str] = set()
    waiting = [(node, 0) for node in _names(test)]
    while waiting:
        node, depth = waiting.pop(0)
        text = ast.unparse(node)
        if text in seen:
            continue
        seen.add(text)
        thing = values.value(node, frame.frame)
        if thing is not MISSING and not _is_machinery(thing) and (isinstance(node, ast.Attribute) or text in known):
            yield Read(text=text, thing=thing, frame=index, direct=depth == 0)
        if isinstance(node, ast.Name) and depth < _DEPTH:
            waiting += [(each, depth + 1) for each in _computed_from(node.id, frame, sources)]


def _names(tree: ast.AST) -> list[ast.expr]:
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


def _computed_from(name: str, frame: Frame, sources: Sources) -> list[ast.expr]:
    """What stands on the right of the last binding of a local variable above the frame's line."""
    code = frame.frame.f_code
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    best: ast.AST | None = None
    for node in ast.walk(tree) if tree is not None else ():
        line = getattr(node, "lineno", 0)
        if not code.co_firstlineno <= line <= frame.at.line:
            continue
        bound = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names = {
            each.id for target in bound if target is not None for each in ast.walk(target) if isinstance(each, ast.Name)
        }
        if name in names and isinstance(node, (ast.Assign, ast.AnnAssign, ast.For, ast.NamedExpr)):
            best = node.iter if isinstance(node, ast.For) else node.value
    return _names(best) if best is not None else []


def _mentioned(statement: ast.stmt, frame: Frame, index: int) -> list[Read]:
    """Objects that the message of a raise names, beside those of its condition."""
    found = []
    for node in _names(statement):
        thing = values.value(node, frame.frame)
        if isinstance(node, ast.Name) and node.id in locals_of(frame.frame) and not _is_machinery(thing):
            found.append(Read(text=node.id, thing=thing, frame=index, direct=False))
    return found


def _failing(statements: list[ast.stmt], frame: Frame, index: int) -> list[Read]:
    """What the failing statement itself reads, where no condition was asked."""
    if not statements:
        return []
    at, statement = frame.at, statements[-1]
    nodes: list[ast.AST] = [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.expr)
        and (node.lineno, node.col_offset, node.end_col_offset) == (at.line, at.column, at.end_column)
    ]
    known, found = locals_of(frame.frame), []
    for node in _names(nodes[0] if nodes else statement):
        thing = values.value(node, frame.frame)
        if thing is MISSING or _is_machinery(thing) or (isinstance(node, ast.Name) and node.id not in known):
            continue
        found.append(Read(text=ast.unparse(node), thing=thing, frame=index, direct=True))
    return found


def _given(frame: Frame, index: int) -> list[Read]:
    """The arguments of a function that refuses whatever it is given."""
    code, known = frame.frame.f_code, locals_of(frame.frame)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [
        Read(text=name, thing=known[name], frame=index, direct=False)
        for name in names
        if name in known and not _is_machinery(known[name])
    ]


def _known(test: ast.AST, frame: Frame) -> tuple[str, ...]:
    """The plain values in the condition: `ndim = 2`."""
    found: dict[str, str] = {}
    for node in _names(test):
        thing = values.value(node, frame.frame)
        if thing is MISSING or callable(thing):
            continue
        plain = isinstance(thing, (int, float, str)) or thing is None
        plain = plain or (isinstance(thing, tuple) and all(isinstance(each, (int, str, type(None))) for each in thing))
        if plain and len(repr(thing)) <= 40:
            found[ast.unparse(node)] = repr(thing)
    return tuple(f"{name} = {text}" for name, text in list(found.items())[:_SHOWN])


def _is_machinery(thing: object) -> bool:
    """Modules, classes and exceptions are how a library refuses, not what."""
    return isinstance(thing, (type, BaseException)) or type(thing).__name__ in (
        "module",
        "traceback",
        "builtin_function_or_method",
        "LazyLoader",
    )
