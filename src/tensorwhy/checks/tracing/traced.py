"""A function that is traced: what runs in it for certain, and what has no value there."""

from __future__ import annotations

import ast
import functools
from typing import Literal

from tensorwhy.checks.frameworks.datasets import is_dataset
from tensorwhy.checks.frameworks.operations import makes_symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.facts.graph import GraphRef
from tensorwhy.source.scopes import Scope, Step

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_ASKS = frozenset(("executing_eagerly", "inside_function", "hasattr", "EagerTensor", "is_symbolic_tensor"))
"""Names by which a function finds out whether it is being traced."""
_HARMLESS = ("GradientTape", "name_scope", "device", "control_dependencies", "summary")
"""What a `with` of a traced function may open, and it is still being traced."""


class Traced:
    """A function that is traced wherever it is called by its name; one that `Dataset.map` is given, by that.

    `tensors` are the parameters that are symbolic whatever the program passes, `autograph` is None where the text
    does not tell.
    """

    def __init__(
        self,
        module: Module,
        node: FunctionNode,
        outer: Scope,
        kind: Literal["function", "dataset"],
        tensors: frozenset[str],
        autograph: bool | None = True,
    ) -> None:
        self.module = module
        self.node = node
        self.scope = Scope(node, outer) if isinstance(node, ast.Lambda) else module.scope(node)
        self.kind: Literal["function", "dataset"] = kind
        self.tensors = tensors
        self.autograph = autograph
        self._known: dict[tuple[ast.AST, Step | None], bool] = {}

    @property
    def graph(self) -> GraphRef:
        """The graph that it is traced into."""
        return GraphRef(kind=self.kind, name=getattr(self.node, "name", "lambda"))

    @functools.cached_property
    def asks(self) -> bool:
        """Return whether it may find out that it is being traced, and do something else then."""
        return any(
            (isinstance(each, ast.Name) and each.id in _ASKS)
            or (isinstance(each, ast.Attribute) and each.attr in _ASKS)
            for each in ast.walk(self.node)
        )

    @functools.cached_property
    def expressions(self) -> list[tuple[Step | None, ast.AST]]:
        """What it evaluates for certain when it is traced; the step is None in a lambda."""
        if isinstance(self.node, ast.Lambda):
            body: list[tuple[Step | None, ast.AST]] = [(None, each) for each in ast.walk(self.node.body)]
            return [] if any(map(may_skip, (each for _, each in body))) else body
        return [
            (step, each)
            for step in self.steps
            if not any(map(may_skip, self.scope.expressions[step]))
            for each in self.scope.expressions[step]
        ]

    @functools.cached_property
    def steps(self) -> list[Step]:
        """The statements that run for certain when it is traced, as far as the loops around them run."""
        found = []
        for step in self.scope.steps:
            if isinstance(step.statement, (ast.Return, ast.Break, ast.Continue)) and step.blocks:
                break  # what follows may not run
            if self._always(step):
                found.append(step)
        return found

    def _always(self, step: Step) -> bool:
        loops = all(isinstance(owner, ast.For) and field == "body" for owner, field in step.blocks)
        return loops and self.in_graph(step)

    def in_graph(self, step: Step) -> bool:
        """Return whether no `with` around a statement may take it out of the graph, and its failure is not expected."""
        return not step.guarded and all(
            _harmless(self.module.called(item.context_expr, self.scope), item.context_expr)
            for around in step.around
            if isinstance(around.statement, ast.With)
            for item in around.statement.items
        )

    def symbolic(self, node: ast.AST, step: Step | None) -> bool:
        """Return whether an expression gives a tensor without a value, or a structure that has one in it."""
        if (node, step) not in self._known:
            self._known[node, step] = self._is_symbolic(node, step)
        return self._known[node, step]

    def _is_symbolic(self, node: ast.AST, step: Step | None) -> bool:
        if isinstance(node, ast.Name):
            return self._named(node.id, step)
        if isinstance(node, ast.Call):
            return makes_symbolic(self.module.called(node, self.scope))
        if isinstance(node, ast.Subscript):
            return self.symbolic(node.value, step) or self.symbolic(node.slice, step)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, (ast.USub, ast.Invert)) and self.symbolic(node.operand, step)
        if isinstance(node, ast.BinOp):
            formats = isinstance(node.op, ast.Mod) and not self.symbolic(node.left, step)  # "%s" % x is a text
            return not formats and (self.symbolic(node.left, step) or self.symbolic(node.right, step))
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            ordered = isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
            return ordered and (self.symbolic(node.left, step) or self.symbolic(node.comparators[0], step))
        return False

    def _named(self, name: str, step: Step | None) -> bool:
        if step is None or name not in self.scope.bindings:
            return name in self.tensors and name not in self.scope.shared
        binding = self.scope.binding(name, step)
        if binding is None or not self.in_graph(binding.step):
            return False
        if isinstance(binding.made, ast.For):
            loop = binding.made
            return step.inside(loop) and isinstance(loop.target, ast.Name) and self.loops_in_graph(binding.step)
        return binding.value is not None and self.symbolic(binding.value, binding.step)

    def loops_in_graph(self, step: Step) -> bool:
        """Return whether a statement is a loop that AutoGraph makes a loop of the graph of."""
        loop = step.statement
        if self.autograph is not True or not self.in_graph(step):
            return False
        if isinstance(loop, ast.While):
            return self._begins_symbolic(loop.test, step)
        if not isinstance(loop, ast.For):
            return False
        return self.is_tensor(loop.iter, step) or is_dataset(self.module, self.scope, step, loop.iter)

    def _begins_symbolic(self, test: ast.expr, step: Step) -> bool:
        """Return whether a loop's condition is symbolic when it is asked for the first time."""
        sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
        for name in (each.id for each in sides if isinstance(each, ast.Name) and not step.loops):
            before = [each for each in self.scope.bindings.get(name, []) if each.step.order < step.order]
            last = before[-1] if before else None
            if last is None or last.value is None or not last.step.always_before(step):
                continue
            if self.in_graph(last.step) and self.is_tensor(last.value, last.step):
                return True
        return self.is_tensor(test, step) or (bool(sides) and self.symbolic(test, step))

    def is_tensor(self, node: ast.expr, step: Step) -> bool:
        """Return whether an expression is one symbolic tensor, and no tuple of such."""
        if isinstance(node, ast.Name) and node.id in self.scope.bindings:
            binding = self.scope.binding(node.id, step)
            if binding is None or binding.value is None or not self.in_graph(binding.step):
                return False
            return self.is_tensor(binding.value, binding.step)
        if isinstance(node, ast.Name):
            return self.kind == "function" and self.symbolic(node, step)
        name = self.module.called(node, self.scope)
        return makes_symbolic(name) and name.count(".") == 1 and not name.endswith("_function")


def may_skip(node: ast.AST) -> bool:
    """Return whether parts of an expression may not be evaluated."""
    return isinstance(node, (ast.IfExp, ast.BoolOp, ast.Assert))


def _harmless(name: str, opened: ast.expr) -> bool:
    if not name and isinstance(opened, ast.Call) and isinstance(opened.func, ast.Attribute):
        return opened.func.attr in ("stop_recording", "as_default")
    room, _, last = name.rpartition(".")
    return room in ("tensorflow", "tensorflow.summary") and (last in _HARMLESS or room == "tensorflow.summary")
