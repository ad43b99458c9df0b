"""What a file's expressions certainly are to Keras: layers, models, and symbolic tensors with the inputs they need."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from tensorwhy.checks.frameworks.layers import LAYERS, MERGING, RECURRENT, WRAPPERS
from tensorwhy.checks.text.handled import handled
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom, TensorRef
from tensorwhy.source.scopes import Scope, Step

_FUNCTIONS = frozenset(name.lower() for name in MERGING)
_INPUTS = ("keras.Input", "keras.layers.Input")
_SEQUENTIAL = ("keras.Sequential", "keras.models.Sequential", "keras.engine.sequential.Sequential")
_MODELS = ("keras.Model", "keras.models.Model")

Sort = Literal["tensor", "tensors", "layer", "model"]

_UNRELATED = ("inputs", "training", "axis", "name")
"""Arguments in the call of a layer or function that bring no other tensor with them."""
_SYMBOLIC = ("tensor", "tensors")


class Thing(NamedTuple):
    """What an expression gives: `made` is the call that made it, `layer` the class of a layer or model.

    A "tensor" is one symbolic tensor, "tensors" may be a structure of such. `needs` are calls of `Input` which they
    certainly depend on; there may be others unless the `whole` of what enters is known.
    """

    sort: Sort
    made: ast.expr
    layer: str = ""
    needs: frozenset[ast.expr] = frozenset()
    whole: bool = True

    @property
    def one(self) -> bool:
        """Return whether it is one symbolic tensor."""
        return self.sort == "tensor"

    @property
    def is_input(self) -> bool:
        """Return whether it is what a call of `Input` gave."""
        return self.made in self.needs


class Symbolic:
    """What the expressions of one file are."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[ast.expr, Thing | None] = {}
        for scope in module.scopes:
            for step, call in scope.calls:  # in the order of the text: no chain of calls is deep then
                self.thing(call, scope, step)

    def calls(self) -> Iterator[tuple[Scope, Step, ast.Call]]:
        """All calls whose failure nobody waits for."""
        for scope in self._module.scopes:
            yield from ((scope, step, call) for step, call in scope.calls if not step.guarded)

    def makes_model(self, call: ast.Call, scope: Scope, step: Step) -> bool:
        """Return whether a call makes a functional model."""
        made = self.thing(call, scope, step)
        return made is not None and made.made is call and made.layer == "Model"

    def is_model(self, node: ast.expr, scope: Scope, step: Step) -> bool:
        """Return whether a name certainly stands for a model."""
        thing = self.thing(node, scope, step) if isinstance(node, ast.Name) else None
        return thing is not None and thing.sort == "model"

    def thing(self, node: ast.expr, scope: Scope, step: Step) -> Thing | None:
        """What an expression of a statement is; None where the text does not tell."""
        if isinstance(node, ast.Name):
            binding = scope.binding(node.id, step)
            if binding is None or binding.value is None:
                return None
            node, scope, step = binding.value, binding.scope, binding.step
            if isinstance(node, ast.Name):
                return self.thing(node, scope, step)
        return self._known[node] if node in self._known else self._fresh(node, scope, step)

    def _fresh(self, node: ast.expr, scope: Scope, step: Step) -> Thing | None:
        self._known[node] = None  # for what is made of itself
        found = self._known[node] = self._thing(node, scope, step)
        return found

    def _thing(self, node: ast.expr, scope: Scope, step: Step) -> Thing | None:
        if isinstance(node, ast.Call):
            name = self._module.called(node, scope)
            return self._made(name, node, scope, step) if name else self._called(node, scope, step)
        if isinstance(node, ast.BinOp):
            left, right = self.thing(node.left, scope, step), self.thing(node.right, scope, step)
            first = left or (right if isinstance(node.left, ast.Constant) else None)
            sides = [
                thing for side, thing in ((node.left, left), (node.right, right)) if not isinstance(side, ast.Constant)
            ]
            return _joined("tensor", node, sides) if first and first.sort == "tensor" else None
        if isinstance(node, ast.Subscript):
            of = self.thing(node.value, scope, step)
            return _joined(of.sort, node, (of,)) if of and of.sort in _SYMBOLIC else None
        return None

    def _made(self, name: str, node: ast.Call, scope: Scope, step: Step) -> Thing | None:
        """What a call of something that is imported gives."""
        room, _, last = name.rpartition(".")
        if name in _INPUTS:
            own = len(node.args) < 3 and all(each.arg not in (None, "tensor") for each in node.keywords)
            return Thing("tensor", node, needs=frozenset([node])) if own else None
        if name in _SEQUENTIAL:
            return Thing("model", node, "Sequential")
        if name in _MODELS:
            return Thing("model", node, "Model")
        if room != "keras.layers":
            return None
        if last in LAYERS or last == "Lambda":
            return Thing("layer", node, last)
        return self._result(node, scope, step, "tensor") if last in _FUNCTIONS else None

    def _called(self, node: ast.Call, scope: Scope, step: Step) -> Thing | None:
        """What a call of a layer or model gives."""
        callee = self.thing(node.func, scope, step) if isinstance(node.func, (ast.Name, ast.Call)) else None
        if callee is None or callee.sort not in ("layer", "model") or not isinstance(callee.made, ast.Call):
            return None
        plain = callee.layer == "Sequential" or self._gives_one(callee, callee.made)
        return self._result(node, scope, step, "tensor" if plain else "tensors")

    def _result(self, node: ast.Call, scope: Scope, step: Step, sort: Sort) -> Thing | None:
        """Symbolic, where any of what enters is."""
        things = [self.thing(each, scope, step) for each in given(node)]
        if not any(each and each.sort in _SYMBOLIC for each in things):
            return None
        found = _joined(sort, node, things)
        alone = len(node.args) < 2 and all(each.arg in _UNRELATED for each in node.keywords)
        return found._replace(whole=found.whole and alone and not any(map(_spread, node.args)))

    def _gives_one(self, layer: Thing, made: ast.Call) -> bool:
        """Return whether a layer of Keras gives one tensor, whatever it is called on."""
        options = {each.arg: each.value for each in made.keywords}
        if None in options:
            return False
        if layer.layer == "Bidirectional":
            inner = self._known.get(made.args[0]) if made.args else None
            return "merge_mode" not in options and inner is not None and _sequences_only(inner)
        if layer.layer in RECURRENT:
            return _sequences_only(layer)
        return layer.layer in LAYERS - WRAPPERS

    def fails(self, scope: Scope, node: ast.expr | ast.stmt, fact: Fact) -> Iterator[CaseGroup]:
        """What fails of a fact, as a group; nothing where the failure may be expected."""
        if not handled(self._module, scope):
            symptom = Symptom(kind="exception", location=self.place(node))
            yield CaseGroup(symptom=symptom, facts=(fact,))

    def reference(self, node: ast.expr, scope: Scope, step: Step) -> TensorRef:
        """A symbolic tensor as a run would name it."""
        found = self.thing(node, scope, step)
        name = node.id if isinstance(node, ast.Name) else ""
        made = found.made if found is not None else node
        layer = self.known(made.func) if isinstance(made, ast.Call) else None
        called = layer.layer if layer is not None else ""
        return TensorRef(name=name, kind="keras-tensor", location=self.place(made), layer=called)

    def known(self, made: ast.expr) -> Thing | None:
        """What the callee of a call is, where that is written out there and no name."""
        return self._known.get(made)

    def place(self, node: ast.expr | ast.stmt) -> Location:
        """Where an expression stands."""
        return self._module.place(node)


