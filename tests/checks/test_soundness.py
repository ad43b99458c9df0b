"""What a scope says of its names and of the order of its statements, beside what programs do when they run."""

from __future__ import annotations

import ast
import contextlib
import random
import textwrap
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tensorwhy.checks.text.modules import Module
from tensorwhy.source.files import Sources
from tensorwhy.source.scopes import Binding, Scope, Step

_RUNS = 8
"""Executions of one program, each of which takes other branches and other turns of its loops."""
_TICKS = 300
"""Events after which a run is given up: loops in loops may be long."""


class _Value(int):
    """Says which binding made it: `x += made(3)` gives the name what line 3 made, as an assignment does."""

    def __iadd__(self, other: _Value) -> _Value:
        return other


class _Known(Exception):
    """What programs raise and catch."""


class _Ended(BaseException):
    """The run has been long enough."""


class _Run:
    """The functions that programs call, and what they saw: `(what, number, value)`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seen: list[tuple[str, int, int]] = []

    def _see(self, what: str, number: int, value: object = 0) -> None:
        if len(self.seen) > _TICKS:
            raise _Ended
        self.seen.append((what, number, int(value) if isinstance(value, _Value) else -1))

    def made(self, number: int, *_: object) -> _Value:
        self._see("step", number)
        return _Value(number)

    def use(self, number: int, value: object) -> bool:
        self._see("step", number)
        self._see("use", number, value)
        return True

    def chance(self, *_: object) -> bool:
        return self.random.random() < 0.5

    def turn(self, number: int, *_: object) -> bool:
        if self.chance():
            self._see("turn", number)
            return True
        return False

    def turns(self, number: int, *_: object) -> Iterator[_Value]:
        while self.turn(number):
            yield _Value(number)

    def fail(self) -> None:
        if self.chance():
            raise _Known

    @contextlib.contextmanager
    def manager(self, number: int, *_: object) -> Iterator[_Value]:
        yield _Value(number)

    def suppress(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.suppress(_Known)

    def decorated(self, number: int) -> Any:
        return lambda function: _Value(number)

    def go(self, text: str) -> None:
        names = ("made", "use", "chance", "turn", "turns", "fail", "manager", "suppress", "decorated")
        given = {name: getattr(self, name) for name in names} | {"Known": _Known}
        with contextlib.suppress(Exception, _Ended):
            exec(compile(text, "program", "exec"), given)  # of names that these tests wrote


_NAME = st.sampled_from("xy")
_SIMPLE = (
    "{n} = made(#)",
    "{n} = made(#, {m})",
    "{n}, {m} = made(#), made(#)",
    "{n} += made(#)",
    "{n}: int = made(#)",
    "use(#, {n})",
    "use(#, {n})",
    "use(#, {n})",
    "use(#, ({n} := made(#)) and {n})",
    "chance() and ({n} := made(#))",
    "[use(#, {n}) for _ in turns(#)]",
    "[use(#, {n}) for {n} in turns(#)]",
    "[({n} := made(#)) for _ in turns(#)]",
    "later = (use(#, {n}) for _ in turns(#))",
    "list(later)",
    "fail()",
    "del {n}",
    "pass",
)
_ENDS = ("if chance(): break", "if chance(): continue", "break", "continue")
_COMPOUND = (
    "if chance():\n{a}",
    "if chance():\n{a}\nelse:\n{b}",
    "if use(#, {n}) and chance():\n{a}\nelif ({m} := made(#)) and chance():\n{b}",
    "for {n} in turns(#):\n{a}",
    "for {n} in turns(#, use(#, {m})):\n{a}\nelse:\n{b}",
    "while turn(#):\n{a}",
    "while turn(#, use(#, {n})):\n{a}\nelse:\n{b}",
    "while turn(#, {n} := made(#)):\n{a}",
    "with manager(#) as {n}:\n{a}",
    "with manager(#) as {n}, manager(#, use(#, {m})) as {m}:\n{a}",
    "with suppress():\n{a}",
    "try:\n{a}\nexcept Known:\n{b}",
    "try:\n{a}\nexcept (Known, NameError) as {n}:\n{b}",
    "try:\n{a}\nexcept Known:\n{b}\nelse:\n{c}\nfinally:\n{d}",
    "try:\n{a}\nfinally:\n{b}",
    "def f(given=use(#, {n})):\n{a}",
    "def f({n}=made(#)):\n{a}",
    "def f():\n    global {n}\n{a}",
    "@decorated(#)\ndef {n}():\n{a}",
    "turn(#) and f()",
    "class C:\n{a}",
    "match made(#):\n    case {n} if chance():\n{A}\n    case {m}:\n{B}",
    "match chance():\n    case True:\n{A}",
)


@st.composite
def _block(draw: st.DrawFn, depth: int, loop: bool = False) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        compound = depth > 0 and draw(st.integers(0, 2)) == 0
        piece = draw(st.sampled_from(_COMPOUND if compound else (*_SIMPLE, *_ENDS) if loop else _SIMPLE))
        inside = piece.startswith(("for", "while")) or (loop and not piece.startswith(("def", "class", "@")))
        parts = {
            letter: textwrap.indent(draw(_block(depth - 1, inside)), "    " if letter.islower() else " " * 8)
            for letter in "abcdAB"
            if f"{{{letter}}}" in piece
        }
        lines.append(piece.format(n=draw(_NAME), m=draw(_NAME), **parts))
    return "\n".join(lines)


@st.composite
def _programs(draw: st.DrawFn) -> str:
    """A program, with a number of its own for each call that is marked."""
    text = draw(_block(3))
    if draw(st.booleans()):
        text = f"x = made(#)\ny = made(#)\n{text}\nuse(#, x)"
    if draw(st.booleans()):
        text = f"def main():\n{textwrap.indent(text, '    ')}\nmain()"
    pieces = text.split("#")
    return "".join(f"{piece}{at}" for at, piece in enumerate(pieces[:-1])) + pieces[-1]


def _compiled(text: str) -> ast.Module | None:
    try:
        compile(text, "program", "exec")
    except SyntaxError:  # a `global` behind its name, a `break` in the `else` of a loop
        return None
    return ast.parse(text)


def _number(node: ast.AST) -> int:
    """The first number in a node, which is that of its outermost call."""
    return next(each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and type(each.value) is int)


def _source(binding: Binding) -> int:
    """The number of the call that gives a name what a binding says; that of an exception is -1."""
    made, statement = binding.made, binding.step.statement
    if binding.value is not None:
        return _number(binding.value)
    match made:
        case ast.NamedExpr() | ast.AugAssign():
            return _number(made.value)
        case ast.For():
            return _number(made.iter)
        case ast.withitem():
            return _number(made.context_expr)
        case ast.FunctionDef():
            return _number(made.decorator_list[0])
        case ast.ExceptHandler():
            return -1
    return _number(statement.subject) if isinstance(statement, ast.Match) else -2


def _marked(scopes: list[Scope], name: str) -> Iterator[tuple[int, Scope, Step, ast.Call]]:
    """The calls of one of the functions, with their numbers."""
    for scope in scopes:
        for step, call in scope.calls:
            if isinstance(call.func, ast.Name) and call.func.id == name:
                yield _number(call), scope, step, call


def _runs(text: str) -> list[list[tuple[str, int, int]]]:
    runs = [_Run(seed) for seed in range(_RUNS)]
    for run in runs:
        run.go(text)
    return [run.seen for run in runs]


@given(_programs())
@settings(max_examples=250, deadline=None)
def test_a_binding_that_is_named_is_the_one_that_every_execution_reads(text: str):
    tree = _compiled(text)
    if tree is None:
        return
    named = {}
    for number, scope, step, call in _marked(Module("program", tree, Sources()).scopes, "use"):
        names = [node for node in ast.walk(call) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        (read,) = [node.id for node in names if node.id in "xy"]
        binding = scope.binding(read, step)
        if binding is not None:
            named[number] = _source(binding)
    for seen in _runs(text):
        for what, number, value in seen:
            if what == "use" and number in named:
                assert value == named[number], (number, text)


@given(_programs())
@settings(max_examples=250, deadline=None)
def test_what_is_said_to_run_before_has_run_in_every_execution(text: str):
    tree = _compiled(text)
    if tree is None:
        return
    module = Module("program", tree, Sources())
    whole = [scope for scope in module.scopes if getattr(scope.node, "name", "main") == "main"]
    plain = {
        number: step
        for name in ("use", "made")
        for number, _, step, call in _marked(whole, name)
        if isinstance(step.statement, (ast.Expr, ast.Assign)) and step.statement.value is call
    }
    before = {
        (first, then): _common(plain[first], plain[then])
        for first in plain
        for then in plain
        if plain[first].always_before(plain[then])
    }
    for seen in _runs(text):
        for at, (what, number, _) in enumerate(seen):
            for (first, then), turn in before.items() if what == "step" else ():
                if then == number:
                    begun = max((i for i in range(at) if seen[i][:2] == ("turn", turn)), default=0)
                    assert ("step", first, 0) in [(*each[:2], 0) for each in seen[begun:at]], (first, then, text)


def _common(first: Step, then: Step) -> int:
    """The number of the innermost loop around both; -1 where there is none."""
    both = [loop for loop in first.loops if loop in then.loops]
    return -1 if not both else _number(both[-1].iter if isinstance(both[-1], ast.For) else both[-1].test)
