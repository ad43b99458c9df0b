"""Programs as concrete syntax: where nodes stand, what their text is, and that LibCST sees the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.concrete import statements

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = {
    name: kind for name, kind in vars(cst).items() if isinstance(kind, type) and issubclass(kind, cst.Node)
}  # fmt: skip
PLACED = set(KINDS) - {"ComparisonTarget", "ConcatenatedString", "FormattedStringText", "Module"}
PLACED -= {"AsName", "CompFor", "Else", "FormattedStringExpression", "ImportStar", "Parameters"}
"""Of the others an edit asks for their parts only."""
ODD = '''\
"""A module."""
import os.path as p, sys; from . import *
from .a.b import (c as d, e,)
x = (  # why
    (1) + ((y) * 2),
    *z, "a" f"{(q):>{w}} {{}} {r!r} {s=}" 'b',
)
if (a and b and not (c)): pass
elif a[(1, 2)] or b[1:2, ...]: d = lambda k, *, l=(3): (k) + l ; e = f(  # a ) (
        (g) , h = (i for i in (j) if i), *k, **(m)  # an end )
    ) (n for n in o)
else:
    # about it
    @dec(1)
    async def t(u: "int" = (2), /, *v: int, w=None, **kw) -> (None):
        global x, y
        async with (yield) as z, q(): return (
            a
        )
        for (i), [j] in (k): del i; return (i,)
        x["é"].ü += not "é" .join(é)  # why
        if (w := (1)) is not None < 2: raise (Error) from None
class A(B, (C), m=D): y: int = (1); assert (y), "no"
class E: z = {**a, (b): c, "d": {e}, "f": {g: h for g in i}}; return_ = (), (yield), await_, [(k), *l]
try: ...
except (A, B) as e: e = -1.5
else: x = a if (b) else c
'''


def _theirs(text: str) -> Counter[tuple[object, ...]]:
    libcst = pytest.importorskip("libcst")
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(libcst.parse_module(text), unsafe_skip_copy=True)
    places, found = wrapper.resolve(PositionProvider), Counter[tuple[object, ...]]()

    def walk(node: Any, above: str) -> None:
        kind = type(node).__name__
        if kind in PLACED:
            place = places[node]
            start, end = (place.start.line, place.start.column), (place.end.line, place.end.column)
            parens = getattr(node, "lpar", ())
            parens = len(parens) if isinstance(parens, (list, tuple)) else 0
            found[kind, start, end, parens, above if above in KINDS else ""] += 1
        for child in node.children:
            walk(child, kind)

    walk(wrapper.module, "")
    return found


def _ours(text: str) -> Counter[tuple[object, ...]]:
    found = Counter[tuple[object, ...]]()
    for node in statements.module(text).walk():
        kind, above = type(node).__name__, type(node.parent).__name__
        if kind in PLACED and kind in _known():
            start, end = node.source.place(node.start), node.source.place(node.end)
            found[kind, start, end, getattr(node, "parens", 0), above if above in _known() else ""] += 1
    return found


def _known() -> set[str]:
    return {name for name in KINDS if hasattr(pytest.importorskip("libcst"), name)}


def _nested(found: Counter[tuple[object, ...]]) -> Counter[tuple[object, ...]]:
    """Without what stands in strings beside each other: in LibCST one holds the next."""
    return Counter({each: count for each, count in found.items() if each[-1] != "ConcatenatedString"})


@pytest.mark.parametrize(
    "text",
    [ODD, *(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*/broken.py")))],
)
def test_nodes_stand_where_libcst_has_them(text: str) -> None:
    ours, theirs = _nested(_ours(text)), _nested(_theirs(text))
    assert sorted(map(repr, ours - theirs)) == sorted(map(repr, theirs - ours))


def _first(text: str, kind: type[cst.Node]) -> cst.Node:
    return next(each for each in statements.module(text).walk() if isinstance(each, kind))


def test_the_text_of_an_expression_has_its_parentheses() -> None:
    found = _first("x = ((a + b))\n", cst.BinaryOperation)
    assert isinstance(found, cst.Expression)
    assert (found.text, found.bare, found.parens) == ("((a + b))", "a + b", 2)


@pytest.mark.parametrize("call", ["f((x))", "f(  # ( why\n  (x)  # )\n)", "f((x),)"])
def test_the_parentheses_of_a_call_are_not_those_of_its_argument(call: str) -> None:
    argument = _first(f"{call}\n", cst.Arg)
    assert isinstance(argument, cst.Arg)
    assert (argument.value.text, argument.value.parens) == ("(x)", 1)


def test_further_lines_lose_the_indentation_of_their_block_and_strings_do_not() -> None:
    text = 'def f():\n    return g(\n        1,\n        """\n        a""",\n    )\n'
    assert _first(text, cst.Call).text == 'g(\n    1,\n    """\n        a""",\n)'


def test_a_line_has_the_comments_above_it_and_behind_it() -> None:
    line = _first("if x:\n    # why\n    a = 1; b = 2  # so\n    c = 3\n", cst.SimpleStatementLine)
    assert isinstance(line, cst.SimpleStatementLine)
    assert line.text == "# why\na = 1; b = 2  # so"
    assert line.comment == "  # so"


@pytest.mark.parametrize(
    "text",
    [
        *("{a!r}", "{a:>{b}}", "{a=}", "{a = !s:.3f}", "{ a['b'] }", "{a != b}"),
        *(r"\N{EM DASH}{{{a}", "{f('}')}", "{g(lambda: a)}"),
    ],
)
def test_expressions_in_strings_stand_where_they_are_written(text: str) -> None:
    program = f'é = "é"; x = f"{text}"\n'
    names = [each for each in statements.module(program).walk() if isinstance(each, (cst.Name, cst.Subscript))]
    assert names
    for each in names:
        assert program[each.start : each.end] == each.text
        assert not isinstance(each, cst.Name) or each.text == each.value


def test_parts_of_a_text_are_replaced() -> None:
    call = _first("f((a), b=(c)(d))\n", cst.Call)
    names = [each for each in call.walk() if isinstance(each, cst.Name) and each.value in "acd"]
    assert call.rewritten([(each, each.value.upper()) for each in names]) == "f(A, b=C(D))"
