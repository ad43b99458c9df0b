"""A tensor that a loop of the graph makes longer in each turn, by `tf.concat`, where its shape must stay as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.text.calls import argument
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Binding, Step
from tensorwhy.checks.tracing.functions import WORDS, traced
from tensorwhy.checks.tracing.traced import Traced
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.loops import LoopShapeChange, Shape
from tensorwhy.model.report import Symptom

READS = WORDS


def find(module: Module) -> Iterator[CaseGroup]:
    """`x = tf.concat([x, more], axis)` where the number of dimensions of `x` and its size are written out before."""
    for one in traced(module):
        if any(isinstance(each, ast.Attribute) and each.attr == "set_loop_options" for each in ast.walk(one.node)):
            continue
        for name, every in one.scope.bindings.items():
            for grown in every:
                found = _grows(one, name, every, grown)
                if found is None:
                    continue
                loop, begun, entry, axis = found
                exit_ = tuple(None if at == axis else size for at, size in enumerate(entry))
                place = module.place(grown.step.statement)
                fact = LoopShapeChange(
                    construct="while" if isinstance(loop.statement, ast.While) else "for",
                    statement=module.place(loop.statement),
                    variable=name,
                    entry=entry,
                    exit=exit_,
                    before=module.place(begun.step.statement),
                    changed=place,
                    declaration=f"tf.autograph.experimental.set_loop_options(shape_invariants=["
                    f"({name}, tf.TensorShape({list(exit_)}))])",
                )
                yield CaseGroup(symptom=Symptom(kind="exception", location=place), facts=(fact,))


def _grows(
    one: Traced, name: str, every: list[Binding], grown: Binding
) -> tuple[Step, Binding, tuple[int | None, ...], int] | None:
    """The loop, what the name was given before it, the shape of that, and the axis along which the loop goes on."""
    loop = grown.step.around[-1] if grown.step.around else None
    call = grown.value
    if loop is None or not isinstance(call, ast.Call) or not one.loops_in_graph(loop) or loop.loops:
        return None
    if one.module.called(call, one.scope) != "tensorflow.concat" or name in one.scope.shared:
        return None
    parts, axis = argument(call, 0, "values"), _number(argument(call, 1, "axis"))
    joined = parts.elts if isinstance(parts, (ast.List, ast.Tuple)) else []
    if len(joined) < 2 or not any(isinstance(each, ast.Name) and each.id == name for each in joined) or axis is None:
        return None
    if sum(each.step.inside(loop.statement) for each in every) != 1:
        return None
    before = [each for each in every if each.step.order < loop.order]
    if not before or not before[-1].step.always_before(loop):
        return None
    entry = _shape(one, before[-1].value)
    if not entry or not -len(entry) <= axis < len(entry):
        return None
    return loop, before[-1], entry, axis % len(entry)


def _shape(one: Traced, value: ast.expr | None) -> Shape | None:
    """The shape of what `tf.zeros([0, 3])`, `tf.ones((2,))` and `tf.constant([])` give, as far as it is written out."""
    name = one.module.called(value, one.scope)
    first = argument(value, 0, "shape", "value") if isinstance(value, ast.Call) else None
    if name == "tensorflow.constant":
        empty = isinstance(first, (ast.List, ast.Tuple)) and not first.elts
        return (0,) if empty and argument(value, 2, "shape") is None else None  # type: ignore[arg-type]
    if name not in ("tensorflow.zeros", "tensorflow.ones") or not isinstance(first, (ast.List, ast.Tuple)):
        return None
    if any(isinstance(each, ast.Starred) for each in first.elts):
        return None
    return tuple(_number(each) for each in first.elts)


def _number(node: ast.expr | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _number(node.operand)
        return None if number is None else -number
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
