"""Which symbolic tensors can be reached from the user's names? Those that a finished trace left behind have leaked."""

from __future__ import annotations

import types
from types import FrameType
from typing import Any

from tensorwhy.adapters import stack
from tensorwhy.adapters.tensorflow.graphs import holders, symbolic
from tensorwhy.recording.locations import UserCode

_MOST = 20


def reachable(function: Any, frame: FrameType) -> dict[int, str]:
    """Every symbolic tensor of a traced function that a name of the user leads to, in words.

    Looks from the modules of the user, the frames from `frame` outwards, and what `function` closes over.
    """
    user = UserCode()
    frames = []
    each: FrameType | None = frame
    while each is not None:
        if user.owns(each.f_code.co_filename):
            frames.append(stack.of_frame(each, user))
        each = each.f_back
    roots = [(function, holders.Step(kind="local", text=_name(function), words=f"`{_name(function)}`"))]
    found: dict[int, str] = {}
    for holder, tensor in holders.search(_leaked, frames, user, _MOST, roots):
        if not holder.private:
            found.setdefault(id(tensor), _words(holder.expression, tensor, user))
    return found


def _leaked(value: Any) -> bool:
    if not symbolic.is_symbolic(value):
        return False
    graph = symbolic.graph_of(value)
    return graph is None or symbolic.is_function_graph(graph)


def _words(expression: str, tensor: Any, user: UserCode) -> str:
    made = symbolic.describe(tensor, user)
    where = f", made at {made.created.file}:{made.created.line}" if made.created is not None else ""
    graph = f" of `{made.graph.name}`" if made.graph.name else ""
    return f"`{expression}` holds `{made.name}`{graph}{where}"


def _name(function: Any) -> str:
    if isinstance(function, types.MethodType):
        return f"{type(function.__self__).__name__}.{function.__name__}"
    return str(getattr(function, "__name__", type(function).__name__))
