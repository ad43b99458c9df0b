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
    told = _told(way)
    entries = []
    for shown, group in groupby(enumerate(way), key=lambda entry: told[entry[0]]):
        nodes = [node for _, node in group]
        if shown:
            entries += [_step(m, node, base) for node in nodes]
        else:
            count = sum(node.stands_for for node in nodes)
            entries.append(m("li", "step step-more", f"… {count} more operations"))
    return m("ol", "steps", entries)


def _step(m: Markup, node: LineageNode, base: str) -> Html:
    state = "connected" if node.connected else "lost"
    details = [node.dtype, shape(node.shape), node.layer and f"in {node.layer}"]
    return m(
        "li",
        f"step step-{state}",
        m("span", f"state state-{state}", "● " if node.connected else "✕ ", title=state),
        m("code", "code", f"{node.name} = {node.op}" if node.name and node.name != node.op else node.op),
        m("span", "dim", " " + " ".join(filter(None, details))),
        m("span", "where", f" {place(node.location, base)}") if node.location else None,
    )


def _told(way: list[LineageNode]) -> list[bool]:
    """Which steps are near an end or a change; a gap of one step is not worth a gap."""
    ends = {0, len(way) - 1}
    changes = {index for index in range(1, len(way)) if way[index].connected != way[index - 1].connected}
    centres = ends | changes | {index - 1 for index in changes}
    told = [any(index + shift in centres for shift in range(1 - _AROUND, _AROUND)) for index in range(len(way))]
    for index in range(1, len(way) - 1):
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
