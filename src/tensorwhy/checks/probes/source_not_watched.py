"""A source that no tape can know of: a plain tensor, an array, or something that is no floating point number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.modules import Module
from tensorwhy.checks.operations import dtype_of, plain_tensor
from tensorwhy.checks.scopes import Binding
from tensorwhy.checks.tapes import Asked, asked, none, question
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.question import Source

READS = ("GradientTape",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Sources that are names whose one binding says what they are."""
    for one in asked(module):
        for position, each in enumerate(one.sources or ()):
            binding = one.scope.binding(each.id, one.step) if isinstance(each, ast.Name) else None
            if binding is None or binding.value is None or not isinstance(each, ast.Name):
                continue
            facts = tuple(_breaks(module, one, each.id, binding, binding.value, position))
            if facts:
                yield CaseGroup(symptom=none(module, one), facts=facts, asked=True)


def _breaks(
    module: Module, one: Asked, name: str, binding: Binding, value: ast.expr, position: int
) -> Iterator[GradientBreak]:
    home = one.scope if binding.step in one.scope.steps else module.scopes[0]
    variable = module.called(value, home) == "tensorflow.Variable"
    outside = not binding.step.inside(one.tape.opened.statement)
    plain = plain_tensor(module, home, value, outside) if not variable else ""
    dtype = dtype_of(module, home, value)
    array = plain == "ndarray"
    source = Source(tensor=-1 if array else 1, variable=variable, dtype=plain if array else dtype, position=position)
    unwatched = plain and not _watched(one, name, value)
    undefined = dtype and (plain == "tensor" or variable)
    if not unwatched and not undefined:
        return
    made, asked_for = module.place(value), question(module, one, source)
    if unwatched:
        yield GradientBreak(
            kind="not-watched",
            question=asked_for,
            sources=(source,),
            location=made,
            source_made=made,
            tape_opened=module.place(one.tape.opened.statement),
            exact=False,
        )
    if undefined:
        yield GradientBreak(
            kind="dtype",
            question=asked_for,
            sources=(source,),
            location=made,
            source_made=made,
            tape_opened=module.place(one.tape.opened.statement),
            dtypes=(dtype, ""),
            exact=False,
        )


def _watched(one: Asked, name: str, value: ast.expr) -> bool:
    """Whether the tape may have been told of the source: by this name, or of something that may be the same tensor."""
    from_here = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} | {name}
    return any(
        not isinstance(node, (ast.Name, ast.List, ast.Tuple, ast.expr_context))
        or (isinstance(node, ast.Name) and (node.id in from_here or _renamed(one, node)))
        for given in one.tape.watched
        for node in ast.walk(given)
    )


def _renamed(one: Asked, node: ast.Name) -> bool:
    binding = one.scope.binding(node.id, one.step)
    return binding is None or binding.value is None or not isinstance(binding.value, ast.Call)
