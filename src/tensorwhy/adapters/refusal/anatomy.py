"""The function that raised, the condition that guards its raise, and the objects that the condition reads."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import relation, values
from tensorwhy.adapters.refusal.look import Look
from tensorwhy.adapters.refusal.relation import Relation
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.refusal import Check
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

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

    `condition` is empty where there is none: an operation of Python or below it failed in this frame. `relation` is the
    part of it that decided, `known` what else of it and of the raise itself has a plain value.
    """

    frame: int
    condition: str
    known: tuple[str, ...]
    reads: tuple[Read, ...]
    relation: Relation | None = None

    def check(self, stack: Stack, requires: str = "") -> Check:
        """The condition as a fact, without its sides."""
        by = stack.frames[self.frame].qualified
        return Check(by=by, condition=self.condition, known=self.known, requires=requires)

    @property
    def lacking(self) -> bool:
        """Return whether the condition read empty containers only: then something is missing, nothing was refused."""
        found = [each.thing for each in self.reads if each.direct]
        return bool(found) and all(isinstance(each, values.CONTAINERS) and not each for each in found)


def of(stack: Stack, sources: Sources, user: UserCode) -> Anatomy:
    """Goes outward from the frame that raised, as far as functions that do nothing but raise."""
    last = stack.innermost_user()
    index = len(stack.frames) - 1
    reads: list[Read] = []
    while True:
        frame = stack.frames[index]
        statements = around(frame, sources)
        raises = index < len(stack.frames) - 1 or (
            bool(statements) and isinstance(statements[-1], (ast.Raise, ast.Assert))
        )
        test = guard(statements, frame.at.line)
        if test is not None and raises:
            look = Look(frame.frame, user)
            found = relation.of(test, look, functools.partial(definition, frame=frame, sources=sources))
            found = _as_called(found, stack, index, sources)
            reads += _reads(found.test, test, frame, index, sources)
            reads += _mentioned(statements[-1], frame, index)
            text = ast.unparse(test)
            condition = text if len(text) <= _LONG else text[: _LONG - 2] + " …"
            known = _known((found.test, test, statements[-1]), look, {each.text for each in found.sides})
            return Anatomy(frame=index, condition=condition, known=known, reads=tuple(reads), relation=found)
        reads += _failing(statements, frame, index, sources)
        reads += _given(frame, index)
        outward = index - 1 if raises and _only_raises(frame, sources) else -1
        if outward < 0 or stack.frames[outward].user or (last is not None and outward <= last):
            missing = tuple(f"{each.text} = None" for each in reads if each.thing is None and each.direct)
            known = _known(statements[-1:], Look(frame.frame, user), set()) if raises else missing
            return Anatomy(frame=index, condition="", known=known, reads=tuple(reads))
        index = outward


def innermost(frame: Frame, sources: Sources) -> ast.stmt | None:
    """The statement that a library's frame was running."""
    return next(reversed(around(frame, sources)), None)


def _only_raises(frame: Frame, sources: Sources) -> bool:
    """Return whether a function decides nothing: whoever calls it has decided already."""
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


def around(frame: Frame, sources: Sources) -> list[ast.stmt]:
    """The statements of the frame's function that hold its line, outermost first."""
    code = frame.frame.f_code
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.stmt)
        and reading.on_line(node, frame.at.line)
        and node.lineno >= code.co_firstlineno
        and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return sorted(found, key=lambda node: (node.lineno, -(node.end_lineno or 0)))


def guard(statements: list[ast.stmt], line: int) -> ast.expr | None:
    """The innermost condition that decides whether the line runs, as it must have been."""
    for node in reversed(statements):
        if isinstance(node, ast.If) and not _words_only(node):
            if any(reading.on_line(each, line) for each in node.body):
                return _last_left(node.body, line) or node.test
            if any(reading.on_line(each, line) for each in node.orelse):
                return _last_left(node.orelse, line) or _not(node.test)
        if isinstance(node, ast.Assert):
            return _not(node.test)
        for block in ("body", "orelse", "finalbody"):
            found = None if isinstance(node, ast.If) else _last_left(getattr(node, block, []), line)
            if found is not None:
                return found
    return None


def _words_only(node: ast.If) -> bool:
    """Return whether it raises either way, and a condition only chooses the words."""
    return all(block and isinstance(block[-1], ast.Raise) for block in (node.body, node.orelse))


def _last_left(block: list[ast.stmt], line: int) -> ast.expr | None:
    """The opposite of the condition just before the line, under which it would not have been reached."""
    here = next((at for at, each in enumerate(block) if reading.on_line(each, line)), None)
    if here is None or not isinstance(block[here], ast.Raise):
        return None
    for before in reversed(block[:here]):
        if isinstance(before, ast.If) and not before.orelse:
            if isinstance(before.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break)):
                return _not(before.test)
        elif not isinstance(before, (ast.Assign, ast.Expr)):
            return None
    return None


def _not(test: ast.expr) -> ast.expr:
    return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=test), test)


