"""Makes the lineage of a diagnosis small enough to draw: the paths and a summary of the rest.

What is never folded away: the source, the target, and whatever stands beside a cut.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable

import msgspec

from tensorwhy.model.report import Diagnosis, LineageEdge, LineageNode, LineageView

LIMIT = 20_000
"""Nodes in the pictures of one page. The browser draws a few dozen; the rest is there when a layer is opened."""
LEAST = 400


def lineage_of(diagnosis: Diagnosis, limit: int = LIMIT) -> LineageView | None:
    """The picture of a diagnosis, at most about `limit` nodes; None when nothing is known of its lineage."""
    view = diagnosis.lineage if diagnosis.lineage and diagnosis.lineage.nodes else _from_path(diagnosis)
    return summarise(view, limit) if view else None


def _from_path(diagnosis: Diagnosis) -> LineageView | None:
    """The path as a chain from the source to the target."""
    if not diagnosis.path:
        return None
    nodes = [
        LineageNode(id=f"step{index}", op=step.op, layer=step.layer, location=step.location, connected=step.connected)
        for index, step in enumerate(diagnosis.path)
    ]
    # A path on which every step passes the gradient can only have been cut at its source.
    cut_at_source = diagnosis.symptom.kind == "none-gradient" and all(step.connected for step in diagnosis.path)
    for end, role in ((diagnosis.source, "source"), (diagnosis.target, "target")):
        if end is None:
            continue
        node = LineageNode(
            id=role,
            op="Variable" if end.kind == "variable" else role,
            name=end.name,
            role="source" if role == "source" else "target",
            dtype=end.dtype,
            shape=end.shape,
            layer=end.layer if role == "target" else "",
            location=end.location,
            connected=role == "target" or not cut_at_source,
        )
        nodes = [node, *nodes] if role == "source" else [*nodes, node]
    edges = [LineageEdge(start=one.id, end=two.id) for one, two in itertools.pairwise(nodes)]
    return LineageView(nodes=tuple(nodes), edges=tuple(edges))


def summarise(view: LineageView, limit: int = LIMIT) -> LineageView:
    """The same lineage in at most `limit` nodes.

    What is nearest to the source, the target and the cuts stays as it is, up to half of the limit. Of the rest, whole
    layers fold into one node each, as deep ones as the limit allows; then runs of operations do; and what is still too
    much is left out and counted in `omitted`.
    """
    if len(view.nodes) <= limit:
        return view
    kept = _near(view, limit // 2)
    deepest = max((node.layer.count("/") + 1 for node in view.nodes if node.layer), default=0)
    for depth in range(deepest, 0, -1):
        key = _layers(kept, depth)
        if depth == 1 or len({key(node) for node in view.nodes}) <= limit:
            view = _fold(view, key)
            break
    if len(view.nodes) > limit:
        view = _fold(view, _runs(view, kept))
    return view if len(view.nodes) <= limit else _without_the_rest(view, _near(view, limit))


def _important(view: LineageView) -> list[str]:
    """Source and target, then both ends of every cut."""
    connected = {node.id: node.connected for node in view.nodes}
    found = {node.id: None for node in view.nodes if node.role in ("source", "target")}
    for edge in view.edges:
        if not edge.connected or edge.label or connected.get(edge.start) != connected.get(edge.end):
            found |= {edge.start: None, edge.end: None}
    return [name for name in found if name in connected]


def _near(view: LineageView, count: int) -> set[str]:
    """The `count` nodes nearest to source, target and cuts, in steps along edges."""
    beside: dict[str, list[str]] = defaultdict(list)
    for edge in view.edges:
        beside[edge.start].append(edge.end)
        beside[edge.end].append(edge.start)
    near = dict.fromkeys(_important(view)[:count])
    queue = deque(near)
    while queue and len(near) < count:
        for other in beside[queue.popleft()]:
            if other not in near and len(near) < count:
                near[other] = None
                queue.append(other)
    return set(near)


def _runs(view: LineageView, kept: set[str]) -> Callable[[LineageNode], Hashable]:
    """A key that is shared by neighbours in a chain without forks, within one layer."""
    nodes = {node.id: node for node in view.nodes}
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for edge in view.edges:
        above[edge.end].append(edge.start)
        below[edge.start].append(edge.end)

    def previous(node: LineageNode) -> LineageNode | None:
        """The node above, when the two belong to one run."""
        if node.id in kept or len(above[node.id]) != 1:
            return None
        other = nodes.get(above[node.id][0])
        alike = other and (other.layer, other.connected, other.role) == (node.layer, node.connected, node.role)
        return other if alike and other and other.id not in kept and len(below[other.id]) == 1 else None

    head: dict[str, str] = {}
    for node in view.nodes:
        run = []
        at: LineageNode | None = node
        while at is not None and at.id not in head:
            run.append(at.id)
            head[at.id] = at.id  # also ends the walk in a loop
            at = previous(at)
        first = head[at.id] if at is not None else run[-1]
        head.update(dict.fromkeys(run, first))
    return lambda node: head[node.id]


def _layers(kept: set[str], depth: int) -> Callable[[LineageNode], Hashable]:
    """A key that is shared by the operations of one layer at this depth that fare alike."""

    def key(node: LineageNode) -> Hashable:
        if node.id in kept or not node.layer:
            return node.id
        return ("/".join(node.layer.split("/")[:depth]), node.connected)

    return key


def _fold(view: LineageView, key: Callable[[LineageNode], Hashable]) -> LineageView:
    """Nodes with the same key become one, named after its first node."""
    members: dict[Hashable, list[LineageNode]] = {}
    for node in view.nodes:
        members.setdefault(key(node), []).append(node)
    place = {node.id: group[0].id for group in members.values() for node in group}
    nodes = tuple(_summary(group) for group in members.values())
    edges = dict.fromkeys(
        msgspec.structs.replace(edge, start=place[edge.start], end=place[edge.end])
        for edge in view.edges
        if place.get(edge.start) != place.get(edge.end) and edge.start in place and edge.end in place
    )
    return msgspec.structs.replace(view, nodes=nodes, edges=tuple(edges))


def _summary(group: list[LineageNode]) -> LineageNode:
    if len(group) == 1:
        return group[0]
    first, last = group[0], group[-1]
    return LineageNode(
        id=first.id,
        op=f"{first.op} … {last.op}",
        role=first.role,
        dtype=last.dtype,
        shape=last.shape,
        layer=_common(node.layer for node in group),
        location=last.location,
        connected=first.connected,
        stands_for=sum(node.stands_for for node in group),
    )


def _common(layers: Iterable[str]) -> str:
    """The longest path that all layers start with."""
    shared: list[str] | None = None
    for layer in layers:
        parts = layer.split("/")
        shared = parts if shared is None else [a for a, b in zip(shared, parts, strict=False) if a == b]
    return "/".join(shared or [])


def _without_the_rest(view: LineageView, kept: set[str]) -> LineageView:
    gone = sum(node.stands_for for node in view.nodes if node.id not in kept)
    return msgspec.structs.replace(
        view,
        nodes=tuple(node for node in view.nodes if node.id in kept),
        edges=tuple(edge for edge in view.edges if edge.start in kept and edge.end in kept),
        omitted=view.omitted + gone,
    )
