"""Reads a failed construction of a layer: were the tensors given to its constructor, and not to the layer?

`Add([x, y])` fails in Python itself, which counts arguments: no frame of Keras is on the stack, and the call is read
from the user's line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from tensorwhy.adapters.keras_common import nodes, packages
from tensorwhy.adapters.keras_common.failures import lookup
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.facts.symbolic import TensorsToConstructor
from tensorwhy.source import reading
from tensorwhy.source.files import Sources


def tensors(live: LiveFailure, generation: int) -> Iterator[TensorsToConstructor]:
    """The constructor of a layer of this generation that was given symbolic Keras tensors, and failed."""
    sources = Sources()
    for stack in live.whole():
        last = stack.innermost_user()
        call = stack.frames[last] if last is not None else None
        if call is None or call.location is None:
            continue
        for node in _calls(call, sources):
            made = lookup.value(node.func, call)
            if not _is_layer_class(made, generation):
                continue
            given = [
                (part, lookup.value(part, call))
                for argument in node.args
                for part in (argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument])
            ]
            found = [(part, thing) for part, thing in given if packages.is_keras_tensor(thing, generation)]
            if found:
                yield TensorsToConstructor(
                    layer=ast.unparse(node.func),
                    arguments=", ".join(ast.unparse(argument) for argument in node.args),
                    used=reading.where(node, call.location.file, call.location.function, sources),
                    tensors=tuple(nodes.reference(thing, ast.unparse(part)) for part, thing in found),
                )
                return


def _calls(call: Frame, sources: Sources) -> Iterator[ast.Call]:
    """The calls that can have failed: the one at the columns, or where those are unknown all of the statement."""
    assert call.location is not None
    if call.location.column is not None:
        node = reading.call_at(call.location, sources)
        if node is not None:
            yield node
        return
    statement = sources.statement(call.location)
    for each in ast.walk(statement) if statement is not None else ():
        if isinstance(each, ast.Call):
            yield each


def _is_layer_class(thing: object, generation: int) -> bool:
    """True if this is a class of Keras's own layers. A functional model is the one layer that is made of tensors."""
    if not inspect.isclass(thing) or not packages.is_keras_module(thing.__module__):
        return False
    found = packages.of_class(thing)
    return found is not None and found[1] == "layer" and found[0].generation == generation