def _reads(deciding: ast.AST, test: ast.AST, frame: Frame, index: int, sources: Sources) -> Iterator[Read]:
    """What the deciding part of a condition reads, then the rest, then what those were computed from."""
    known = locals_of(frame.frame)
    seen: set[str] = set()
    waiting = [(node, 0) for node in relation.names(deciding)] + [(node, 1) for node in relation.names(test)]
    while waiting:
        node, depth = waiting.pop(0)
        text = ast.unparse(node)
        if text in seen:
            continue
        seen.add(text)
        thing = values.value(node, frame.frame)
        if (
            thing is not MISSING
            and not _is_tool(thing, text, frame)
            and (isinstance(node, ast.Attribute) or text in known)
        ):
            yield Read(text=text, thing=thing, frame=index, direct=depth == 0)
        if isinstance(node, ast.Name) and depth < _DEPTH:
            waiting += [(each, depth + 1) for each in computed_from(node.id, frame, sources)]


def computed_from(name: str, frame: Frame, sources: Sources) -> list[ast.expr]:
    """The names in what a local variable was computed by."""
    found = definition(name, frame, sources)
    return relation.names(found) if found is not None else []


def definition(name: str, frame: Frame, sources: Sources) -> ast.expr | None:
    """What stands on the right of the last binding of a local variable above the frame's line."""
    code = frame.frame.f_code
    tree = sources.defined(code.co_filename, code.co_firstlineno)
    scope = (reading.definition(tree, code) or tree) if tree is not None else None
    best: ast.expr | None = None
    for node in reading.own(scope) if scope is not None else ():
        line = getattr(node, "lineno", 0)
        if not code.co_firstlineno <= line <= frame.at.line:
            continue
        bound = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names = {
            each.id for target in bound if target is not None for each in ast.walk(target) if isinstance(each, ast.Name)
        }
        if name in names and isinstance(node, (ast.Assign, ast.AnnAssign, ast.For, ast.NamedExpr)):
            best = node.iter if isinstance(node, ast.For) else node.value
    return best


def _as_called(found: Relation, stack: Stack, index: int, sources: Sources) -> Relation:
    """A method that only compares itself with its argument says less than the call of it."""
    texts = {each.text for each in found.sides}
    if not texts & {"self", "other"} or index == 0:
        return found
    frame, caller = stack.frames[index], stack.frames[index - 1]
    statements = around(caller, sources)
    names = {"self": type(frame.local("self")).__name__, "other": ""}
    for node in ast.walk(statements[-1]) if statements else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == frame.function:
            names["self"] = ast.unparse(node.func.value)
            names["other"] = ast.unparse(node.args[0]) if node.args else ""
    sides = tuple(
        msgspec.structs.replace(each, text=name if len(name) <= _LONG // 2 else "") if name is not None else each
        for each in found.sides
        for name in (names.get(each.text),)
    )
    return msgspec.structs.replace(found, sides=sides)


def _mentioned(statement: ast.stmt, frame: Frame, index: int) -> list[Read]:
    """Objects that the message of a raise names, beside those of its condition."""
    found = []
    for node in relation.names(statement):
        thing = values.value(node, frame.frame)
        if isinstance(node, ast.Name) and node.id in locals_of(frame.frame) and not _is_tool(thing, node.id, frame):
            found.append(Read(text=node.id, thing=thing, frame=index, direct=False))
    return found


def _failing(statements: list[ast.stmt], frame: Frame, index: int, sources: Sources) -> list[Read]:
    """What the failing statement itself reads, where no condition was asked."""
    if not statements:
        return []
    at, statement = frame.at, statements[-1]
    exprs = (node for node in ast.walk(statement) if isinstance(node, ast.expr))
    nodes: list[ast.AST] = [node for node in exprs if reading.stands_at(node, at, sources)]
    known, found = locals_of(frame.frame), []
    for node in relation.names(nodes[0] if nodes else statement):
        thing = values.value(node, frame.frame)
        text = ast.unparse(node)
        if thing is MISSING or _is_tool(thing, text, frame) or (isinstance(node, ast.Name) and node.id not in known):
            continue
        found.append(Read(text=text, thing=thing, frame=index, direct=True))
    return found


def _given(frame: Frame, index: int) -> list[Read]:
    """The arguments of a function that refuses whatever it is given."""
    code, known = frame.frame.f_code, locals_of(frame.frame)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [
        Read(text=name, thing=known[name], frame=index, direct=False)
        for name in names
        if name in known and not _is_tool(known[name], name, frame)
    ]


def _known(trees: Sequence[ast.AST], look: Look, told: set[str]) -> tuple[str, ...]:
    """The plain values in the condition and the raise: `ndim = 2`."""
    found = {text: shown for tree in trees for text, shown in relation.shown_in(tree, look)}
    kept = [
        f"{text} = {shown}"
        for text, shown in found.items()
        if not any(each and each in text for each in told) and len(text) <= _LONG // 2
    ]
    return tuple(kept[:_SHOWN])


def is_machinery(thing: object) -> bool:
    """Modules and exceptions are how a library refuses, not what."""
    return isinstance(thing, BaseException) or type(thing).__name__ in ("module", "traceback", "LazyLoader")


def _is_tool(thing: object, text: str, frame: Frame) -> bool:
    """Return whether a class or a function of Python's is how a library refuses: it is not what it was given."""
    given = text in frame.frame.f_code.co_varnames[: frame.frame.f_code.co_argcount]
    return is_machinery(thing) or (isinstance(thing, (type, types.BuiltinFunctionType)) and not given)
