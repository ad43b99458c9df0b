"""Whether a program visibly expects a None among its gradients: follows the answer to where it is filtered or replaced.

The answer is followed by names in the source: through assignments and loops of a function, to the attributes that keep
it, into functions of the same file that get it as an argument, and out to the callers that a function returns it to.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from typing import TypeVar

from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.source import reading
from tensorwhy.source.answers.calls import call_at, calls_at, once
from tensorwhy.source.answers.carriers import Carriers, Scope, bound_by, name_of, scope_of
from tensorwhy.source.answers.ignored import ignored
from tensorwhy.source.files import Sources, walked

_Block = TypeVar("_Block", ast.Try, ast.With)
_Node = TypeVar("_Node", bound=ast.AST)
_TESTING = (
    *(ast.comprehension, ast.If, ast.IfExp, ast.Try, ast.With),
    *(ast.Assert, ast.BoolOp, ast.Call),
)
"""What can do something about a None."""
_MOST_SCOPES = 12
_TENSORS = {"Tensor", "EagerTensor", "NoneType"}
_NUMBERS = ("float", "int", "str", "bool")


@once
def handles_none(sources: Sources, question: GradientQuestion) -> bool:
    """Whether a None is filtered, replaced or asserted where the answers of this question arrive.

    A comparison that only reports (inside a call of `print`, or summed up) is no handling. Nor is leaving out the Nones
    when that is all there is: then nothing is trained.
    """
    nothing_left = question.asked == len(question.sources) > 1 and all(each.trainable for each in question.sources)
    positions = frozenset(each.position for each in question.sources)
    follower = _Follower(sources, skipping=not nothing_left, positions=positions, asked=question.asked)
    return question.location is not None and follower.arrives((question.location, *question.callers))


@once
def wants_none(sources: Sources, question: GradientQuestion) -> bool:
    """Return whether the program expects the None: asserts it, ignores it, or only asks whether there is one.

    Filtering or replacing a None says nothing of the kind: people do that to silence an error.
    """
    positions = frozenset(each.position for each in question.sources)
    follower = _Follower(sources, skipping=True, test=_asserts_none, positions=positions, asked=question.asked)
    return question.location is not None and follower.arrives((question.location, *question.callers))


def catches(sources: Sources, question: GradientQuestion) -> bool:
    """Whether the call, or a caller of it, stands in a `try` whose handlers let the program go on."""
    return any(
        node.handlers and not any(_raises(handler) for handler in node.handlers)
        for place in (question.location, *question.callers)
        if place is not None
        for node in _around(sources, place, ast.Try)
    )


def wants_refusal(sources: Sources, question: GradientQuestion) -> bool:
    """Whether an exception is asked for: where the call or a caller of it stands, or where the answer arrives.

    That is in a `with` of `assertRaises`, or below an `assertRaises(error, function)`.
    """
    places = [place for place in (question.location, *question.callers) if place is not None]
    withs = (node for place in places for node in _around(sources, place, ast.With))
    calls = (call_at(sources, place) for place in places[1:])
    if any(map(_expects_to_raise, withs)) or any(call is not None and _raises_if_wanted(call) for call in calls):
        return True

    def is_wanted(node: ast.AST, carriers: Carriers) -> bool:
        return isinstance(node, ast.With) and _expects_to_raise(node) and any(map(carriers.within, node.body))

    return bool(places) and _Follower(sources, skipping=True, test=is_wanted).arrives(tuple(places))


def tried(sources: Sources, file: str, name: str) -> bool:
    """Whether a file uses this name where a failure of that is caught or asked for, and the program goes on."""
    tree, used = sources.tree(file), Carriers(None, {name})
    return tree is not None and any(
        _expects_a_refusal(node, used)
        if isinstance(node, ast.Try)
        else (_expects_to_raise(node) or _swallows(node, tree)) and any(map(used.within, node.body))
        for node in walked(tree)
        if isinstance(node, (ast.Try, ast.With))
    )


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def _around(sources: Sources, place: Location, kind: type[_Block]) -> Iterator[_Block]:
    """The statements of this kind that have this place in their body."""
    tree = sources.tree(place.file)
    for node in walked(tree) if tree is not None else ():
        if isinstance(node, kind) and any(reading.on_line(each, place.line) for each in node.body):
            yield node


@functools.lru_cache(maxsize=256)
def _of_kind(scope: ast.AST, kinds: tuple[type[_Node], ...]) -> tuple[_Node, ...]:
    return tuple(node for node in walked(scope) if isinstance(node, kinds))


class _Follower:
    """Walks scopes; each is looked at once for what carries the answer there.

    `skipping`: leaving a None out counts. `test` tells of a node of the source whether it handles what is carried.
    `positions`: which elements of the answer are None, of as many as were `asked` for.
    """

    def __init__(
        self,
        sources: Sources,
        skipping: bool,
        test: Callable[[ast.AST, Carriers], bool] | None = None,
        positions: frozenset[int] = frozenset(),
        asked: int = 0,
    ) -> None:
        self._sources = sources
        self._skipping = skipping
        self._test = test or _tests
        self._positions, self._asked = positions, asked
        self._seen: set[tuple[int, frozenset[str]]] = set()

    def arrives(self, places: tuple[Location, ...]) -> bool:
        """Whether the value of the call at the first place is handled there, or further out."""
        tree = self._sources.tree(places[0].file) if places else None
        if tree is None:
            return False
        for call in calls_at(self._sources, places[0]):
            if self._positions and ignored(call, tree, self._positions, self._asked):
                return True
            if self._handled(tree, scope_of(call, tree), Carriers(call, set()), places[1:]):
                return True
        return False

    def _handled(self, tree: ast.Module, scope: Scope, carriers: Carriers, callers: tuple[Location, ...]) -> bool:
        carriers.spread(scope)
        key = (id(scope), frozenset(carriers.names))
        if key in self._seen or len(self._seen) >= _MOST_SCOPES:
            return False
        self._seen.add(key)
        refused = _refused(scope)
        if any(
            self._test(node, carriers) and (self._skipping or not _skips(node)) and id(node) not in refused
            for node in _of_kind(scope, _TESTING)
        ):
            return True
        if _asks_for_nothing_else(scope, carriers, scope is tree):
            return True
        for function, names in _passed_to(scope, tree, carriers):
            if self._handled(tree, function, Carriers(None, names), ()):
                return True
        kept = {name for name in carriers.names if name.startswith(".")}
        if kept and scope is not tree and self._handled(tree, tree, Carriers(None, kept), ()):
            return True
        returned = [scope.body] if isinstance(scope, ast.Lambda) else []
        returned += [node.value for node in _of_kind(scope, (ast.Return,)) if node.value is not None]
        return scope is not tree and any(carriers.within(each) for each in returned) and self.arrives(callers)


def _tests(node: ast.AST, carriers: Carriers) -> bool:
    """Whether this node does something about a None that the answer holds."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.comprehension):
        tests = node.ifs
    elif isinstance(node, ast.If):
        tests = [] if _raises_in(node.body) else [node.test]
    elif isinstance(node, ast.IfExp) and not _reports(node):
        tests = [node.test]
    elif isinstance(node, (ast.Try, ast.With)):
        return _expects_a_refusal(node, carriers)
    elif _asserts_none(node, carriers):
        return True
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return carriers.is_answer(node.values[0])
    elif isinstance(node, ast.Call) and name_of(node.func) == "filter" and isinstance(node.args[0], ast.Lambda):
        parameters = Carriers(None, {argument.arg for argument in node.args[0].args.args})
        return carriers.within(node.args[-1]) and _compares(node.args[0].body, parameters)
    return any(_compares(test, carriers) for test in tests)


