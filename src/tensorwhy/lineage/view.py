"""The picture of one gradient question: what lies between its lost sources and its targets, and what touches that.

Where every operation of a training step is known, most of it has nothing to do with the question. Drawn are the nodes
through which the value of a lost source flows into a target, their direct inputs, and the ends themselves.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.lineage.search import search
from tensorwhy.lineage.steps import Edge, Lost
from tensorwhy.lineage.unconnected import follow
from tensorwhy.lineage.untaken import names_at
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import LineageEdge, LineageNode, LineageView
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.files import Sources

MOST = 20_000
"""Operations that are followed back from the targets; what lies further away is not looked at."""
_AROUND = 40
"""Operations that are shown of a target whose lineage has nothing of the source in it."""

_NO_VALUE = ("index-input", "dtype", "state")
"""Losses of what goes in beside the source: these carry no value that could have had a gradient."""
_WORDS = {
    "not-recorded": "outside the {recorder}",
    "stop-gradient": "{stop}",
    "stopped-here": "stopped here",
    "no-gradient": "no gradient",
    "unregistered": "no gradient",
    "no-tangent": "no tangent",
    "called-tangent": "not recorded",
    "index-input": "used as an index",
    "dtype": "not a float",
    "state": "through a variable",
    "left": "left the framework",
    "callback": "Python callback",
    "custom-gradient": "custom gradient",
}


class Details(msgspec.Struct, frozen=True):
    """What is known besides the journal: shapes of tensors, the layer that each was made in, and variables' owners."""

    shapes: Mapping[int, tuple[int | None, ...]] = {}
    layers: Mapping[int, str] = {}
    owners: Mapping[int, str] = {}


Role = Literal["source", "target", "variable", "constant", "op"]


class _Link(msgspec.Struct, frozen=True):
    start: str
    end: str
    lost: tuple[Lost, ...]


