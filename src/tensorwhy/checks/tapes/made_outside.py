"""What is made where a tape does not record: a constant for the tape, and what it is asked for is lost in it."""

from __future__ import annotations

import ast
import functools
from typing import Literal

from tensorwhy.checks.frameworks.datasets import is_dataset
from tensorwhy.checks.frameworks.operations import ARITHMETIC, plain_tensor
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.tapes.breaks import End, Ending
from tensorwhy.checks.tapes.questions import Asked
from tensorwhy.checks.text.modules import Module
from tensorwhy.source.scopes import Binding, Scope, Step

_DEEP = 20


class MadeOutside:
    """What names stand for that are bound outside of the block of a question's tape."""

    def __init__(self, module: Module, one: Asked) -> None:
        self._module = module
        self._one = one
        self._computed: dict[ast.expr, bool] = {}
        self._firsts: dict[ast.expr, ast.expr | None] = {}

    def ending(self, binding: Binding) -> Ending | None:
        """What a tape that watches no tensor takes a name for; None where it may know of it by another name."""
        tape = self._one.tape
        scope = binding.scope
        if "watch" in tape.methods or binding.step.inside(tape.opened.statement):
            return None
        value, loop = binding.value, binding.made
        if value is None:
            element = isinstance(loop, ast.For) and is_dataset(self._module, scope, binding.step, loop.iter)
            return Ending() if element else None
        made = plain_tensor(self._module, scope, value, True)
        predicted = self._predicts(value, scope, binding.step)
        if not made and not predicted and not self._computes(value, scope, binding.step):
            return None
        python: Literal["", "array"] = "array" if made == "ndarray" or predicted else ""
        before = scope is not self._one.scope or binding.step.order < tape.opened.order
        first = self._first(value, scope, binding.step, 0) if before and made != "ndarray" else None
        if first is None:
            return Ending(python=python)
        ends = [End("not-recorded", "", first)]
        if predicted:
            ends.append(End("left-framework", "", first))
        return Ending(tuple(ends), python=python, within=True)

    def predicts(self, node: ast.expr, step: Step) -> bool:
        """Return whether an expression of the question's scope is an array that a model of Keras predicts."""
        return self._predicts(node, self._one.scope, step)

    def _predicts(self, node: ast.expr, scope: Scope, step: Step) -> bool:
        method = node.func if isinstance(node, ast.Call) else None
        predicts = isinstance(method, ast.Attribute) and method.attr in ("predict", "predict_on_batch")
        return (
            predicts
            and isinstance(method, ast.Attribute)
            and symbolic(self._module).is_model(method.value, scope, step)
        )

    def _computes(self, value: ast.expr, scope: Scope, step: Step) -> bool:
        """Return whether an expression certainly is a new tensor, or a variable: of a model of Keras, or computed."""
        if value not in self._computed:
            self._computed[value] = self._is_computed(value, scope, step)
        return self._computed[value]

    def _is_computed(self, value: ast.expr, scope: Scope, step: Step) -> bool:
        if isinstance(value, ast.Name):
            binding = scope.binding(value.id, step)
            if binding is None or binding.value is None or isinstance(binding.value, ast.Name):
                return False
            variable = self._module.called(binding.value, binding.scope) == "tensorflow.Variable"
            return variable or self._computes(binding.value, binding.scope, binding.step)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ARITHMETIC):
            return any(self._computes(side, scope, step) for side in (value.left, value.right))
        if isinstance(value, ast.Call) and symbolic(self._module).is_model(value.func, scope, step):
            return True
        return plain_tensor(self._module, scope, value, True) == "tensor"

    @functools.cached_property
    def _asked_for(self) -> frozenset[str]:
        """The names by which the sources are asked for, of the objects that they belong to."""
        scope, found = self._one.scope, set()
        for source in self._one.sources or ():
            for node in ast.walk(source):
                if isinstance(node, ast.Name):
                    found.add(node.id)
                    binding = scope.binding(node.id, self._one.step)
                    value = binding.value if binding is not None else None
                    if isinstance(value, (ast.Attribute, ast.List, ast.BinOp)):
                        found |= {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
        return frozenset(found)

    def _first(self, value: ast.expr, scope: Scope, step: Step, deep: int) -> ast.expr | None:
        """The first operation with what is asked for that an expression is made of."""
        if value not in self._firsts:
            self._firsts[value] = self._found_first(value, scope, step, deep)
        return self._firsts[value]

    def _found_first(self, value: ast.expr, scope: Scope, step: Step, deep: int) -> ast.expr | None:
        names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
        for node in names if deep < _DEEP else ():
            binding = scope.binding(node.id, step) if node.id not in self._asked_for else None
            if binding is not None and binding.value is not None and binding.scope is scope:
                found = self._first(binding.value, scope, binding.step, deep + 1)
                if found is not None and self._computes(binding.value, scope, binding.step):
                    return found
        if not any(node.id in self._asked_for for node in names):
            return None
        while isinstance(value, ast.BinOp):
            sides = (value.left, value.right)
            inner = (side for side in sides if isinstance(side, (ast.BinOp, ast.Call)) and self._mentions(side))
            side = next(inner, None)
            if side is None:
                break
            value = side
        return value

    def _mentions(self, node: ast.expr) -> bool:
        return any(isinstance(each, ast.Name) and each.id in self._asked_for for each in ast.walk(node))
