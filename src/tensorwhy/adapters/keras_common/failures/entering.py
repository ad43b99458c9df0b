"""Where did a symbolic Keras tensor enter code that runs on values? Its history tells, as each node has its line.

Operations of Keras take such a tensor wherever they run, and give others like it. What fails is far from there.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Sequence
from typing import Any

from tensorwhy.adapters.keras_common import creations, nodes
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.stack import Frame
from tensorwhy.model.location import Location


def entered(tensor: Any) -> tuple[Any, Location | None]:
    """The tensor behind this one that entered a function which a library called, and the first line that used it."""
    found, used = tensor, None
    waiting, seen = [tensor], set()
    while waiting:
        each = waiting.pop()
        made = nodes.producer(each)
        if made is None or id(made[1]) in seen:
            continue
        seen.add(id(made[1]))
        needed = nodes.inputs(made[1])
        if creations.made_inside(made[1]):
            outer = [other for other in needed if not made_inside(other)]
            if outer and creations.made(made[1]) is not None:
                found, used = outer[0], creations.made(made[1])
        waiting.extend(needed)
    return found, used


def made_inside(tensor: Any) -> bool:
    """Return whether an operation gave this tensor in a function of the user that a library called."""
    made = nodes.producer(tensor)
    return made is not None and creations.made_inside(made[1])


_NEAR = 6
"""So many of the library's frames are between what it was given to run and the user's function."""


def bound(tensor: Any, calls: Sequence[Frame]) -> bool:
    """Return whether the library runs a `functools.partial` that holds the tensor, in the last of these calls."""
    for call in calls[-_NEAR:]:
        for held in (*list(call.frame.f_locals.values()), getattr(call.local("self"), "fn", None)):
            if isinstance(held, functools.partial) and any(
                value is tensor for value in (*held.args, *held.keywords.values())
            ):
                return True
    return False


def made_by(tensor: Any, calls: Sequence[Frame]) -> bool:
    """True if one of these functions made the tensor itself, as one does that assembles a model; or it is not known."""
    made = givens.maker(tensor)
    if made is None:
        return True
    for call in calls:
        code = call.frame.f_code
        last = max((line for *_, line in dis.findlinestarts(code) if line), default=code.co_firstlineno)
        if code.co_filename == made.file and code.co_firstlineno <= made.line <= last:
            return True
        converted = call.location  # AutoGraph's copy of a function has lines of its own
        if converted is not None and (converted.file, _last(converted.function)) == (made.file, _last(made.function)):
            return True
    return False


def _last(qualified: str) -> str:
    return qualified.rpartition(".")[2]
