"""Functions that are certainly traced: by `tf.function`, or by a method of a dataset; and what has no value in them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Literal

from tensorwhy.checks.modules import Module
from tensorwhy.checks.operations import makes_symbolic
from tensorwhy.checks.scopes import Scope, Step
from tensorwhy.checks.tapes import argument
from tensorwhy.model.facts.graph import GraphRef

WORDS = ("tf.function", "tf.data", "tensorflow.function", "tensorflow.data", "import function", "import data")
"""One of these is in each file that has something traced."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_UNCERTAIN = ("run_functions_eagerly", "run_eagerly", "enable_debug_mode", "python_function", "enable_eager_execution")
"""Words of a file in which what is traced may run eagerly as well."""
_ASKS = frozenset(("executing_eagerly", "inside_function", "hasattr", "EagerTensor", "is_symbolic_tensor"))
"""Names by which a function finds out whether it is being traced."""
_TRANSPARENT = frozenset(("tensorflow.Module.with_name_scope", "tensorflow.custom_gradient", "classmethod"))
"""Decorators below which a function is traced as it is."""
_HARMLESS = ("GradientTape", "name_scope", "device", "control_dependencies", "summary")
"""What a `with` of a traced function may open, and it is still being traced."""
_MAPPING = {"map": "map_func", "flat_map": "map_func", "interleave": "map_func", "filter": "predicate"}
_READERS = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "Dataset")
_DATASETS = ("image_dataset_from_directory", "text_dataset_from_directory", "timeseries_dataset_from_array")


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

    @property
    def graph(self) -> GraphRef:
        """The graph that it is traced into."""
        return GraphRef(kind=self.kind, name=getattr(self.node, "name", "lambda"))

    @functools.cached_property
    def asks(self) -> bool:
        """Whether it may find out that it is being traced, and do something else then."""
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
            return [] if any(map(_may_skip, (each for _, each in body))) else body
        return [
            (step, each)
            for step in self.steps
            if not any(map(_may_skip, self.scope.expressions[step]))
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
        """Whether no `with` around a statement may take it out of the graph, and its failure is not expected."""
        return not step.guarded and all(
            _harmless(self.module.called(item.context_expr, self.scope), item.context_expr)
            for around in step.around
            if isinstance(around.statement, ast.With)
            for item in around.statement.items
        )

    def symbolic(self, node: ast.AST, step: Step | None) -> bool:
        """Whether an expression gives a tensor without a value, or a structure that has one in it."""
        if isinstance(node, ast.Name):
            return self._named(node.id, step)
        if isinstance(node, ast.Call):
            return makes_symbolic(self.module.called(node, self.scope))
        if isinstance(node, ast.Subscript):
            return self.symbolic(node.value, step)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, (ast.USub, ast.Invert)) and self.symbolic(node.operand, step)
        if isinstance(node, ast.BinOp):
            return self.symbolic(node.left, step) or self.symbolic(node.right, step)
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
        """Whether a `for` is one that AutoGraph makes a loop of the graph of."""
        loop = step.statement
        if self.autograph is not True or not isinstance(loop, ast.For) or not self.in_graph(step):
            return False
        if isinstance(loop.iter, ast.Call) and self.module.called(loop.iter, self.scope) == "tensorflow.range":
            return True
        return self.symbolic(loop.iter, step) or is_dataset(self.module, self.scope, step, loop.iter)


def _may_skip(node: ast.AST) -> bool:
    return isinstance(node, (ast.IfExp, ast.BoolOp, ast.Assert))


def _harmless(name: str, opened: ast.expr) -> bool:
    if isinstance(opened, ast.Call) and isinstance(opened.func, ast.Attribute):
        if not name:
            return opened.func.attr in ("stop_recording", "as_default")
    room, _, last = name.rpartition(".")
    return room in ("tensorflow", "tensorflow.summary") and (last in _HARMLESS or room == "tensorflow.summary")


@functools.lru_cache(maxsize=1)
def traced(module: Module) -> tuple[Traced, ...]:
    """Every function of a file that is certainly traced, each once; none where something may have it run eagerly."""
    text = module.sources.text(module.file)
    if any(word in text for word in _UNCERTAIN):
        return ()
    found: dict[ast.AST, Traced] = {}
    expected = _expected_to_fail(module)
    for one in (*_decorated(module), *_handed(module)):
        if getattr(one.node, "name", "") not in expected and not one.asks:
            found.setdefault(one.node, one)
    return tuple(found.values())


def _expected_to_fail(module: Module) -> set[str]:
    """Names in statements whose failure is caught, or asked for."""
    nodes = [
        node
        for scope in module.scopes
        for step in scope.steps
        for node in (scope.expressions[step] if step.guarded else _given_to_raises(scope, step))
    ]
    return {str(name) for node in nodes if (name := getattr(node, "id", None) or getattr(node, "attr", None))}


def _given_to_raises(scope: Scope, step: Step) -> Iterator[ast.AST]:
    for call in scope.expressions[step]:
        if isinstance(call, ast.Call) and "raises" in getattr(call.func, "attr", "").lower():
            for each in call.args:
                yield from ast.walk(each)