def _asserts_none(node: ast.AST, carriers: Carriers) -> bool:
    """Return whether this node fails unless the answer holds a None."""
    if isinstance(node, ast.Assert):
        return _demands_none(node.test, carriers)
    asserts = isinstance(node, ast.Call) and name_of(node.func).lstrip(".").startswith("assert")
    return asserts and isinstance(node, ast.Call) and _checks_for_none(node, carriers)


def _asks_for_nothing_else(scope: Scope, carriers: Carriers, script: bool) -> bool:
    """Whether a gradient is asked for to know if there is one, and for nothing else.

    A function says so: `return tape.gradient(y, x) is not None`; or the answer itself is compared, and not to be shown.
    """
    shown = _shown(scope)
    compared = [node for node in _of_kind(scope, (ast.Compare,)) if id(node) not in shown]
    returned = [node.value for node in _of_kind(scope, (ast.Return,)) if isinstance(node.value, ast.Compare)]
    return (
        not script and carriers.asks() and any(_compares(each, carriers) for each in returned if each is not None)
    ) or any(carriers.is_call(node.left) and _has_none(node.comparators[0]) for node in compared)


@functools.lru_cache(maxsize=64)
def _shown(scope: Scope) -> frozenset[int]:
    """What is printed, asserted, or raised at."""
    return frozenset(
        id(inner)
        for node in walked(scope)
        if (isinstance(node, ast.Call) and name_of(node.func) == "print")
        or isinstance(node, ast.Assert)
        or (isinstance(node, ast.If) and _raises_in(node.body))
        for inner in ast.walk(node.test if isinstance(node, ast.If) else node)
    )