@functools.lru_cache(maxsize=1)
def symbolic(module: Module) -> Symbolic:
    """The same for all probes that read a file."""
    return Symbolic(module)


def given(call: ast.Call) -> tuple[ast.expr, ...]:
    """The expressions that a call of a layer is given as its first argument: of a list, those in it."""
    first = call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "inputs"), None)
    if isinstance(first, (ast.List, ast.Tuple)):
        return tuple(each for each in first.elts if not isinstance(each, ast.Starred))
    return () if first is None or isinstance(first, ast.Starred) else (first,)


def model_tensors(call: ast.Call) -> tuple[list[ast.expr], list[ast.expr]]:
    """What is written out of the inputs and the outputs of a functional model."""
    named = {each.arg: each.value for each in call.keywords}
    found = []
    for position, name in enumerate(("inputs", "outputs")):
        node = call.args[position] if len(call.args) > position else named.get(name)
        several: list[ast.expr] = [] if node is None else [node]
        if isinstance(node, (ast.List, ast.Tuple)):
            several = node.elts
        elif isinstance(node, ast.Dict):
            several = node.values
        found.append(several)
    return found[0], found[1]


def _spread(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Starred) for each in (node, *getattr(node, "elts", ())))


def _joined(sort: Sort, node: ast.expr, things: Iterable[Thing | None]) -> Thing:
    every = tuple(things)
    needs = frozenset(need for each in every if each is not None for need in each.needs)
    return Thing(sort, node, needs=needs, whole=all(each is not None and each.whole for each in every))


def _sequences_only(layer: Thing) -> bool:
    """Return whether a recurrent layer gives no states beside its output."""
    if layer.layer not in RECURRENT or not isinstance(layer.made, ast.Call):
        return False
    options = {each.arg: each.value for each in layer.made.keywords}
    states = options.get("return_state")
    return None not in options and (states is None or (isinstance(states, ast.Constant) and states.value is False))
