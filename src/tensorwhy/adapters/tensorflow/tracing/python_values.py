"""What an expression of plain Python values comes to, found without running any code of the program.

Names are looked up where a traced function would: in its globals and closure, in the attributes of `self`. Its own
names stand for what they are bound to. Calls are followed into functions, methods and properties of the user's that do
no more than compute with plain values, and into functions of Python, `math` and NumPy that have no effect.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import types
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.source.files import Sources

MISSING: Any = object()
SCALARS = (bool, int, float, str)
Function = ast.FunctionDef | ast.AsyncFunctionDef

_DEPTH = 6
_PURE = (abs, bool, float, int, max, min, round)
_BINARY = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Mod: lambda a, b: a % b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Div: lambda a, b: a / b,
}
_POWER = 64
"""An exponent beyond this is not computed: it could take as long as it likes."""
_COMPARE = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
}


class Code:
    """The user's functions as syntax, found by their code."""

    def __init__(self, owns: Callable[[str], bool], sources: Sources) -> None:
        self._owns = owns
        self._sources = sources
        self._known: dict[types.CodeType, Function | None] = {}

    def holds(self, module: types.ModuleType) -> bool:
        """Return whether a module is the user's."""
        file = vars(module).get("__file__")
        return isinstance(file, str) and self._owns(file)

    def of(self, function: types.FunctionType | types.MethodType) -> Function | None:
        """Its definition; None for what is not the user's, or no `def`."""
        code = getattr(function, "__code__", None)  # a method need not be one of a function
        if not isinstance(code, types.CodeType):
            return None
        if code not in self._known:
            found = None
            if self._owns(code.co_filename):
                # Decorators stand in front of what the syntax calls the function's lines.
                body = [line for *_, line in code.co_lines() if line is not None and line > code.co_firstlineno]
                line = min(body, default=code.co_firstlineno)
                found = self._sources.function(Location(file=code.co_filename, line=line))
            plain = isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) and found.name == code.co_name
            self._known[code] = found if plain else None  # type: ignore[assignment]
        return self._known[code]


