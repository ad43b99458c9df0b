"""Expressions of a gradient function, evaluated over abstract values (see gradient_functions.py)."""

from __future__ import annotations

import ast
import builtins
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from tensorwhy.adapters.tensorflow.gradients.abstract_scopes import Frame, Question, Scope
from tensorwhy.adapters.tensorflow.gradients.abstract_values import (
    NONE,
    UNKNOWN,
    VALUE,
    ZERO,
    Abstract,
    Closure,
    Const,
    Gradient,
    Input,
    Method,
    Op,
    Opaque,
    Seq,
    Star,
    as_element,
    as_items,
    is_none,
    join,
    join_all,
    known,
    map_items,
    real,
)

# Functions of these modules build ops, so what they return is a tensor or a structure of tensors.
_OP_MODULES = (
    "tensorflow.python.ops.",
    "tensorflow.compiler.tf2xla.",
    "tensorflow.dtensor.python.gen_",
    "tensorflow.python.framework.constant_op",
)
# Among them, those that look at values that may be absent.
_MAY_BE_NONE = ("tensorflow.python.ops.control_flow_util", "tensorflow.python.ops.handle_data_util")
_ZEROS = ("zeros", "zeros_like", "zeros_like_v2", "zeros_like_impl")
# Parts and methods of tensors, SparseTensors, IndexedSlices and TensorArrays that give tensors, never None.
_PARTS = ("values", "indices", "dense_shape", "flow", "handle")
_METHODS = ("grad", "read", "write", "stack", "unstack", "gather", "scatter", "concat", "split", "ref")
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def builtin(name: str) -> Abstract:
    """A name of Python itself."""
    return Const(getattr(builtins, name)) if hasattr(builtins, name) else UNKNOWN


