"""Where did a symbolic Keras tensor enter code that runs on values? Its history tells, as each node has its line.

Operations of Keras take such a tensor wherever they run, and give others like it. What fails is far from there.
"""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.keras_common import nodes, stamps
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
        if stamps.made_inside(made[1]):
            outer = [other for other in needed if not made_inside(other)]
            if outer and stamps.made(made[1]) is not None:
                found, used = outer[0], stamps.made(made[1])
        waiting.extend(needed)
    return found, used


def made_inside(tensor: Any) -> bool:
    """Whether an operation gave this tensor in a function of the user that a library called."""
    made = nodes.producer(tensor)
    return made is not None and stamps.made_inside(made[1])
