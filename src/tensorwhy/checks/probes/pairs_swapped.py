"""Gradients that an optimizer is given the wrong way round, for other variables than their own, or for none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tensorwhy.checks.tapes.questions import Asked, asked
from tensorwhy.checks.text.handled import handled
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import Mispaired, NotHanded
from tensorwhy.model.question import Variable
from tensorwhy.model.report import Symptom
from tensorwhy.source.reading import argument
from tensorwhy.source.scopes import Scope, Step

READS = ("apply_gradients",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Calls of `apply_gradients` in the scope that asked for the gradients, with both lists written out."""
    answers: dict[Scope, dict[ast.Call, Asked]] = {}
    for one in asked(module):
        if isinstance(one.call.func, ast.Attribute) and one.call.func.attr == "gradient":
            answers.setdefault(one.scope, {})[one.call] = one
    if not answers or any(getattr(scope.node, "name", "") == "apply_gradients" for scope in module.scopes):
        return
    for scope, questions in answers.items():
        for step, call in scope.calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr == "apply_gradients" and not step.guarded:
                fact = _Pairs(module, scope, step, questions).wrong(call)
                if fact is not None and not (fact.refused and handled(module, scope)):
                    symptom = Symptom(kind="exception" if fact.refused else "silent", location=fact.applied)
                    yield CaseGroup(symptom=symptom, facts=(fact,))


