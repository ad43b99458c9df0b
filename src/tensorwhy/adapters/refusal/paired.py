"""Two operands that a loop paired by position: `for one, other in zip(first, second)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from tensorwhy.adapters.refusal import values
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.model.facts.refusal import RefusedObject
from tensorwhy.model.location import Marked
from tensorwhy.source import reading

_Loop = ast.For | ast.comprehension


def told(fact: RefusedObject | None, context: Context) -> RefusedObject | None:
    """The fact with the `zip` that gave two of the operands, and the lengths of what it pairs, where these differ."""
    own = context.stack.own
    if fact is None or own is None or own.location is None or not fact.others:
        return fact
    names = {each.text for each in (fact.thing, *fact.others)}
    for loop in _loops(fact, context):
        bound = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
        if len(bound & names) < 2 or not isinstance(loop.iter, ast.Call) or reading.callee(loop.iter) != "zip":
            continue
        paired = " and ".join(f"`{ast.unparse(each)}`" for each in loop.iter.args)
        held = [values.value(each, own.frame) for each in loop.iter.args]
        sizes = [len(each) for each in held if isinstance(each, (list, tuple))]
        lengths = (
            f" ({' and '.join(map(str, sizes))} elements)" if len({*sizes}) > 1 and len(sizes) == len(held) else ""
        )
        at = reading.place(loop.iter, fact.used, context.sources)
        said = f"{paired} are paired by position here{lengths}"
        return msgspec.structs.replace(fact, marks=(*fact.marks, Marked.at(at, said, "paired")))
    return fact


def _loops(fact: RefusedObject, context: Context) -> Iterator[_Loop]:
    """The loops and comprehensions around the line that failed."""
    scope = context.sources.function(fact.used, lambdas=False) or context.sources.tree(fact.used.file)
    for node in ast.walk(scope) if scope is not None else ():
        inside = isinstance(node, (ast.For, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp))
        if not inside or not reading.on_line(node, fact.used.line):  # type: ignore[arg-type]
            continue
        yield from (node,) if isinstance(node, ast.For) else node.generators  # type: ignore[attr-defined]
