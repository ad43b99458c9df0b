"""Whatever Python a file holds, no probe fails on it."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorwhy.pipeline.checking import check

_PROGRAMS = Path(__file__).parent / "programs"
_ODD = (
    """
match x:
    case {"a": tape, **rest} if (tape := rest):
        pass
    case [tf, *keras] | Point(tf, x=keras):
        pass
""",
    """
async def f(tf, /, *tape, keras=lambda *a, **k: (yield), **model):
    async with tf.GradientTape() as (tape, [*x]), tape:
        async for x[tape], y.model in await tape:
            return [i async for i in x if await i]
    del x, (y, [z]), z[0]
    global tape
""",
    """
try:
    tape = yield from x
except* (ValueError, tf.errors) as tape:
    print(f"{tape!r:>{x}}", *tape, **x, end=...)
""",
    """
x: tf.Tensor
(x.y): int = y = z[1:2, ..., *a] if not x else -y ** +~z
@(lambda f: f)
class Model(*bases, metaclass=tf, **kwargs):
    x = x
    def __init__(): (super().__init__)(*self)
    def call(self, /, *, x=1): super().__init__
""",
    """
tf.GradientTape()().gradient()()[0](*tape.gradient(*x, **y), target=tape, sources=tape)
tf.function(*x)(**x), tf.function()(), tf.map_fn(), keras.Model(*x, **y)(), keras.Input()[0], tf.while_loop()
keras.Input(shape=(None,))(keras.Input(()))(*x), x.map(), x.map(*y), x.map(lambda: 0), x.fit(), x.compile(**y)
with tf.GradientTape(*x, persistent=x) as tape.x, (tape): tape.gradient(); tape.gradient(x); tape.watch()
assert (x, y), (z for z in {**x, 1: 2} for y in {*x})
""",
    """
from . import *
from .. import tf as x
import a.b.c, tensorflow.keras as tf, keras
while x: break
else: x = 0
type x[T] = list[T]
""",
    "def f[T](x: T) -> T: return f[T](x)",
)


@functools.cache
def _texts() -> tuple[str, ...]:
    return tuple(path.read_text() for path in sorted(_PROGRAMS.glob("*.py")))


@functools.cache
def _parts(kind: type[ast.AST]) -> list[ast.AST]:
    """All expressions, or all statements, of the programs; odd ones are a quarter of them."""
    common = [node for text in _texts() for node in ast.walk(ast.parse(text)) if isinstance(node, kind)]
    odd: list[ast.AST] = []
    for text in _ODD:
        with contextlib.suppress(SyntaxError):  # this Python is too old for it
            odd += [node for node in ast.walk(ast.parse(text)) if isinstance(node, kind)]
    return [*common, *odd * (len(common) // len(odd) // 3)]


class _Spliced(ast.NodeTransformer):
    """Puts other nodes in the place of some: by the number of the node, the number of the other."""

    def __init__(self, chosen: dict[int, int]) -> None:
        self.chosen = chosen
        self.at = 0

    def visit(self, node: ast.AST) -> ast.AST:
        self.at += 1
        if self.at in self.chosen and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for kind in (ast.expr, ast.stmt):
                if isinstance(node, kind):
                    return copy.deepcopy(_parts(kind)[self.chosen[self.at] % len(_parts(kind))])
        return self.generic_visit(node)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("spliced")
    return (folder / f"{number}.py" for number in itertools.count())


@given(st.integers(0, 99), st.dictionaries(st.integers(1, 2500), st.integers(0, 10**6), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_no_probe_fails_on_programs_that_are_put_together_from_parts_of_others(
    files: Iterator[Path], program: int, chosen: dict[int, int]
):
    tree = ast.parse(_texts()[program % len(_texts())])
    file = next(files)
    try:
        file.write_text(ast.unparse(_Spliced(chosen).visit(tree)))
        ast.parse(file.read_text())
    except (SyntaxError, ValueError):  # a starred expression where none may stand
        return
    report = check([str(file)], str(file))
    assert report.coverage.unobserved == ()
