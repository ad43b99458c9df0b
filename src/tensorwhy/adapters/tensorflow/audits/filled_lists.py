"""Module-level lists that traced functions filled: at the end they hold placeholders, one for each trace.

Attributes are left alone. A layer may keep what it computes in a list and use it within the same trace; what is left
there is harmless. A list of the module outlives every trace, and nothing else is ever in it.
"""

from __future__ import annotations

import collections
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.tensorflow.graphs import escapes, symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import Holder
from tensorwhy.model.facts.loops import PythonAccumulator
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

_TRACED = ("function", "loop", "branch")


def audit(session: Any) -> Iterable[Fact]:
    """One fact for each such container of the user's modules."""
    if not session.traced:
        return
    user: UserCode = session.user
    sources = Sources()
    for name, container, file in _containers(user):
        items = list(container.values()) if isinstance(container, dict) else list(container)
        tensors = [each for each in items if symbolic.is_symbolic(each)]
        if not tensors or len(tensors) != len(items):
            continue
        made = symbolic.describe(tensors[0], user)
        if made.graph.kind not in _TRACED:
            continue
        holder = Holder(
            kind="global", expression=f"{name}[0]", steps=(f"module global `{name}`",), attribute=name, contained=True
        )
        filled = escapes.escape(made, holder, (*(call.file for call in reversed(made.calls)), file), sources)
        if filled is None:
            continue
        yield PythonAccumulator(
            container=name,
            kind="dict" if isinstance(container, dict) else "set" if isinstance(container, set) else "list",
            problem="left",
            construct="loop" if made.graph.kind == "loop" else "function",
            filled=filled,
            length=len(items),
        )


def _containers(user: UserCode) -> Iterator[tuple[str, Any, str]]:
    for key, module in list(sys.modules.items()):
        if not isinstance(module, types.ModuleType):
            continue
        file = getattr(module, "__file__", None) or ""
        if not (user.owns(file) or key == "__main__"):
            continue
        for name, value in list(vars(module).items()):
            if not name.startswith("__") and type(value) in (list, dict, set, collections.deque) and value:
                yield name, value, file