def _demands_none(test: ast.expr, carriers: Carriers, wanted: bool = True) -> bool:
    """Whether a condition holds only if the answer, or a part of it, is None; with `wanted` false, its opposite."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _demands_none(test.operand, carriers, not wanted)
    if isinstance(test, ast.BoolOp):
        return any(_demands_none(each, carriers, wanted) for each in test.values)
    if isinstance(test, ast.Call) and name_of(test.func) in ("all", "any"):
        return any(_demands_none(each, carriers, wanted) for each in test.args)
    if isinstance(test, (ast.GeneratorExp, ast.ListComp)):
        inside = Carriers(None, {name for each in test.generators for name in bound_by(each.target)})
        return any(carriers.within(each.iter) for each in test.generators) and _demands_none(test.elt, inside, wanted)
    if not isinstance(test, ast.Compare):
        return False
    equal = isinstance(test.ops[0], (ast.Is, ast.Eq, ast.In))
    sides = (test.left, *test.comparators)
    told = any(_compares(each, carriers) or carriers.is_answer(each) for each in sides)
    named = any(map(_tells_apart, sides)) if told else any(map(_has_none, sides))
    return equal is wanted and any(map(carriers.within, sides)) and (named or any(map(_has_none, sides)))


def _tells_apart(node: ast.expr) -> bool:
    """Whether a literal says of several answers that they are not alike: `[True, False]`."""
    values = node.values if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    known = {each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, (bool, str))}
    return len(known) > 1 and len(values) == sum(isinstance(each, ast.Constant) for each in values)


def _checks_for_none(node: ast.Call, carriers: Carriers) -> bool:
    """Whether an assertion of a test framework wants a None: `assertIsNone(g)`, `assertEqual(g, [None])`."""
    name = name_of(node.func).lstrip(".").lower()
    if name in ("asserttrue", "assertfalse"):
        return any(_demands_none(each, carriers, name == "asserttrue") for each in node.args[:1])
    wants = name == "assertisnone" or ("not" not in name and any(map(_has_none, node.args)))
    return wants and any(map(carriers.within, node.args))


def _has_none(node: ast.expr) -> bool:
    """Whether a literal is None, or a list or tuple with a None in it."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(map(_has_none, node.elts))
    return isinstance(node, ast.Constant) and node.value is None


def _expects_to_raise(node: ast.With) -> bool:
    """Whether a `with` fails unless an exception leaves it: `assertRaises(...)`, `pytest.raises(...)`."""
    return any(isinstance(item.context_expr, ast.Call) and _raises_if_wanted(item.context_expr) for item in node.items)


def _raises_if_wanted(call: ast.Call) -> bool:
    return "raises" in name_of(call.func).lower()


def _swallows(node: ast.With, tree: ast.Module) -> bool:
    """Whether a context manager of this file (a generator) catches what is raised in the body of a `with`."""
    called = {name_of(item.context_expr.func) for item in node.items if isinstance(item.context_expr, ast.Call)}
    return any(
        isinstance(inner, ast.Try)
        and _goes_on(inner)
        and any(isinstance(each, ast.Yield) for part in inner.body for each in ast.walk(part))
        for function in walked(tree)
        if isinstance(function, ast.FunctionDef) and function.name in called
        for inner in ast.walk(function)
    )


def _expects_a_refusal(node: ast.Try | ast.With, carriers: Carriers) -> bool:
    """Whether the program goes on when what is done with the answer fails: the `try` is around that, not around all."""
    return (
        _goes_on(node)
        and any(carriers.within(each) for each in node.body)
        and not any(carriers.made_in(each) for each in node.body)
    )


def _goes_on(node: ast.Try | ast.With) -> bool:
    """Whether the program goes on after a failure in this block."""
    if isinstance(node, ast.Try):
        return bool(node.handlers) and not any(_raises(handler) for handler in node.handlers)
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    return any(name_of(call.func).lstrip(".") == "suppress" for call in calls)


@functools.lru_cache(maxsize=64)
def _refused(scope: Scope) -> set[int]:
    """The tests for a None that fill a list, where the program raises if that is not empty: `assert not missing`."""
    nodes = walked(scope)
    demands = [node.test for node in nodes if isinstance(node, ast.Assert)]
    demands += [node.test for node in nodes if isinstance(node, ast.If) and _raises_in(node.body)]
    names = {each.id for test in demands for each in ast.walk(test) if isinstance(each, ast.Name)}
    lists: list[ast.AST] = [*demands]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and any(name_of(target) in names for target in node.targets):
            lists.append(node.value)
        elif isinstance(node, ast.If) and not node.orelse and all(_appends(each, names) for each in node.body):
            found.add(id(node))
    held = (each for whole in lists for each in ast.walk(whole))
    return found | {
        id(each) for each in held if isinstance(each, ast.comprehension) and any(map(_finds_none, each.ifs))
    }