class Scope:
    """Where the names of one function lead, without keeping its `self` alive. `counted`: see `value`.

    `closed` has weak references to its closure variables as they were, `outer` the globals as they are.
    """

    def __init__(
        self,
        code: Code,
        owner: Any,
        owner_name: str,
        closed: Mapping[str, Any],
        outer: Mapping[str, Any],
        own: Mapping[str, ast.expr | None],
        depth: int = 0,
        cells: weakref.ref[types.FunctionType] | None = None,
    ) -> None:
        self._code = code
        self._owner = _reference(owner)
        self._owner_name = owner_name
        self._closed = closed
        self._outer = outer
        self._own = own
        self._cells = cells
        self._bound: dict[str, Any] = {}
        self._depth = depth
        self._reads: set[tuple[int, str]] = set()
        self._advanced: dict[tuple[int, str], tuple[str, str]] = {}

    @classmethod
    def of_frame(
        cls,
        code: Code,
        frame: types.FrameType,
        own: Mapping[str, ast.expr | None],
        first: str,
        cells: weakref.ref[types.FunctionType] | None = None,
    ) -> Scope:
        """The scope of a live frame. `own`: what each name of the function stands for, or None; `first` is `self`.

        `cells` is the function that is traced: its closure tells what the variables of that stand for by now.
        """
        local = locals_of(frame)
        closed = {name: _reference(local.get(name)) for name in frame.f_code.co_freevars}
        hidden = dict.fromkeys((*frame.f_code.co_varnames, *frame.f_code.co_cellvars), None)
        hidden.pop(first, None)
        return cls(code, local.get(first), first, closed, frame.f_globals, {**hidden, **own}, cells=cells)

    @classmethod
    def of_function(cls, code: Code, function: Any, syntax: Function) -> Scope:
        """The names of a function or bound method that is not running."""
        owner = getattr(function, "__self__", None)
        first = syntax.args.args[0].arg if owner is not None and syntax.args.args else ""
        return cls(code, owner, first, {}, function.__globals__, {})

    def named(self, name: str) -> Any:
        """What a name stands for that is not bound in the function itself: its `self`, a global; else MISSING."""
        return MISSING if name in self._own else self._name(name)

    def held(self, node: ast.AST) -> Any:
        """What a name or an attribute stands for; MISSING where that is not followed."""
        if isinstance(node, ast.Name):
            return MISSING if node.id in self._own else self._name(node.id)  # as `named`, in each run of a graph
        owner = self.held(node.value) if isinstance(node, ast.Attribute) else MISSING
        if not isinstance(node, ast.Attribute) or isinstance(owner, (types.ModuleType, type)):
            return MISSING
        return _held(owner).get(node.attr, MISSING)

    def is_settled(self, node: ast.AST) -> bool:
        """True if a name stands for the same for good: `self`, and what is closed over, which is known as it was."""
        return (
            isinstance(node, ast.Name)
            and node.id not in self._own
            and (node.id == self._owner_name or node.id in self._closed)
        )

    def globals_of(self, node: ast.AST) -> Mapping[str, Any] | None:
        """The globals that a name is looked up in; None for anything else."""
        plain = isinstance(node, ast.Name) and node.id not in self._own and not self.is_settled(node)
        return self._outer if plain else None

    def called(self, node: ast.AST) -> Function | None:
        """The definition of the user's function or method that an expression stands for."""
        try:
            found = self._object(node)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None
        plain = isinstance(found, (types.FunctionType, types.MethodType))
        return self._code.of(found) if plain else None

    def value(self, node: ast.AST) -> Any:
        """The value of an expression of plain values; MISSING where it is anything else.

        `counted` then has the attributes that went into it and that a function on the way counts on when it is called.
        """
        try:
            found = self._object(node)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return MISSING
        return found if isinstance(found, SCALARS) or found is None else MISSING

    def counted(self) -> tuple[tuple[str, str], ...]:
        """The attributes (`self.step`), each with the file of the function, of the values since it was last asked."""
        found = tuple(place for key, place in self._advanced.items() if key in self._reads)
        self._reads.clear()
        self._advanced.clear()
        return found

    def _object(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(self._object(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return _item(self._object(node.value), self.value(node.slice))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.IfExp):
            test = self.value(node.test)
            return MISSING if test is MISSING else self._object(node.body if test else node.orelse)
        return self._computed(node)

    def _computed(self, node: ast.AST) -> Any:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            inner = self.value(node.operand)
            return MISSING if inner is MISSING else (not inner if isinstance(node.op, ast.Not) else -inner)
        if isinstance(node, ast.BoolOp):
            values = [self.value(each) for each in node.values]
            if any(each is MISSING for each in values):
                return MISSING
            return all(values) if isinstance(node.op, ast.And) else any(values)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            return self._apply(_COMPARE[type(node.ops[0])], node.left, node.comparators[0])
        if isinstance(node, ast.BinOp):
            operate = _BINARY.get(type(node.op)) or (_power if isinstance(node.op, ast.Pow) else None)
            return self._apply(operate, node.left, node.right) if operate is not None else MISSING
        return MISSING

    def _apply(self, operate: Callable[[Any, Any], Any], left: ast.AST, right: ast.AST) -> Any:
        one, two = self.value(left), self.value(right)
        return MISSING if one is MISSING or two is MISSING else operate(one, two)

    def _name(self, name: str) -> Any:
        if name in self._bound:
            return self._bound[name]
        if name == self._owner_name:
            return _referred(self._owner)
        if name in self._own:
            stands = self._own[name]
            return self._object(stands) if stands is not None else MISSING
        if name in self._closed:
            held = self._in_cell(name)
            return _referred(self._closed[name]) if held is MISSING else held
        return self._outer[name] if name in self._outer else getattr(builtins, name, MISSING)

    def _in_cell(self, name: str) -> Any:
        function = self._cells() if self._cells is not None else None
        names = function.__code__.co_freevars if function is not None else ()
        if function is None or name not in names or function.__closure__ is None:
            return MISSING
        try:
            return function.__closure__[names.index(name)].cell_contents
        except ValueError:  # a cell that is still empty
            return MISSING

    def _attribute(self, owner: Any, name: str) -> Any:
        if owner is MISSING or owner is None or isinstance(owner, SCALARS):
            return MISSING
        if isinstance(owner, type):
            found = inspect.getattr_static(owner, name, MISSING)
            return found if isinstance(found, SCALARS) else MISSING
        if isinstance(owner, types.ModuleType):
            found = vars(owner).get(name, MISSING)
            if isinstance(found, SCALARS) and self._code.holds(owner):
                return found
            return (
                found
                if isinstance(found, (types.BuiltinFunctionType, types.FunctionType)) or _ufunc(found)
                else MISSING
            )
        held = _held(owner)
        if name in held:
            self._reads.add((id(owner), name))
            return held[name]
        static = inspect.getattr_static(type(owner), name, MISSING)
        if isinstance(static, property) and isinstance(static.fget, types.FunctionType):
            return self._follow(static.fget, (owner,))
        if isinstance(static, types.FunctionType):
            return types.MethodType(static, owner)
        return static if isinstance(static, SCALARS) else MISSING

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and len(node.args) == 1 and self._name(node.func.id) is len:
            counted = _unwrapped(self._object(node.args[0]))
            return len(counted) if isinstance(counted, (list, tuple, dict, str)) else MISSING
        given = [self.value(each) for each in node.args]
        if node.keywords or any(each is MISSING for each in given):
            return MISSING
        called = self._object(node.func)
        if isinstance(called, types.FunctionType):
            return self._follow(called, given)
        if isinstance(called, types.MethodType) and isinstance(called.__func__, types.FunctionType):
            return self._follow(called.__func__, (called.__self__, *given))
        pure = any(called is each for each in _PURE) or _ufunc(called)
        if pure or (isinstance(called, types.BuiltinFunctionType) and called.__module__ == "math"):
            return called(*given)
        own = inspect.getattr_static(type(called), "__call__", None)
        return self._follow(own, (called, *given)) if isinstance(own, types.FunctionType) else MISSING

    def _follow(self, function: types.FunctionType, given: Sequence[Any]) -> Any:
        """What a function of the user's returns, if it only computes with plain values."""
        node = self._code.of(function) if self._depth < _DEPTH else None
        if node is None or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            return MISSING
        names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        defaults = function.__defaults__ or ()
        values = (*given, *defaults[len(defaults) - (len(names) - len(given)) :]) if len(given) < len(names) else given
        if len(values) != len(names):
            return MISSING
        method = bool(names) and not isinstance(values[0], SCALARS) and values[0] is not None
        inner = Scope(
            self._code,
            values[0] if method else None,
            names[0] if method else "",
            {},
            function.__globals__,
            {},
            self._depth + 1,
        )
        inner._reads, inner._advanced = self._reads, self._advanced
        inner._bound.update(zip(names[method:], values[method:], strict=True))
        found = inner._run(node.body, function.__code__.co_filename)
        return MISSING if found is _NOTHING else found

    def _run(self, body: Sequence[ast.stmt], file: str) -> Any:
        for statement in body:
            if isinstance(statement, ast.Return):
                return self._object(statement.value) if statement.value is not None else None
            if isinstance(statement, ast.If):
                test = self.value(statement.test)
                found = MISSING if test is MISSING else self._run(statement.body if test else statement.orelse, file)
                if found is not _NOTHING:
                    return found
            elif isinstance(statement, ast.Assign) and [type(each) for each in statement.targets] == [ast.Name]:
                self._bound[ast.unparse(statement.targets[0])] = self._object(statement.value)
            elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Attribute):
                owner, name = self._object(statement.target.value), statement.target.attr
                if isinstance(_held(owner).get(name), SCALARS):
                    self._advanced[id(owner), name] = ast.unparse(statement.target), file
            elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                return MISSING
        return _NOTHING


_NOTHING: Any = object()
"""A body that came to its end without a `return`."""


def _reference(value: Any) -> Any:
    """A weak reference, which is all that may be kept of an object; None where there can be none."""
    try:
        return weakref.ref(value)
    except TypeError:  # numbers, strings and the like among them: they are bound anew, which nobody would see
        return None


def _referred(reference: Any) -> Any:
    found = reference() if reference is not None else None
    return MISSING if found is None else found


def _held(owner: Any) -> Mapping[str, Any]:
    try:
        held = object.__getattribute__(owner, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return held if isinstance(held, dict) else {}


def _item(owner: Any, key: Any) -> Any:
    if key is MISSING:
        return MISSING
    owner = _unwrapped(owner)
    if isinstance(owner, dict):
        return dict.get(owner, key, MISSING)
    if isinstance(owner, (list, tuple)) and isinstance(key, int):
        return list.__getitem__(owner, key) if isinstance(owner, list) else tuple.__getitem__(owner, key)
    return MISSING


def _unwrapped(owner: Any) -> Any:
    """The list or dict itself: TensorFlow's tracking wraps those that are assigned to attributes."""
    if type(owner).__name__ == "ListWrapper":
        return _held(owner).get("_storage", owner)
    return owner.__wrapped__ if type(owner).__name__ == "_DictWrapper" else owner


def _ufunc(value: Any) -> bool:
    return type(value).__name__ == "ufunc" and type(value).__module__ == "numpy"


def _power(base: Any, exponent: Any) -> Any:
    small = isinstance(exponent, float) or abs(exponent) <= _POWER
    return base**exponent if small or isinstance(base, float) else MISSING