class Expressions:
    """Evaluates expressions; the statements are in the subclass."""

    frame: Frame
    depth: int

    def __init__(self, question: Question) -> None:
        self.question = question

    def call(self, closure: Closure, arguments: Sequence[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
        raise NotImplementedError

    def helper(self, function: FunctionType) -> Closure | None:
        raise NotImplementedError

    def lookup(self, name: str) -> Abstract:
        raise NotImplementedError

    def assign(self, target: ast.expr, value: Abstract, scope: Scope) -> None:
        raise NotImplementedError

    def value(self, node: ast.expr, scope: Scope) -> Abstract:
        """What an expression evaluates to; UNKNOWN for what is not followed."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        return UNKNOWN if method is None else method(node, scope)

    def truth(self, node: ast.expr, scope: Scope) -> bool | None:
        """The outcome of a test; None where it is not decided."""
        return self._truth(self.value(node, scope))

    @staticmethod
    def _truth(value: Abstract) -> bool | None:
        if isinstance(value, Const):
            return bool(value.value)
        if isinstance(value, Seq) and not any(isinstance(item, Star) for item in value.items):
            return bool(value.items)
        return None

    def _constant(self, node: ast.Constant, scope: Scope) -> Abstract:
        return Const(node.value)

    def _name(self, node: ast.Name, scope: Scope) -> Abstract:
        return scope[node.id] if node.id in scope else self.lookup(node.id)

    def _elements(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Abstract]:
        items: list[Abstract] = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                items.extend(as_items(self.value(one.value, scope)))
            else:
                items.append(self.value(one, scope))
        return items

    def _tuple(self, node: ast.Tuple | ast.List, scope: Scope) -> Abstract:
        return Seq(tuple(self._elements(node.elts, scope)))

    _list = _tuple

    def _set(self, node: ast.Set, scope: Scope) -> Abstract:
        return Seq(tuple(self._elements(node.elts, scope)))

    def _joinedstr(self, node: ast.JoinedStr, scope: Scope) -> Abstract:
        return VALUE

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Abstract:
        return Closure(node, dict(scope), self.frame.module)  # type: ignore[arg-type]

    def _ifexp(self, node: ast.IfExp, scope: Scope) -> Abstract:
        decided = self.truth(node.test, scope)
        if decided is not None:
            return self.value(node.body if decided else node.orelse, scope)
        return join(self.value(node.body, scope), self.value(node.orelse, scope))

    def _boolop(self, node: ast.BoolOp, scope: Scope) -> Abstract:
        ends = isinstance(node.op, ast.Or)
        undecided: list[Abstract] = []
        value: Abstract = UNKNOWN
        for one in node.values:
            value = self.value(one, scope)
            decided = self._truth(value)
            if decided is ends:
                return value if not undecided or value == Const(ends) else join_all([*undecided, value])
            if decided is None:
                undecided.append(value)
        return join_all([*undecided, value]) if undecided else value

    def _unaryop(self, node: ast.UnaryOp, scope: Scope) -> Abstract:
        value = self.value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            decided = self._truth(value)
            return VALUE if decided is None else Const(not decided)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            return Const(-value.value) if isinstance(node.op, ast.USub) else value
        return ZERO if value == ZERO else VALUE

    def _binop(self, node: ast.BinOp, scope: Scope) -> Abstract:
        return self.operate(node.op, self.value(node.left, scope), self.value(node.right, scope))

    def operate(self, op: ast.operator, left: Abstract, right: Abstract) -> Abstract:
        """`left op right`: sums of lists, products of a list and a number, numbers; else a tensor."""
        if isinstance(op, ast.Add) and (isinstance(left, Seq) or isinstance(right, Seq)):
            items = as_items(left) + as_items(right)
            if sum(isinstance(item, Star) for item in items) < 2:
                return Seq(items)
            return Seq((Star(join_all([item.element if isinstance(item, Star) else item for item in items])),))
        if isinstance(op, ast.Mult):
            for many, times in ((left, right), (right, left)):
                if not isinstance(many, Seq):
                    continue
                if isinstance(times, Const) and isinstance(times.value, int):
                    return Seq(many.items * times.value)
                return Seq((Star(join_all([item.element if isinstance(item, Star) else item for item in many.items])),))
        one, other = (each.value if isinstance(each, Const) else None for each in (left, right))
        if isinstance(one, (int, float)) and isinstance(other, (int, float)) and type(op) in _BINARY:
            return Const(_BINARY[type(op)](one, other))
        if isinstance(op, ast.Mult) and ZERO in (left, right):
            return ZERO
        return VALUE

    def _compare(self, node: ast.Compare, scope: Scope) -> Abstract:
        if len(node.ops) != 1:
            return VALUE
        op, left, right = node.ops[0], self.value(node.left, scope), self.value(node.comparators[0], scope)
        if isinstance(op, (ast.Is, ast.IsNot)) and NONE in (left, right):
            none = is_none(right if left == NONE else left)
            return VALUE if none is None else Const(none == isinstance(op, ast.Is))
        if known(left) and known(right) and type(op) in _BINARY:
            return Const(bool(_BINARY[type(op)](real(left), real(right))))
        return VALUE

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Abstract:
        return self.attribute(self.value(node.value, scope), node.attr)

    def attribute(self, owner: Abstract, name: str) -> Abstract:
        """`owner.name`."""
        if isinstance(owner, Op):
            return self._op_attribute(name)
        if isinstance(owner, (Input, Gradient)) and name == "dtype":
            return UNKNOWN if owner.dtype is None else Const(owner.dtype)
        if isinstance(owner, Const):
            return self._real_attribute(owner.value, name)
        if isinstance(owner, (Opaque, Input, Gradient, Seq)):
            if owner != UNKNOWN and name in _PARTS:
                return VALUE
            return Method(owner, name)
        return UNKNOWN

    def _op_attribute(self, name: str) -> Abstract:
        if name == "inputs":
            return Seq(tuple(self._input(i) for i in range(len(self.question.inputs))))
        if name == "outputs":
            outputs = self.question.outputs
            return Seq((Star(VALUE),) if outputs is None else (VALUE,) * len(outputs))
        if name == "type":
            return Const(self.question.name)
        if name == "skip_input_indices":
            return NONE
        return Method(Op(), name)

    def _input(self, index: int) -> Input:
        return Input(index, self.question.inputs[index])

    @staticmethod
    def _real_attribute(value: Any, name: str) -> Abstract:
        if isinstance(value, ModuleType) or type(value).__name__ in ("DType", "type"):
            found = getattr(value, name, UNKNOWN)
            return found if found is UNKNOWN else Const(found)
        return Method(Const(value), name)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Abstract:
        owner = self.value(node.value, scope)
        if not isinstance(owner, Seq):
            return as_element(owner) if not isinstance(node.slice, ast.Slice) else owner
        items = owner.items
        exact = not any(isinstance(item, Star) for item in items)
        if isinstance(node.slice, ast.Slice):
            parts = [
                self.value(one, scope) if one else NONE for one in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            if exact and all(isinstance(part, Const) for part in parts):
                return Seq(items[slice(*(real(part) for part in parts))])
            return Seq((Star(self._any_of(items)),))
        index = self.value(node.slice, scope)
        if isinstance(index, Const) and isinstance(index.value, int):
            return self._item(items, index.value)
        return self._any_of(items)

    @staticmethod
    def _any_of(items: Sequence[Abstract]) -> Abstract:
        return join_all([item.element if isinstance(item, Star) else item for item in items])

    def _item(self, items: Sequence[Abstract], index: int) -> Abstract:
        walked = items[: index + 1] if index >= 0 else items[index:]
        if any(isinstance(item, Star) for item in walked):
            return self._any_of(items)
        return items[index] if -len(items) <= index < len(items) else UNKNOWN

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Abstract:
        if len(node.generators) != 1:
            return UNKNOWN
        generator = node.generators[0]
        results: list[Abstract] = []
        for item in as_items(self.value(generator.iter, scope)):
            inner = dict(scope)
            self.assign(generator.target, item.element if isinstance(item, Star) else item, inner)
            kept = [self.truth(test, inner) for test in generator.ifs]
            if False in kept:
                continue
            result = self.value(node.elt, inner)
            results.append(Star(result) if isinstance(item, Star) or None in kept else result)
        if sum(isinstance(one, Star) for one in results) > 1:
            return Seq((Star(self._any_of(results)),))
        return Seq(tuple(results))

    _generatorexp = _listcomp

    def _call(self, node: ast.Call, scope: Scope) -> Abstract:
        function = self.value(node.func, scope)
        arguments = self._elements(node.args, scope)
        keywords = {one.arg: self.value(one.value, scope) for one in node.keywords if one.arg}
        if isinstance(function, Closure):
            return self.call(function, arguments, keywords)
        if isinstance(function, Method):
            return self._method(function, arguments)
        if isinstance(function, Const):
            return self._function(function.value, arguments, keywords)
        return UNKNOWN

    def _method(self, method: Method, arguments: Sequence[Abstract]) -> Abstract:
        if isinstance(method.owner, Op):
            if method.name == "get_attr" and arguments and isinstance(arguments[0], Const):
                return self._attr(str(arguments[0].value))
            return UNKNOWN
        if method.name in ("index", "count") and isinstance(method.owner, Seq):
            return VALUE
        if method.owner == VALUE and method.name in _METHODS:
            return VALUE
        if isinstance(method.owner, Const) and isinstance(method.owner.value, (str, bytes)):
            if all(known(one) for one in arguments):
                return Const(getattr(method.owner.value, method.name)(*(real(one) for one in arguments)))
            return VALUE
        return UNKNOWN

    def _attr(self, name: str) -> Abstract:
        self.question.asked.add(name)
        given = self.question.attributes
        return Const(given[name]) if name in given else VALUE

    def _function(self, function: Any, arguments: list[Abstract], keywords: Mapping[str, Abstract]) -> Abstract:
        if isinstance(function, (BuiltinFunctionType, type)) and function.__module__ == "builtins":
            return self._builtin(function.__name__, arguments)
        if isinstance(function, type):
            return VALUE
        branches = [one for one in arguments if isinstance(one, Closure)]
        if len(branches) == 2:  # tf.cond and its relatives
            return join(self.call(branches[0], (), {}), self.call(branches[1], (), {}))
        module = getattr(function, "__module__", None) or ""
        name = getattr(function, "__name__", "")
        plain = inspect.unwrap(function) if callable(function) else function
        if isinstance(plain, FunctionType) and plain is function and plain.__globals__ is self.frame.module:
            helper = self.helper(plain) if name.startswith("_") or module.endswith("_grad") else None
            if helper is not None:
                return self.call(helper, arguments, keywords)
        elif isinstance(plain, FunctionType) and plain is function and module.endswith("_grad"):
            helper = self.helper(plain)
            if helper is not None:
                return self.call(helper, arguments, keywords)
        if not module.startswith(_OP_MODULES) or module.startswith(_MAY_BE_NONE):
            return UNKNOWN
        return ZERO if name in _ZEROS else VALUE

    def _builtin(self, name: str, arguments: list[Abstract]) -> Abstract:
        first = arguments[0] if arguments else UNKNOWN
        if name in ("list", "tuple", "sorted", "set"):
            return Seq(as_items(first)) if arguments else Seq(())
        if name == "reversed":
            return Seq(tuple(reversed(as_items(first))))
        if name == "len":
            items = as_items(first)
            return VALUE if any(isinstance(item, Star) for item in items) else Const(len(items))
        if name == "range":
            if all(isinstance(one, Const) and isinstance(one.value, int) for one in arguments):
                return Const(range(*(real(one) for one in arguments)))
            return Seq((Star(VALUE),))
        if name == "zip":
            return _zip([as_items(one) for one in arguments])
        if name == "enumerate":
            items = as_items(first)
            if any(isinstance(item, Star) for item in items):
                return Seq(map_items(items, lambda item: Seq((VALUE, item))))
            return Seq(tuple(Seq((Const(i), item)) for i, item in enumerate(items)))
        if name == "isinstance" and isinstance(first, Const) and known(arguments[1]):
            return Const(isinstance(first.value, real(arguments[1])))
        if name in ("any", "all"):
            truths = [self._truth(item.element if isinstance(item, Star) else item) for item in as_items(first)]
            if (name == "any") in truths:
                return Const(name == "any")
            return VALUE if None in truths or isinstance(first, Opaque) else Const(name == "all")
        if name in (
            "int",
            "bool",
            "float",
            "str",
            "max",
            "min",
            "sum",
            "isinstance",
            "hasattr",
            "callable",
            "id",
            "abs",
        ):
            return VALUE
        return UNKNOWN


def _zip(rows: Sequence[Sequence[Abstract]]) -> Abstract:
    """Rows of exact length decide; a row that is only a Star gives its element to each."""
    exact = [row for row in rows if not any(isinstance(item, Star) for item in row)]
    if not exact:
        return Seq((Star(Seq(tuple(Expressions._any_of(row) for row in rows))),))
    length = min(len(row) for row in exact)
    columns: list[Abstract] = []
    for i in range(length):
        columns.append(Seq(tuple(row[i] if row in exact else Expressions._any_of(row) for row in rows)))
    return Seq(tuple(columns))
