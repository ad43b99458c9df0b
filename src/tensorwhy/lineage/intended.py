"""Which of two ways was meant to carry the gradient, where each of them could?

One of a network's two runs was computed before the recorder was opened, and the other one, inside of it, is stopped.
Where data are added to what was computed before (a reward to the value of the next state), it is what the other one is
compared with, and is meant as a constant. Then the stop stands on the wrong side.
"""

from __future__ import annotations

from collections import deque

from tensorwhy.lineage.backward import State
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.search import Search
from tensorwhy.lineage.steps import Step
from tensorwhy.recording import journal as j

_STATES = 20_000
"""So many tensors are looked at for the way inside of the recorder."""


def intended(lineage: Lineage, every: Search, targets: tuple[int, ...], source: int, steps: list[Step]) -> list[Step]:
    """The way of a source (`steps`), or the one inside of the recorder that was stopped."""
    lost = {(each.kind, each.region) for step in steps for each in step.lost}
    if lost != {("not-recorded", "before")}:
        return steps
    inside = _stopped(every, targets, source)
    if not inside or not _with_data(lineage, steps, inside) or _with_data(lineage, inside, steps):
        return steps
    return inside


def _stopped(every: Search, targets: tuple[int, ...], source: int) -> list[Step]:
    """The way on which nothing but one `stop_gradient` ends the gradient; empty where there is none."""
    towards: dict[tuple[State, bool], tuple[tuple[State, bool], Step] | None] = {(t, False): None for t in targets}
    waiting: deque[tuple[State, bool]] = deque(towards)
    while waiting and len(towards) < _STATES:
        here = waiting.popleft()
        state, stopped = here
        if (state if isinstance(state, int) else state[0]) == source:
            return list(_back(towards, here)) if stopped else []
        for further, prices, step in every.backward.ways(state, every.before)[1]:
            if any(each.kind != "stop-gradient" for each in step.lost) or (prices and stopped):
                continue
            there = further, stopped or bool(prices)
            if there not in towards:
                towards[there] = here, step
                waiting.append(there)
    return []


def _back(
    towards: dict[tuple[State, bool], tuple[tuple[State, bool], Step] | None], here: tuple[State, bool]
) -> list[Step]:
    found = []
    known = towards[here]
    while known is not None:
        here, step = known
        found.append(step)
        known = towards[here]
    return found


def _with_data(lineage: Lineage, steps: list[Step], other: list[Step]) -> bool:
    """Return whether something that no variable has a part in is added, before this way meets the other one."""
    shared = {step.made for step in other}
    for step in steps:
        if step.made in shared:
            return False
        event = step.edge.event
        if lineage.op_name(event) in lineage.rules.kinds.plain_adding and any(
            _is_data(lineage, each, event.index) for each in event.inputs if each != step.source
        ):
            return True
    return False


def _is_data(lineage: Lineage, tensor: int, before: int) -> bool:
    if tensor < 0:
        return tensor == j.NUMPY
    return not any(each in lineage.rules.variables for each in lineage.ancestors((tensor,), before))