def _raises_in(body: list[ast.stmt]) -> bool:
    return any(isinstance(each, ast.Raise) for each in body)


def _appends(statement: ast.stmt, names: set[str]) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    return call.func.attr in ("append", "add") and name_of(call.func.value) in names


def _finds_none(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.Eq)) and _has_none(test.comparators[0])
    )


def _skips(node: ast.AST) -> bool:
    """Whether what was tested is left out, and nothing put in its place."""
    if isinstance(node, ast.If):
        return not any(isinstance(each, (ast.Assign, ast.AugAssign)) for each in node.body) and not node.orelse
    if isinstance(node, ast.Try):
        inside = [each for handler in node.handlers for each in ast.walk(handler)]
        return not any(isinstance(each, (ast.Assign, ast.AugAssign)) for each in inside)
    return isinstance(node, ast.comprehension) or (isinstance(node, ast.Call) and name_of(node.func) == "filter")


def _reports(node: ast.IfExp) -> bool:
    """Whether a choice only reports: `"none" if g is None else g.shape`, `1 if g is None else 0`."""
    if not isinstance(node.body, ast.Constant):
        return False
    other = node.orelse
    if isinstance(node.body.value, (int, float)) and not isinstance(node.body.value, bool):
        return isinstance(other, ast.Constant)
    shows = isinstance(other, ast.Call) and (name_of(other.func) in _NUMBERS or name_of(other.func) == ".numpy")
    return node.body.value is not None or shows or not isinstance(other, ast.Call)


def _compares(test: ast.AST, carriers: Carriers) -> bool:
    return any(
        isinstance(each, ast.Compare)
        and carriers.within(each.left)
        and any(isinstance(other, ast.Constant) and other.value is None for other in each.comparators)
        for each in ast.walk(test)
    ) or any(
        isinstance(each, ast.Call) and bool(each.args) and carriers.is_answer(each.args[0]) and _tells_none(each)
        for each in ast.walk(test)
    )


def _tells_none(call: ast.Call) -> bool:
    """Whether a test of a type tells a tensor from None: not one of a kind of tensor from another."""
    name = name_of(call.func).lstrip(".")
    kinds = {name_of(each).lstrip(".") for other in call.args[1:] for each in ast.walk(other)}
    nothing = any(isinstance(each, ast.Constant) and each.value is None for each in ast.walk(call))
    return name == "is_tensor" or (name == "isinstance" and (nothing or bool(kinds & _TENSORS)))


def _passed_to(scope: Scope, tree: ast.Module, carriers: Carriers) -> Iterator[tuple[Scope, set[str]]]:
    """Functions of this file that get the answer as an argument, and the parameters that it comes in by."""
    functions = {each.name: each for each in _of_kind(tree, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for node in _of_kind(scope, (ast.Call,)):
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not any(carriers.within(each) for each in given):
            continue
        for each in node.args:
            if isinstance(each, ast.Lambda):
                yield each, {argument.arg for argument in each.args.args}
        name = name_of(node.func)
        function = functions.get(name.lstrip("."))
        for at, each in enumerate(node.args):
            inner = functions.get(name_of(each).lstrip("."))
            if inner is not None and not carriers.within(each):  # `map(or_zero, gradients, variables)`
                given_to = inner.args.args[1:] if name_of(each).startswith(".") else inner.args.args
                after = [i for i, other in enumerate(node.args[at + 1 :]) if carriers.within(other)]
                yield inner, {given_to[i].arg for i in after if i < len(given_to)}
        function = function or _called_object(name, tree)
        if function is not None:
            own = [argument.arg for argument in function.args.args]
            bound = name.startswith(".") or function.name == "__call__"
            own = own[1:] if bound and own[:1] in (["self"], ["cls"]) else own
            names = {own[i] for i, each in enumerate(node.args[: len(own)]) if carriers.within(each)}
            names |= {k.arg for k in node.keywords if k.arg is not None and carriers.within(k.value)}
            yield function, names


def _called_object(name: str, tree: ast.Module) -> ast.FunctionDef | None:
    """The `__call__` of the class of this file that a name or attribute was given an object of."""
    pairs = [
        pair
        for node in walked(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        for pair in (
            zip(target.elts, node.value.elts)
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            else [(target, node.value)]
        )
    ]
    made = {
        name_of(value.func).lstrip(".")
        for target, value in pairs
        if isinstance(value, ast.Call) and name_of(target) == name
    }
    classes = [node for node in walked(tree) if isinstance(node, ast.ClassDef) and node.name in made]
    methods = [node for each in classes for node in each.body if isinstance(node, ast.FunctionDef)]
    return next((node for node in methods if node.name == "__call__"), None) if len(classes) == 1 else None
