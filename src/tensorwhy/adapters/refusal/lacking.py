"""What was left out before: a method that was never called, or an argument of it that stayed None.

A library then fails over nothing: no object of the program's was refused. The condition reads an attribute that is
still None, empty or false. The library's own source says which method sets it from which argument, and the program's
source says how that method was called.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.refusal import anatomy, relation, values, way
from tensorwhy.adapters.refusal.anatomy import Anatomy
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.model.location import Location
from tensorwhy.source import reading

_DEPTH = 3
_MOST = 40
_FILLING = ("append", "extend", "add", "update", "insert", "setdefault")


class _Setter(msgspec.Struct, frozen=True):
    """A public method that sets an attribute, from a parameter or, without one, by having run."""

    method: str
    parameter: str
    position: int
    default: bool


def find(read: Anatomy, context: Context) -> RefusedObject | None:
    """The call that left out what was needed; None where more than one could be meant."""
    return _Lack(read, context).found()


class _Lack:
    def __init__(self, read: Anatomy, context: Context) -> None:
        self._read, self._case = read, context
        self._stack, self._sources = context.stack, context.sources

    def found(self) -> RefusedObject | None:
        own = self._stack.own
        if own is None or own.location is None:
            return None
        seen: set[tuple[int, str]] = set()
        for owner, attribute in self._unset():
            if (id(owner), attribute) in seen or self._case.describe(owner) is None:
                continue
            seen.add((id(owner), attribute))
            renewed = self._renewed(owner, attribute, own)
            if renewed is not None:
                return renewed
            for setter in self._setters(type(owner), attribute):
                told = self._told(owner, setter, own)
                if told is not None:
                    return told
        return None

    # What the library found unset.

    def _unset(self) -> Iterator[tuple[Any, str]]:
        """Objects with an attribute that the condition depends on, and that is None, empty or false."""
        frame = self._stack.frames[self._read.frame]
        statements = anatomy.around(frame, self._sources)
        function = self._function(frame)
        waiting: list[tuple[ast.expr, int]] = [
            (node, 0)
            for each in self._conditions(statements, frame)
            for node in (*relation.names(each), *_called(each))
        ]
        seen: set[str] = set()
        while waiting and len(seen) < _MOST:
            node, depth = waiting.pop(0)
            text = ast.unparse(node)
            if text in seen:
                continue
            seen.add(text)
            if isinstance(node, ast.Attribute):
                owner = values.value(node.value, frame.frame)
                held = values.attribute(owner, node.attr)
                if held is not values.MISSING and _is_unset(held):
                    yield owner, node.attr
            elif isinstance(node, ast.Name) and depth < _DEPTH:
                more = [*anatomy.computed_from(node.id, frame, self._sources)]
                if function is not None and _is_unset(values.value(node, frame.frame)):
                    more += [each for test in _filled_when(function, node.id) for each in relation.names(test)]
                waiting += [(each, depth + 1) for each in more]

    def _conditions(self, statements: list[ast.stmt], frame: Frame) -> list[ast.AST]:
        if not statements:
            return []
        test = anatomy.guard(statements, frame.at.line)
        return [test] if test is not None and isinstance(statements[-1], (ast.Raise, ast.Assert)) else [statements[-1]]

    def _function(self, frame: Frame) -> ast.AST | None:
        tree = self._sources.defined(frame.frame.f_code.co_filename, frame.frame.f_code.co_firstlineno)
        return reading.definition(tree, frame.frame.f_code) if tree is not None else None

    # Which method sets it.

    def _setters(self, cls: type, attribute: str) -> Iterator[_Setter]:
        for base in cls.__mro__:
            for key, method in list(vars(base).items()):
                code = getattr(inspect.unwrap(method) if callable(method) else None, "__code__", None)
                if code is None or attribute not in code.co_names or self._case.user.owns(code.co_filename):
                    continue
                if key.startswith("_"):
                    continue
                tree = self._sources.defined(code.co_filename, code.co_firstlineno)
                function = reading.definition(tree, code) if tree is not None else None
                if function is not None:
                    yield from _set_by(function, attribute)

    def _renewed(self, owner: Any, attribute: str, own: Frame) -> RefusedObject | None:
        """What a call threw away that was made while the one that failed went on, by a callback."""
        kept = self._case.settings(owner)
        if kept is None or not kept.renewed:
            return None
        told = self._fact(own, Thing(what="reset", text=attribute), kept.at, kept.call)
        return msgspec.structs.replace(told, advice=kept.advice)

    # How the program called it.

    def _told(self, owner: Any, setter: _Setter, own: Frame) -> RefusedObject | None:
        calls = list(self._calls(owner, setter.method))
        holder = self._holder(owner, own)
        if not calls and holder and not setter.parameter:
            return self._fact(own, Thing(what="method", text=f"{holder}.{setter.method}"), None, holder)
        if len(calls) != 1 or not setter.parameter:
            return None
        call, place = calls[0]
        given = self._given(call, setter)
        if given is None and setter.default:
            thing = Thing(what="argument", text=setter.parameter, detail="left out")
        elif isinstance(given, ast.Constant) and given.value is None:
            thing = Thing(what="argument", text=setter.parameter, detail="None")
        else:
            return None
        return self._fact(own, thing, place, ast.unparse(call.func))

    def _given(self, call: ast.Call, setter: _Setter) -> ast.expr | None:
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            return call  # anything may be in there
        return reading.argument(call, setter.position, setter.parameter)

    def _holder(self, owner: Any, own: Frame) -> str:
        """What the user's line calls the object."""
        node = way.expression(own, self._sources)
        for each in ast.walk(node) if node is not None else ():
            if isinstance(each, (ast.Name, ast.Attribute)) and values.value(each, own.frame) is owner:
                return ast.unparse(each)
        return ""

    def _calls(self, owner: Any, method: str) -> Iterator[tuple[ast.Call, Location]]:
        """Calls of a method of this name in the program, without those of an object that is surely another one."""
        files = {str(getattr(each, "__file__", None) or "") for each in list(sys.modules.values())}
        files |= {place.file for _, place in self._stack.user_frames()}
        for file in sorted(each for each in files if each and self._case.user.owns(each)):
            for node in self._sources.nodes(file):
                called = node.func if isinstance(node, ast.Call) else None
                named = isinstance(called, ast.Attribute) and called.attr == method
                if isinstance(node, ast.Call) and named and not self._is_other(node.func, owner):
                    yield node, self._sources.place(file, node)

    def _is_other(self, called: ast.expr, owner: Any) -> bool:
        receiver = called.value if isinstance(called, ast.Attribute) else called
        found = [values.value(receiver, frame) for frame, _ in self._stack.user_frames()]
        known = [each for each in found if each is not values.MISSING]
        return bool(known) and all(each is not owner for each in known) and isinstance(receiver, ast.Name)

    def _fact(self, own: Frame, thing: Thing, place: Location | None, holder: str) -> RefusedObject:
        used = own.location
        assert used is not None
        return RefusedObject(
            thing=thing,
            used=used,
            call=self._case.called(own),
            how="lacking",
            check=self._read.check(self._stack),
            holder=holder,
            parked=place,
            sure=False,
        )