def _decorated(module: Module) -> Iterator[Traced]:
    for scope in module.scopes:
        node, outer = scope.node, scope.outer
        if not isinstance(node, ast.FunctionDef) or outer is None:
            continue
        names = [_decorator(module, each, outer) for each in node.decorator_list]
        for at, (name, decorator) in enumerate(zip(names, node.decorator_list, strict=True)):
            if name == "tensorflow.function" and all(each in _TRANSPARENT for each in names[at + 1 :]):
                yield _by_function(module, node, outer, decorator)


def _decorator(module: Module, node: ast.expr, scope: Scope) -> str:
    if isinstance(node, ast.Name) and node.id == "classmethod":
        return node.id
    return module.named(node.func if isinstance(node, ast.Call) else node, scope)


def _by_function(module: Module, node: FunctionNode, outer: Scope, by: ast.expr) -> Traced:
    """A function that `tf.function` makes a graph of; `by` is that, or its call with what it was told."""
    if not isinstance(by, ast.Call):
        return Traced(module, node, outer, "function", frozenset())
    given = {each.arg: each.value for each in by.keywords}
    autograph = given.get("autograph")
    known = autograph.value if isinstance(autograph, ast.Constant) and isinstance(autograph.value, bool) else None
    signature = given.get("input_signature")
    specs = signature.elts if isinstance(signature, (ast.List, ast.Tuple)) else []
    method = isinstance(outer.node, ast.ClassDef) and isinstance(node, ast.FunctionDef)
    static = method and any(getattr(each, "id", "") == "staticmethod" for each in getattr(node, "decorator_list", ()))
    pairs = zip(_positional(node, method and not static), specs, strict=False)
    tensors = {name for name, spec in pairs if module.called(spec, outer) == "tensorflow.TensorSpec"}
    spread = None in given or len(by.args) > 1
    return Traced(
        module, node, outer, "function", frozenset(tensors), True if autograph is None and not spread else known
    )


def _positional(node: FunctionNode, method: bool) -> list[str]:
    """The parameters that a call by position fills, those with a default not among them; nor `self` of a method."""
    named = [*node.args.posonlyargs, *node.args.args]
    last = len(named) - len(node.args.defaults)
    return [each.arg for each in named[int(method) : last]]


def _handed(module: Module) -> Iterator[Traced]:
    """Functions and lambdas that are handed to `tf.function(...)`, or to a method of a dataset."""
    for scope in module.scopes:
        for step, call in scope.calls:
            function = isinstance(call.func, ast.Attribute | ast.Name) and module.called(call, scope)
            if function == "tensorflow.function":
                given = argument(call, 0, "func")
            elif isinstance(call.func, ast.Attribute) and call.func.attr in _MAPPING:
                given = argument(call, 0, _MAPPING[call.func.attr])
            else:
                continue
            if given is None or step.guarded or any(map(_may_skip, scope.expressions[step])):
                continue
            node, outer = _function(module, scope, step, given)
            if node is None:
                continue
            if function == "tensorflow.function":
                yield _by_function(module, node, outer, call)
            elif _maps_dataset(module, scope, step, call):
                names = _positional(node, isinstance(given, ast.Attribute))
                yield Traced(module, node, outer, "dataset", frozenset(names))


def _function(module: Module, scope: Scope, step: Step, given: ast.expr) -> tuple[FunctionNode | None, Scope]:
    """The function that an expression certainly is, as it was written; and the scope around it."""
    if isinstance(given, ast.Lambda):
        return given, scope
    found: ast.AST | None = None
    if isinstance(given, ast.Name):
        binding = scope.binding(given.id, step)
        found = binding.made if binding is not None else None
    elif isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) and given.value.id == "self":
        owner = scope.outer
        of_class = owner.bindings.get(given.attr, []) if owner is not None else []
        found = (
            of_class[0].made if len(of_class) == 1 and isinstance(getattr(owner, "node", None), ast.ClassDef) else None
        )
    if not isinstance(found, ast.FunctionDef) or found.decorator_list:
        return None, scope
    return found, module.scope(found).outer or scope


def _maps_dataset(module: Module, scope: Scope, step: Step, call: ast.Call) -> bool:
    """Whether a method belongs to a dataset of TensorFlow: no other library has `num_parallel_calls`."""
    if any(each.arg == "num_parallel_calls" for each in call.keywords):
        return True
    return isinstance(call.func, ast.Attribute) and is_dataset(module, scope, step, call.func.value)


def is_dataset(module: Module, scope: Scope, step: Step, node: ast.expr) -> bool:
    """Whether an expression certainly is a dataset: made by TensorFlow, with methods called on it or not."""
    while True:
        name = module.called(node, scope)
        room, _, last = name.rpartition(".")
        if name:
            return (
                room == "tensorflow.data.Dataset"
                or (room == "tensorflow.data" and last in _READERS)
                or (last == "timeseries_dataset_from_array" and room.startswith("keras"))
                or (last in _DATASETS and room.startswith("keras") and not _in_two(node))
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("as_numpy_iterator", "reduce", "cardinality", "get_single_element"):
                return False
            node = node.func.value
        elif isinstance(node, ast.Name):
            binding = scope.binding(node.id, step)
            if binding is None or binding.value is None:
                return False
            if binding.step not in scope.steps:
                scope = module.scopes[0]
                if binding.step not in scope.steps:
                    return False
            node, step = binding.value, binding.step
        else:
            return False


def _in_two(node: ast.AST) -> bool:
    """Whether it may be asked for two datasets at once."""
    return isinstance(node, ast.Call) and any(each.arg in ("subset", None) for each in node.keywords)
