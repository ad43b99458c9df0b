"""A TensorFlow function on a symbolic Keras tensor, in a file that only Keras 3 can run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.operations import operation
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import RawOp

READS = ("keras",)
_MORE = ("cast", "identity", "stop_gradient", "zeros_like", "ones_like", "shape", "split", "convert_to_tensor")


def find(module: Module) -> Iterator[CaseGroup]:
    """Calls that are given such a tensor itself, or a list with one in it."""
    if not _keras_3(module):
        return
    things = symbolic(module)
    for scope, step, call in things.calls():
        name = module.called(call, scope)
        room, _, last = name.rpartition(".")
        if not operation(name) and not (room == "tensorflow" and last in _MORE):
            continue
        first = call.args[0] if call.args else None
        given = [*call.args, *(first.elts if isinstance(first, (ast.List, ast.Tuple)) else ())]
        tensor = next((each for each in given if (thing := things.thing(each, scope, step)) and thing.one), None)
        if tensor is not None:
            fact = RawOp(
                function=ast.unparse(call.func),
                kind="tensorflow",
                used=module.place(call),
                tensor=things.reference(tensor, scope, step),
            )
            yield from things.fails(scope, call, fact)


def _keras_3(module: Module) -> bool:
    """Whether the file imports the operations of Keras 3, whatever else it finds, and no other Keras."""
    return not module.holds("tf_keras", "USE_LEGACY_KERAS", "tensorflow.python.keras") and any(
        isinstance(step.statement, (ast.Import, ast.ImportFrom))
        and not step.conditional
        and any(module.imported.get(alias.asname or alias.name) == "keras.ops" for alias in step.statement.names)
        for step in module.scopes[0].steps
    )