class _Pairs:
    """What a statement knows of gradients and variables. `questions` are those of its scope, by their calls."""

    def __init__(self, module: Module, scope: Scope, step: Step, questions: dict[ast.Call, Asked]) -> None:
        self._module = module
        self._scope = scope
        self._step = step
        self._questions = questions

    def wrong(self, call: ast.Call) -> Mispaired | NotHanded | None:
        """What is wrong with the pairs that an optimizer is given; None where that is not certain."""
        given = argument(call, 0, "grads_and_vars")
        if given is not None and self._value(given) in self._questions and self._is_optimizer(call.func):
            place = self._module.place(call)
            return Mispaired(problem="unpaired", variables=(), asked=None, applied=place, refused=True)
        lists = self._lists(given) if given is not None else None
        if lists is None:
            return None
        first, second = lists
        backwards = self._all_sources(second)
        if backwards is not None and self._is(first, backwards):
            variables = _variables(first, several=len(first) == 1)
            return Mispaired(
                problem="swapped", variables=variables, asked=None, applied=self._module.place(call), refused=True
            )
        own = self._all_sources(first)
        if own is None or len(own) != len(second) or self._is(second, own):
            return None
        one = self._question(first)
        if sorted(map(ast.unparse, own)) == sorted(map(ast.unparse, second)):
            at = next(i for i, each in enumerate(own) if ast.unparse(each) != ast.unparse(second[i]))
        elif len(own) == 1 and _plural(own[0]) and _plural(second[0]) and self._is_of_another(first, second):
            at = 0
        else:
            return None
        if not all(self._stays(each, one) for each in (*own, *second)):
            return None
        asked_at, place = self._module.place(one.call), self._module.place(call)
        variable, other = _variables([second[at], own[at]], several=len(own) == 1)
        return NotHanded(problem="crossed", variables=(variable,), asked=asked_at, applied=place, instead=other)

    def _is_optimizer(self, method: ast.expr) -> bool:
        """Return whether a method is one of an optimizer of Keras: others may take gradients alone."""
        owner = method.value if isinstance(method, ast.Attribute) else None
        binding = self._scope.binding(owner.id, self._step) if isinstance(owner, ast.Name) else None
        made = self._module.called(binding.value, binding.scope) if binding is not None else ""
        return made.startswith("keras.optimizers.")

    def _lists(self, given: ast.expr) -> tuple[Sequence[ast.expr], Sequence[ast.expr]] | None:
        """What stands first and second in the pairs: of each what is written out, or the one list that it is."""
        given = self._value(given)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "list":
            given = given.args[0] if len(given.args) == 1 else given
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "zip":
            if len(given.args) != 2 or given.keywords or any(isinstance(each, ast.Starred) for each in given.args):
                return None
            return self._written(given.args[0]), self._written(given.args[1])
        pairs = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
        split = [each.elts for each in pairs if isinstance(each, (ast.Tuple, ast.List)) and len(each.elts) == 2]
        if not pairs or len(split) < len(pairs) or not all(isinstance(each, ast.Tuple) for each in pairs):
            return None
        return [each[0] for each in split], [each[1] for each in split]

    def _value(self, node: ast.expr) -> ast.expr:
        binding = self._scope.binding(node.id, self._step) if isinstance(node, ast.Name) else None
        return binding.value or node if binding is not None and binding.scope is self._scope else node

    def _written(self, node: ast.expr) -> Sequence[ast.expr]:
        """The elements of a list that is written out, or the expression that is the whole list."""
        value = self._value(node)
        if isinstance(value, (ast.List, ast.Tuple)) and not any(isinstance(e, ast.Starred) for e in value.elts):
            return value.elts
        return [value if isinstance(value, ast.Attribute) else node]

    def _question(self, gradients: Sequence[ast.expr]) -> Asked:
        found = self._answer(gradients[0])
        assert found is not None
        return found[0]

    def _all_sources(self, gradients: Sequence[ast.expr]) -> Sequence[ast.expr] | None:
        """What these are the gradients of, in their order; None where that is not known of each, from one question."""
        found = [self._answer(each) for each in gradients]
        known = [each for each in found if each is not None]
        if not known or len(known) < len(found) or any(each[0] is not known[0][0] for each in known):
            return None
        given = argument(known[0][0].call, 1, "sources")
        sources = self._written(given) if given is not None else []
        if len(known) == 1 and known[0][1] is None:
            return sources or None
        if any(at is None or at >= len(sources) for _, at in known) or len(sources) < 2:
            return None
        return [sources[at] for _, at in known if at is not None]

    def _answer(self, node: ast.expr) -> tuple[Asked, int | None] | None:
        """The question that an expression is the answer of, and which part of it."""
        if isinstance(node, ast.Call):
            one = self._questions.get(node)
            return (one, None) if one is not None else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and type(node.slice.value) is int:
            whole = self._answer(node.value)
            return (whole[0], node.slice.value) if whole is not None and whole[1] is None else None
        binding = self._scope.binding(node.id, self._step) if isinstance(node, ast.Name) else None
        if binding is None or not isinstance(node, ast.Name) or not isinstance(binding.made, ast.Assign):
            return None
        target, value = binding.made.targets[0], binding.made.value
        one = self._questions.get(value) if isinstance(value, ast.Call) and len(binding.made.targets) == 1 else None
        if one is None or isinstance(target, ast.Name):
            return (one, None) if one is not None else None
        names = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        at = next((i for i, each in enumerate(names) if isinstance(each, ast.Name) and each.id == node.id), None)
        plain = at is not None and not any(isinstance(each, ast.Starred) for each in names)
        return (one, at) if plain else None

    def _is(self, written: Sequence[ast.expr], sources: Sequence[ast.expr]) -> bool:
        return [ast.unparse(each) for each in written] == [ast.unparse(each) for each in sources]

    def _is_of_another(self, gradients: Sequence[ast.expr], variables: Sequence[ast.expr]) -> bool:
        """True if these variables were asked for by another question, and nothing else is done with the gradients."""
        own, name = self._question(gradients), gradients[0]
        others = (argument(one.call, 1, "sources") for one in self._questions.values() if one is not own)
        asked_for = any(other is not None and self._is(self._written(other), variables) for other in others)
        once = isinstance(name, ast.Name) and len(self._scope.mentions.get(name.id, ())) == 2
        return asked_for and once

    def _stays(self, node: ast.expr, one: Asked) -> bool:
        """Return whether an expression stands for the same thing where it was asked for and where it is applied."""
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                if each.id not in self._scope.bindings:
                    continue
                found = self._scope.binding(each.id, one.step)
                if found is None or found is not self._scope.binding(each.id, self._step):
                    return False
            elif not isinstance(each, (ast.Attribute, ast.expr_context)):
                return False
        return True


def _plural(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("trainable_variables", "trainable_weights")


def _variables(written: Sequence[ast.expr], several: bool) -> tuple[Variable, ...]:
    """As the program names them: each by its own name, or all together by that of their list."""
    return tuple(Variable(tensor=-1 if several else at, name=ast.unparse(each)) for at, each in enumerate(written))