class Viewer:
    """Draws the lineage of one question, once for all of its sources."""

    def __init__(
        self,
        lineage: Lineage,
        question: GradientQuestion,
        sources: Sources,
        details: Details,
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._sources = sources
        self._details = details
        stops = question.stops if isinstance(question, GradientQuestion) else ()
        self._search = search(lineage, question.recorder, question.targets, question.event, stops=stops)
        self._prediction = Prediction(lineage, question)
        self._tensors: dict[str, int] = {}
        self._links: dict[tuple[str, str], _Link] = {}
        self._lost_reads: dict[str, tuple[Lost, ...]] = {}
        self._last: dict[int, str] = {}
        self._through_state = False
        self._cut_off = 0

    def view(self) -> LineageView:
        """The nodes and edges between the sources without a gradient and the targets."""
        self._walk()
        between = self._between()
        drawn = self._with_inputs(between)
        known = set(drawn)
        links = [link for link in self._links.values() if link.start in known and link.end in known]
        connected = self._connected(between, drawn, links)
        layers = self._layers(drawn, links)
        self._last = {self._place(key): key for key in drawn}
        nodes = tuple(self._node(key, layers.get(key, ""), key in connected, key in between) for key in drawn)
        edges = tuple(
            LineageEdge(
                start=link.start,
                end=link.end,
                connected=not link.lost or link.start not in between,
                label=self._label(link) if link.end in connected and link.start not in connected else "",
            )
            for link in links
        )
        return LineageView(nodes=nodes, edges=edges, omitted=len(self._tensors) - len(drawn) + self._cut_off)

    # -- collecting ----------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        """Back from the targets over everything that went into them; and what became of sources that did not."""
        self._back([tensor for tensor in self._question.targets if tensor >= 0])
        if self._needs_state():
            self._through_state = True
            self._back([tensor for tensor in self._question.targets if tensor >= 0])
        for source in self._question.sources:
            if source.tensor < 0 or self._key_of(source.tensor) in self._tensors:
                continue
            self._key(source.tensor)
            recorder = self._lineage.timeline.recorders.get(self._question.recorder)
            trail = follow(self._lineage, source.tensor, recorder.created if recorder else 0, self._question.event)
            self._back([each for event in trail.events[:_AROUND] for each in event.outputs], trail.tensors)

    def _needs_state(self) -> bool:
        """Return whether a source gets to the target only through what was stored in a variable.

        Else what was stored is left out: each step of a training leads to all the steps before it.
        """
        question = self._question
        behind = functools.cache(lambda: self._lineage.ancestors(question.targets, question.event))

        def leads(tensor: int) -> bool:
            return tensor in behind()

        for source in question.sources:
            tensor = source.tensor
            if tensor >= 0 and self._key_of(tensor) not in self._tensors:
                steps = self._search.path(tensor, functools.partial(leads, tensor))
                if steps is not None and any(step.edge.loss == "state" for step in steps):
                    return True
        return False

    def _back(self, stack: list[int], within: set[int] | None = None) -> None:
        seen = {tensor for tensor in stack if self._key(tensor)}
        while stack:
            tensor = stack.pop()
            end = self._key(tensor)
            for edge in self._lineage.edges(tensor, self._question.event):
                if edge.source < 0 or (within is not None and edge.source not in within):
                    continue
                if edge.loss == "state" and not self._through_state:
                    continue
                self._join(self._key(edge.source), end, edge, tensor)
                if edge.source not in seen:
                    if len(seen) >= MOST:
                        self._cut_off += 1
                        continue
                    seen.add(edge.source)
                    stack.append(edge.source)

    def _join(self, start: str, end: str, edge: Edge, made: int) -> None:
        lost = self._search.backward.lost_on(edge, made, ())
        if start == end:
            # A variable and its reading are one node.
            self._lost_reads.setdefault(start, lost)
            return
        known = self._links.get((start, end))
        # A value that goes in twice is lost only where both ways are.
        if known is None or (known.lost and not lost):
            self._links[start, end] = _Link(start, end, lost)

    def _key(self, tensor: int) -> str:
        key = self._key_of(tensor)
        self._tensors.setdefault(key, tensor)
        return key

    def _key_of(self, tensor: int) -> str:
        """All outputs of one operation are one node, and so are a variable and what was read of it."""
        makers = self._lineage.makers(tensor)
        if not makers or tensor in self._lineage.rules.variables:
            return f"t{tensor}"
        variable = self._variable_of(makers[0])
        return f"r{makers[0].index}" if variable is None else f"t{variable}"

    def _variable_of(self, event: Event) -> int | None:
        """The variable that an operation reads, or whose handle it brings into a graph."""
        kinds = self._lineage.rules.kinds
        if event.kind > j.GRAPH_OP or self._lineage.op_name(event) not in (kinds.read, kinds.placeholder):
            return None
        variables = self._lineage.rules.variables
        for value in event.inputs:
            handle = j.variable_handle(value)
            if (value if handle is None else handle) in variables:
                return value if handle is None else handle
            makers = self._lineage.makers(value)
            return self._variable_of(makers[0]) if makers else None
        for edge in self._lineage.edges(event.outputs[0], self._question.event):
            return edge.source if edge.source in variables and not edge.loss else None
        return None

    # -- choosing ------------------------------------------------------------------------------------------------

    def _ends(self) -> tuple[list[str], list[str]]:
        sources = list(self._source_keys)
        targets = [self._key(tensor) for tensor in self._question.targets if tensor >= 0]
        return sources, targets

    def _between(self) -> set[str]:
        """What the value of a source went through; of a target that has nothing of it, what is nearest."""
        after: dict[str, list[str]] = defaultdict(list)
        before: dict[str, list[str]] = defaultdict(list)
        for link in self._links.values():
            after[link.start].append(link.end)
            if _has_value(link):
                before[link.end].append(link.start)
        sources, targets = self._ends()
        found = _closure(sources, after)
        if not found & set(targets):
            found |= {key for key in _nearest(targets, before, _AROUND) if self._reached(key)}
        return found | set(targets)

    def _with_inputs(self, between: set[str]) -> list[str]:
        """With what goes in beside the source: variables and values, no axes and shapes. Oldest first."""
        beside = {link.start for link in self._links.values() if link.end in between and _has_value(link)}
        return sorted(between | beside, key=lambda key: int(key[1:]) if key.startswith("t") else self._tensors[key])

    # -- describing ----------------------------------------------------------------------------------------------

    def _connected(self, between: set[str], drawn: Iterable[str], links: list[_Link]) -> set[str]:
        """Where the gradient of the targets gets to, by the recorder's own rules.

        Between a source without a gradient and the targets that is wherever nothing is lost on the way: of what comes
        only from a source that is not watched a recorder records nothing, but the loss is at the source. What goes in
        beside the source and has no gradient either (data, a constant) is no loss.
        """
        after, before = defaultdict(list), defaultdict(list)
        for link in links:
            after[link.start].append(link.end)
            if not (link.lost or link.start in self._lost or self._lost_reads.get(link.start)):
                before[link.end].append(link.start)
        within = _closure(self._source_keys, after) if isinstance(self._question, GradientQuestion) else set()
        whole = _closure(self._ends()[1], before)
        found = {key for key in drawn if (key in whole if key in within else self._reached(key))}
        beside = {link.start for link in links if link.start not in between and link.end in found}
        return found | beside

    def _reached(self, key: str) -> bool:
        tensor = self._tensors[key]
        if tensor in self._question.targets:
            return True
        makers = self._lineage.makers(tensor)
        made = {output for event in makers for output in event.outputs} | {tensor}
        handle = int(key[1:]) if key.startswith("t") else tensor
        return any(self._prediction.reaches(each) for each in made | {handle})

    def _asked(self, key: str) -> bool:
        return key in self._source_keys

    @functools.cached_property
    def _source_keys(self) -> frozenset[str]:
        return frozenset(self._key_of(source.tensor) for source in self._question.sources if source.tensor >= 0)

    @functools.cached_property
    def _lost(self) -> frozenset[str]:
        """The sources that get no gradient."""
        tensors = [source.tensor for source in self._question.sources if source.tensor >= 0]
        return frozenset(self._key_of(tensor) for tensor in tensors if not self._prediction.arrives(tensor))

    @functools.cached_property
    def _unwatched(self) -> frozenset[str]:
        tensors = [source.tensor for source in self._question.sources if source.tensor >= 0 and self._question.recorder]
        return frozenset(self._key_of(tensor) for tensor in tensors if tensor not in self._prediction.replay.tracked)

    def _label(self, link: _Link) -> str:
        lost = [*link.lost, *self._lost_reads.get(link.start, ())]
        words = [_WORDS[each.kind] for each in lost if each.kind in _WORDS]
        if not words and link.start in self._unwatched:
            return "not watched"
        rules = self._lineage.rules
        return ", ".join(dict.fromkeys(words)).format(recorder=rules.recorder, stop=rules.stop)

    def _node(self, key: str, layer: str, connected: bool, between: bool) -> LineageNode:
        lineage, tensor = self._lineage, self._tensors[key]
        variable = lineage.rules.variables.get(int(key[1:])) if key.startswith("t") else None
        event = next(iter(lineage.makers(tensor)), None)
        location = lineage.journal.location(event.place) if event is not None else None
        role = self._role(key, variable is not None, event, between)
        if variable is not None:
            return LineageNode(
                id=key,
                op="Variable",
                name=variable.name.removesuffix(":0"),
                role=role,
                dtype=variable.dtype,
                shape=variable.shape,
                layer=layer,
                location=variable.created or location,
                connected=connected,
            )
        op = (
            "input"
            if event is None
            else lineage.rules.kinds.constant
            if event.kind == j.ENTRY
            else lineage.op_name(event)
        )
        return LineageNode(
            id=key,
            op=op,
            name=self._named(key, location, end=role in ("source", "target")),
            role=role,
            dtype=lineage.rules.dtypes.get(lineage.dtype.get(tensor, 0), ""),
            shape=self._details.shapes.get(tensor),
            layer=layer,
            location=location,
            connected=connected,
        )

    def _role(self, key: str, variable: bool, event: Event | None, between: bool) -> Role:
        if self._tensors[key] in self._question.targets:
            return "target"
        if self._asked(key):
            return "source"
        if variable:
            return "variable"
        kinds = self._lineage.rules.kinds
        names = (kinds.constant, kinds.placeholder)
        given = event is None or event.kind == j.ENTRY or self._lineage.op_name(event) in names
        return "constant" if given and not between else "op"

    def _named(self, key: str, location: Location | None, end: bool) -> str:
        """The name that the user gave to this very value: the statement binds what this place computes last.

        Where columns are unknown, only an end of the lineage can be told from what else that line computes. A line in
        which the gradient was asked for as well (`history = model.fit(...)`) binds something else.
        """
        if location == self._question.location or self._last.get(self._place(key)) != key:
            return ""
        statement = self._sources.statement(location) if location is not None else None
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        if value is None or location is None:
            return ""
        place = self._sources.place(location.file, value)
        whole = (place.order, place.end_line, place.end_column) == (
            location.order, location.end_line, location.end_column,
        )  # fmt: skip
        names = names_at(self._sources, location) if (end if location.column is None else whole) else set()
        return next(iter(names)) if len(names) == 1 else ""

    def _layers(self, drawn: Iterable[str], links: Iterable[_Link]) -> dict[str, str]:
        """The layer of each node: as the graph has it, else that of the variable it reads, or of what it goes on from.

        A layer's operations stand at one place of the user's program, because what is in between is the framework's.
        """
        known: dict[str, str] = {}
        before: dict[str, list[str]] = defaultdict(list)
        for link in links:
            before[link.end].append(link.start)
        for key in drawn:
            tensor = self._tensors[key]
            if self._is_variable(key):
                known[key] = self._details.owners.get(int(key[1:]), "")
            elif tensor in self._details.layers:
                known[key] = self._details.layers[tensor]
            elif not self._asked(key) and tensor not in self._question.targets:
                known[key] = self._inherited(key, before[key], known)
        return {key: layer for key, layer in known.items() if layer}

    def _inherited(self, key: str, before: list[str], known: Mapping[str, str]) -> str:
        read = [known.get(start, "") for start in before if self._is_variable(start)]
        if any(read):
            return next(filter(None, read))
        place = self._place(key)
        return next((known[start] for start in before if known.get(start) and self._place(start) == place), "")

    def _is_variable(self, key: str) -> bool:
        return key.startswith("t") and int(key[1:]) in self._lineage.rules.variables

    def _place(self, key: str) -> int:
        makers = self._lineage.makers(self._tensors[key])
        return makers[0].place if makers else -1


def _has_value(link: _Link) -> bool:
    return not any(lost.kind in _NO_VALUE for lost in link.lost)


def _closure(start: Iterable[str], after: Mapping[str, list[str]]) -> set[str]:
    found = set(start)
    stack = list(found)
    while stack:
        for each in after.get(stack.pop(), ()):
            if each not in found:
                found.add(each)
                stack.append(each)
    return found


def _nearest(start: Iterable[str], before: Mapping[str, list[str]], count: int) -> list[str]:
    found = dict.fromkeys(start)
    queue = list(found)
    for key in queue:
        for each in before.get(key, ()):
            if each not in found and len(found) < count:
                found[each] = None
                queue.append(each)
    return list(found)