def _called(node: ast.AST) -> list[ast.expr]:
    """What a statement calls as an attribute: that may be None itself."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return [each for each in calls if isinstance(each, ast.Attribute)]


def _is_unset(thing: Any) -> bool:
    return thing is None or thing is False or (type(thing) in (list, tuple, dict, set) and not thing)


def _filled_when(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """The conditions under which a function puts something into a container of its own."""

    def fills(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        return isinstance(node.func.value, ast.Name) and node.func.value.id == name and node.func.attr in _FILLING

    for node in ast.walk(function):
        if isinstance(node, ast.If) and any(fills(each) for part in node.body for each in ast.walk(part)):
            yield node.test


def _set_by(function: ast.FunctionDef | ast.AsyncFunctionDef, attribute: str) -> Iterator[_Setter]:
    """How a method sets an attribute of its object: from which of its parameters, or to a truth."""
    arguments = function.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    parameters = [*positional[1:], *(each.arg for each in arguments.kwonlyargs)]
    defaults = positional[len(positional) - len(arguments.defaults) :]
    defaults += [each.arg for each, given in zip(arguments.kwonlyargs, arguments.kw_defaults) if given is not None]
    for tests, node in _assigned(function.body, ()):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None or not any(_is_own(target, attribute) for target in targets):
            continue
        if isinstance(node.value, ast.Constant):
            if node.value.value is True:
                yield _Setter(function.name, "", -1, False)
            continue
        from_value = _names(node.value) & set(parameters)
        used = from_value or {each for test in tests for each in _names(test)} & set(parameters)
        for parameter in [each for each in parameters if each in used][:1]:
            position = positional.index(parameter) - 1 if parameter in positional else -1
            yield _Setter(function.name, parameter, position, parameter in defaults)


def _assigned(
    block: list[ast.stmt], tests: tuple[ast.expr, ...]
) -> Iterator[tuple[tuple[ast.expr, ...], ast.Assign | ast.AnnAssign]]:
    for node in block:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield tests, node
        inner = (*tests, node.test) if isinstance(node, ast.If) else tests
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from _assigned(getattr(node, part, []), inner)


def _is_own(target: ast.expr, attribute: str) -> bool:
    return (
        isinstance(target, ast.Attribute)
        and target.attr == attribute
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
