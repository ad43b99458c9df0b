"""Whether an expression hands on a gradient at all: followed back from a target, as far as the text is certain."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Literal

from tensorwhy.checks.frameworks.dead_ops import COMPARING, FRESH, KILLING, NUMPY, Kills, carrying, values_of
from tensorwhy.checks.frameworks.operations import ARITHMETIC, operation, whole_dtype
from tensorwhy.checks.tapes.breaks import End, Ending, back, picked, together
from tensorwhy.checks.tapes.made_outside import MadeOutside
from tensorwhy.checks.tapes.questions import Asked
from tensorwhy.checks.text.modules import Module
from tensorwhy.source.reading import argument
from tensorwhy.source.scopes import Step

_DEEP = 60
_LOSSES = "keras.losses."
_OF_METHODS: dict[str, Literal["array", "number"]] = {"item": "number"}
_PASSING = ("tensorflow.identity", "tensorflow.ensure_shape", "tensorflow.convert_to_tensor")
_MAKING = "tensorflow.constant"


class Endings:
    """Follows the expressions of one question's scope. `names` are all that were met."""

    def __init__(self, module: Module, one: Asked) -> None:
        self._module = module
        self._one = one
        self._scope = one.scope
        self._outside = MadeOutside(module, one)
        self._open = 0
        self._known: dict[tuple[ast.expr, Step], tuple[Ending | None, set[str]]] = {}
        self.names: set[str] = set()

    def of(self, node: ast.expr, step: Step) -> Ending | None:
        """How an expression ends; None where it may hand on a gradient. Each is followed once."""
        before, self.names = self.names, set()
        self._open += 1
        try:
            if (node, step) not in self._known:
                found = self._of(node, step) if self._open < _DEEP else None
                self._known[node, step] = found, self.names
            found, names = self._known[node, step]
        finally:
            self._open -= 1
            self.names = before
        self.names |= names
        return found

    def _of(self, node: ast.expr, step: Step) -> Ending | None:
        if isinstance(node, ast.Constant):
            return Ending(python="number")
        if isinstance(node, ast.Name):
            return self._name(node.id, step)
        if isinstance(node, (ast.List, ast.Tuple)):
            return together([self.of(each, step) for each in node.elts], node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return self.of(node.operand, step)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (*ARITHMETIC, ast.Mod)):
            return together([self.of(node.left, step), self.of(node.right, step)], node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            return self._killed(Kills("no-gradient", "FloorDiv"), node, [node.left, node.right], step)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARING:
            kills = Kills("no-gradient", COMPARING[type(node.ops[0])], whole=True)
            return self._killed(kills, node, [node.left, *node.comparators], step)
        if isinstance(node, ast.Subscript):
            return self.of(node.value, step)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, step)
        return self._call(node, step) if isinstance(node, ast.Call) else None

    def _name(self, name: str, step: Step) -> Ending | None:
        binding = self._scope.binding(name, step)
        if binding is None or isinstance(binding.value, (ast.List, ast.Dict)):
            return None  # what is in a list may have changed
        own = binding.value is not None and binding.scope is self._scope
        found = self.of(binding.value, binding.step) if own and binding.value is not None else None
        if found is None:
            found = self._outside.ending(binding)
        if found is not None:
            self.names.add(name)
        return found

    def _attribute(self, node: ast.Attribute, step: Step) -> Ending | None:
        if self._module.named(node, self._scope).startswith("numpy."):
            return Ending(python="number")
        found = self.of(node.value, step)
        return found if found is not None and found.python == "array" else None

    def _call(self, call: ast.Call, step: Step) -> Ending | None:
        name = self._module.called(call, self._scope)
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            return None
        if not name:
            return self._method(call, step)
        if name.startswith(_LOSSES) and name.rpartition(".")[2][0].islower():
            return self._loss(call, step)
        if name in NUMPY:
            return self._numpy(call, step)
        if name == "tensorflow.one_hot":
            found = self.of(call.args[0], step) if call.args else None
            return found._replace(whole=False) if found is not None else Ending()
        if name in FRESH:
            rest = [*call.args[1:], *carrying(call)] if "random" in name else []
            return Ending() if self._constants(rest, step) else None
        given = values_of(call, name)
        if name in KILLING:
            given = call.args[1:2] if name == "tensorflow.numpy_function" else given
            return self._killed(KILLING[name], call, given, step)
        if name == "tensorflow.cast":
            return self._cast(call, given, step)
        if name == "tensorflow.where" and len(call.args) == 3 and not call.keywords:
            return self._chosen(call, step)
        if not operation(name) and name not in _PASSING and name != _MAKING:
            return None
        found = together([self.of(each, step) for each in given], call)
        if found is None or (name == _MAKING and found.ends and not found.python):
            return None  # a constant of a tensor is that tensor
        return back(found, call)

    def _method(self, call: ast.Call, step: Step) -> Ending | None:
        if self._is_loss(call.func, step):
            return self._loss(call, step)
        if isinstance(call.func, ast.Name):
            builtin = call.func.id in ("float", "int") and not self._scope.knows(call.func.id)
            return self._left(call, call.args[0], step, "number") if builtin and len(call.args) == 1 else None
        if not isinstance(call.func, ast.Attribute):
            return None
        if step.inside(self._one.tape.opened.statement) and self._outside.predicts(call, step):
            return Ending((End("left-framework", "", call),), python="array", within=True)
        if call.func.attr == "numpy" and not call.args and not call.keywords:
            return self._left(call, call.func.value, step, "array")
        found = self.of(call.func.value, step)
        if found is None or found.python != "array" or not found.ends:
            return None
        return None if call.func.attr == "tolist" else found._replace(python=_OF_METHODS.get(call.func.attr, "array"))

    def _is_loss(self, callee: ast.expr, step: Step) -> bool:
        """Return whether a loss of Keras is called: made there and then, or bound to a name."""
        binding = self._scope.binding(callee.id, step) if isinstance(callee, ast.Name) else None
        made = binding.value if binding is not None else callee
        home = binding.scope if binding is not None else self._scope
        return isinstance(made, ast.Call) and self._module.called(made, home).startswith(_LOSSES)

    def _loss(self, call: ast.Call, step: Step) -> Ending | None:
        found = together([self.of(each, step) for each in (*call.args[:2], *carrying(call))], call)
        return back(found, call)._replace(whole=False) if found is not None else None

    def _numpy(self, call: ast.Call, step: Step) -> Ending | None:
        given = [*call.args, *carrying(call)]
        if any(isinstance(node, ast.GeneratorExp) for node in given) or any(k.arg == "dtype" for k in call.keywords):
            return None
        ends = [self.of(each, step) for each in given]
        known = together(ends, call)
        if known is not None and known.python:
            return known._replace(python="array")
        parts = [node for each in given for node in ast.walk(each) if isinstance(node, (ast.Name, ast.Call))]
        before = [found for each in parts if (found := self.of(each, step)) is not None and found.python and found.ends]
        left = End("left-framework", "", call)
        ends_here = picked(before).ends if before else (left,)
        return Ending(ends_here, python="array", within=any(self._inside(each, step) for each in given))

    def _left(self, call: ast.Call, value: ast.expr, step: Step, python: Literal["array", "number"]) -> Ending:
        found = self.of(value, step)
        if found is not None and (found.python or not found.ends):
            return found._replace(python=python)
        return Ending((End("left-framework", "", call),), python=python, within=self._inside(value, step))

    def _cast(self, call: ast.Call, given: list[ast.expr], step: Step) -> Ending | None:
        dtype = argument(call, 1, "dtype")
        whole = whole_dtype(self._module, self._scope, dtype) if dtype is not None else ""
        if whole:
            return self._killed(Kills("dtype", "Cast", whole=True), call, given, step, whole)
        found = self.of(given[0], step) if given else None
        return None if found is None else back(found, call)._replace(whole=False)

    def _chosen(self, call: ast.Call, step: Step) -> Ending | None:
        """`where` with two constants: what decides has no gradient."""
        if not self._constants(call.args[1:], step):
            return None
        test = self.of(call.args[0], step)
        if test is not None and not test.ends:
            return test
        last = test.ends[-1] if test is not None else None
        compared = last if last is not None and last.op in COMPARING.values() else None
        end = End("index-input", "SelectV2", call, role="condition", chosen=compared)
        sure = test is None or (test.sure and len(test.ends) == 1 and test.ends[0].kind == "no-gradient" and test.whole)
        return Ending((end,), within=self._inside(call.args[0], step), sure=sure)

    def _killed(
        self, kills: Kills, node: ast.expr, given: list[ast.expr], step: Step, dtype: str = ""
    ) -> Ending | None:
        """What a function gives that hands on nothing, after what had been lost of its arguments before."""
        if not given:
            return None
        parts = [self.of(each, step) for each in given]
        known = [part for part in parts if part is not None]
        open_inside = [each for each, part in zip(given, parts) if part is None and self._inside(each, step)]
        if len(known) == len(parts) and not any(part.ends for part in known):
            return Ending(whole=kills.whole)
        before = picked([part for part in known if part.ends])
        own = End(kills.kind, kills.op, node, dtype)
        if len(known) == len(parts) and all(part.python for part in known):
            return before._replace(whole=False)  # of numbers, outside of TensorFlow
        if before.ends and open_inside:
            return Ending((own,), kills.whole, within=True, sure=False)
        before = back(before, node)
        if not before.ends:
            return Ending((own,), kills.whole, within=bool(open_inside))
        ends = before.ends if before.whole else (*before.ends, own)
        paused = before.whole and kills.kind == "stop-gradient"  # a run calls it a pause of the tape
        return before._replace(ends=ends, whole=kills.whole, sure=before.sure and not paused)

    def _constants(self, nodes: Iterable[ast.expr], step: Step) -> bool:
        found = [self.of(each, step) for each in nodes]
        return all(each is not None and not each.ends for each in found)

    def _inside(self, node: ast.expr, step: Step) -> bool:
        """Return whether what an expression is made of may have been made while the tape recorded."""
        opened = self._one.tape.opened.statement
        for each in ast.walk(node):
            if isinstance(each, ast.Call) and step.inside(opened) and not self._module.called(each, self._scope):
                return True
            binding = self._scope.binding(each.id, step) if isinstance(each, ast.Name) else None
            if binding is not None and binding.step.inside(opened):
                return True
        return False
