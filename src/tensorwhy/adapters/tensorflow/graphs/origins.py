"""What a library computed a symbolic tensor from: the tensors of the user's other lines behind it."""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.recording.locations import UserCode

_MOST = 200


def behind(thing: Any, user: UserCode) -> tuple[Any, ...]:
    """The tensors of other lines that a library computed this one from, on the line of the user's that it ran for."""
    if not symbolic.is_symbolic(thing) or symbolic.graph_of(thing) is None:
        return ()
    line = _line(thing, user)
    found: dict[int, Any] = {}
    seen: set[str] = set()
    waiting = list(thing.op.inputs)
    while waiting and len(seen) < _MOST:
        tensor = waiting.pop(0)
        if tensor.name not in seen:
            seen.add(tensor.name)
            if _line(tensor, user) == line:
                waiting += tensor.op.inputs
            else:
                found[id(tensor)] = tensor
    return tuple(found.values())


def _line(tensor: Any, user: UserCode) -> tuple[str, int] | None:
    calls = symbolic.user_calls(symbolic.traceback_of(tensor), user)
    return (calls[-1].file, calls[-1].line) if calls else None
