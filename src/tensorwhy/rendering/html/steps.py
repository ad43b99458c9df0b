"""A lineage as a list of words, for readers without the picture: screen readers, notebooks, pages without script."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import groupby

from tensorwhy.model.report import Diagnosis, LineageNode, LineageView
from tensorwhy.rendering.html.markup import Html, Markup
from tensorwhy.rendering.html.verdict import shape
from tensorwhy.rendering.paths import place

_AROUND = 3  # steps that are told on either side of a change, source or target


def steps(m: Markup, diagnosis: Diagnosis, base: str) -> Html | None:
    """The way from the source to the target; where nothing changes for long, a count."""
    if diagnosis.lineage is None:
        return None
    way = _way(diagnosis.lineage)
    states = _states(way)
    told = _told([state == "connected" for state in states])
    entries = []
    for shown, group in groupby(enumerate(way), key=lambda entry: told[entry[0]]):
        if shown:
            entries += [_step(m, node, states[index], base) for index, node in group]
        else:
            count = sum(node.stands_for for _, node in group)
            entries.append(m("li", "step step-more", f"… {count} more operations"))
    return m("ol", "steps", entries)


_SIGNS = {"connected": "●", "cut": "✕", "lost": "○"}
_MEANINGS = {
    "connected": "connected to the target",
    "cut": "not connected to the target: the path is cut here",
    "lost": "not connected to the target",
}


def _states(way: list[LineageNode]) -> list[str]:
    """What becomes of each step, seen from the target: beyond a cut, nothing is reached any more."""
    states = []
    reached = True
    for node in reversed(way):
        first = reached and not node.connected
        reached = reached and node.connected
        states.append("connected" if reached else "cut" if first else "lost")
    return states[::-1]


def _step(m: Markup, node: LineageNode, state: str, base: str) -> Html:
    details = [node.dtype, shape(node.shape), node.layer and f"in {node.layer}"]
    return m(
        "li",
        f"step step-{state}",
        m("span", f"state state-{state}", _SIGNS[state], title=_MEANINGS[state]),
        m("code", "code", f"{node.name} = {node.op}" if node.name and node.name != node.op else node.op),
        m("span", "dim", " " + " ".join(filter(None, details))),
        m("span", "where", f" {place(node.location, base)}") if node.location else None,
    )


def _told(states: list[bool]) -> list[bool]:
    """Which steps are near an end or a change; a gap of one step is not worth a gap."""
    ends = {0, len(states) - 1}
    changes = {index for index in range(1, len(states)) if states[index] != states[index - 1]}
    centres = ends | changes | {index - 1 for index in changes}
    told = [any(index + shift in centres for shift in range(1 - _AROUND, _AROUND)) for index in range(len(states))]
    for index in range(1, len(states) - 1):
        if told[index - 1] and told[index + 1]:
            told[index] = True
    return told


def _way(view: LineageView) -> list[LineageNode]:
    """A shortest way from the source to the target; all nodes in their order when there is none."""
    nodes = {node.id: node for node in view.nodes}
    below: dict[str, list[str]] = defaultdict(list)
    for edge in view.edges:
        below[edge.start].append(edge.end)
    start = next((node.id for node in view.nodes if node.role == "source"), None)
    goal = next((node.id for node in view.nodes if node.role == "target"), None)
    came: dict[str, str | None] = {start: None} if start is not None else {}
    queue = deque(came)
    while queue:
        at = queue.popleft()
        for other in below[at]:
            if other not in came and other in nodes:
                came[other] = at
                queue.append(other)
    if goal is None or goal not in came:
        return list(view.nodes)
    way = []
    at_end: str | None = goal
    while at_end is not None:
        way.append(nodes[at_end])
        at_end = came[at_end]
    return way[::-1]
