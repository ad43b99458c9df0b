"""A Python object that a loop changes which TensorFlow traces: a graph carries tensors from one round to the next."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.tensorflow.failures import loop_lines
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import LoopStructureChange
from tensorwhy.source.files import Sources

_AUTOGRAPH = "autograph/operators/control_flow.py"


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The loop variable whose first value could not be made a tensor."""
    way = live.joined()
    traced, refused = way.first("tf_while_stmt", _AUTOGRAPH), way.first("convert_to_tensor", "framework/ops.py")
    loop = way.first(("for_stmt", "while_stmt"), _AUTOGRAPH)
    if traced is None or refused is None or loop is None or not loop[0] < traced[0] < refused[0]:
        return
    if way.below(traced[0]):
        return
    caller, value = way.caller(loop[0]), refused[1].local("value")
    names, first = traced[1].local("symbol_names") or (), traced[1].local("orig_init_vars") or ()
    for name, each in zip(names, first, strict=False):
        if each is value and value is not None and caller is not None and caller.location is not None:
            lines = loop_lines.of_statement(caller.location, name, None, Sources(), live.user)
            yield LoopStructureChange(
                construct=loop[1].name.partition("_")[0],
                statement=caller.location,
                problem="object",
                variable=name,
                before=lines.before,
                changed=lines.changed,
                got=type(value).__name__,
            )
            return
