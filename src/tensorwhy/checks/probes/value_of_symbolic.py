"""A symbolic Keras tensor that is asked for its value, or for parts of it, where a model is put together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import RECURRENT
from tensorwhy.checks.models.symbolic import Symbolic, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.keras import AtRuntime, Operation, RawOp

READS = ("keras",)
_VALUES = ("numpy", "eval")
_METHODS = frozenset(
    (
        *("all", "any", "argmax", "argmin", "astype", "clip", "copy", "cpu", "cumsum", "detach", "dot", "fill"),
        *("flatten", "item", "max", "mean", "min", "prod", "ravel", "repeat", "round", "std", "sum", "to", "tobytes"),
        *("tolist", "transpose", "var"),
    )
)
"""Methods that arrays and tensors of other libraries have, and symbolic tensors of no version of Keras."""
_NUMPY = frozenset(
    (
        *("abs", "add", "all", "any", "append", "argmax", "argmin", "array", "asarray", "clip", "concatenate", "cos"),
        *("cumsum", "divide", "dot", "exp", "expand_dims", "floor", "hstack", "isnan", "log", "matmul", "max"),
        *("maximum", "mean", "min", "minimum", "multiply", "ones_like", "pad", "power", "prod", "ravel", "repeat"),
        *("reshape", "round", "sign", "sin", "split", "sqrt", "square", "stack", "std", "subtract", "sum", "tanh"),
        *("tile", "transpose", "var", "vstack", "where", "zeros_like"),
    )
)
"""Functions of NumPy that fail for them in all versions."""
_PLAIN = ("float", "int")
_SESSIONS = ("compat.v1", "disable_eager", "disable_v2", "Session(", "get_session")
"""Words of a file in which Keras may give tensors of TensorFlow 1."""
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def find(module: Module) -> Iterator[CaseGroup]:
    """The first such use of a statement."""
    things = symbolic(module)
    if not things.any_tensors or module.holds(*_SESSIONS):
        return
    for scope in module.scopes:
        for step, nodes in scope.expressions.items():
            if step.guarded:
                continue
            for node in nodes:
                found = _use(module, things, scope, step, node)
                if found is not None:
                    yield from things.fails(scope, found[0], found[1])
                    break


def _use(
    module: Module, things: Symbolic, scope: Scope, step: Step, node: ast.AST
) -> tuple[ast.expr | ast.stmt, Fact] | None:
    """What fails, and of what."""
    if isinstance(node, ast.Call):
        return _call(module, things, scope, step, node)
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        test, word = node.test, "while" if isinstance(node, ast.While) else "if"
        ordered = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ORDER)
        compared = [test.left, *test.comparators] if isinstance(test, ast.Compare) and ordered else []
        asked = next((each for each in (test, *compared) if _is_one(things, scope, step, each)), None)
        return _raw(things, scope, step, test, asked, "truth", word) if asked is not None else None
    if isinstance(node, (ast.For, ast.comprehension)):
        whole = _of_unknown_size(things, scope, step, node.iter)
        return _raw(things, scope, step, node.iter, node.iter, "iteration") if whole else None
    if not isinstance(node, ast.Assign):
        return None
    target = node.targets[0]
    if isinstance(target, (ast.Tuple, ast.List)) and _of_unknown_size(things, scope, step, node.value):
        return _raw(things, scope, step, node, node.value, "unpacking", _told(things, scope, step, node.value))
    if isinstance(target, ast.Subscript) and _is_one(things, scope, step, target.value):
        return _raw(things, scope, step, node, target.value, "assignment")
    return None


def _raw(
    things: Symbolic,
    scope: Scope,
    step: Step,
    used: ast.expr | ast.stmt,
    tensor: ast.expr,
    kind: Operation,
    function: str = "",
) -> tuple[ast.expr | ast.stmt, Fact]:
    reference = things.reference(tensor, scope, step)
    return used, RawOp(function=function, kind=kind, used=things.place(used), tensor=reference)


def _is_one(things: Symbolic, scope: Scope, step: Step, node: ast.expr) -> bool:
    thing = things.thing(node, scope, step)
    return thing is not None and thing.one


def _of_unknown_size(things: Symbolic, scope: Scope, step: Step, node: ast.expr) -> bool:
    """Whether this is a tensor without a size along its first axis: Keras 2 takes others apart."""
    thing = things.thing(node, scope, step)
    if thing is None or not thing.one or not thing.whole or not isinstance(thing.made, ast.Call):
        return False
    made = (each for each in thing.needs if isinstance(each, ast.Call))
    return all(len(each.args) < 2 and all(k.arg in ("shape", "name", "dtype") for k in each.keywords) for each in made)


def _call(
    module: Module, things: Symbolic, scope: Scope, step: Step, node: ast.Call
) -> tuple[ast.expr | ast.stmt, Fact] | None:
    function = node.func
    first = node.args[0] if node.args else None
    several = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []
    given = next((each for each in (*node.args, *several) if _is_one(things, scope, step, each)), None)
    room, _, last = module.called(node, scope).rpartition(".")
    if room == "numpy" and last in _NUMPY and given is not None:
        return _raw(things, scope, step, node, given, "numpy", ast.unparse(function))
    if isinstance(function, ast.Attribute) and function.attr in (*_VALUES, *_METHODS):
        if not _is_one(things, scope, step, function.value):
            return None
        if function.attr in _METHODS:
            return _raw(things, scope, step, node, function.value, "method", function.attr)
        tensor = things.reference(function.value, scope, step)
        return node, AtRuntime(tensor=tensor, used=module.place(node), asked=f".{function.attr}()")
    if isinstance(function, ast.Name) and given is not None and not scope.knows(function.id):
        if function.id == "len":
            return _raw(things, scope, step, node, given, "conversion", "len()")
        if function.id in _PLAIN:
            return node, AtRuntime(
                tensor=things.reference(given, scope, step), used=module.place(node), asked=f"{function.id}()"
            )
    return None


def _told(things: Symbolic, scope: Scope, step: Step, tensor: ast.expr) -> str:
    """How the layer that gave a tensor is told to give more than one."""
    thing = things.thing(tensor, scope, step)
    made = thing.made if thing is not None else None
    layer = things.thing(made.func, scope, step) if isinstance(made, ast.Call) else None
    return f"{layer.layer}(..., return_state=True)" if layer is not None and layer.layer in RECURRENT else ""
