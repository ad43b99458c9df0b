"""The lineage of tensors: which event made a tensor, from what, and through which edges a gradient would pass."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from tensorwhy.lineage.bodies import Bodies
from tensorwhy.lineage.kernel_reads import MOST, kernel_reads
from tensorwhy.lineage.rules import Rules
from tensorwhy.lineage.search import Memory
from tensorwhy.lineage.steps import Edge, Loss
from tensorwhy.lineage.takers import Takers
from tensorwhy.lineage.tangents import NONE_SEEN, Tangents
from tensorwhy.lineage.timeline import Timeline
from tensorwhy.model.optable import OpFacts
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event, Journal

_SETS = 2
"""So many sets of ancestors are kept: one question asks for the same ones several times."""
_ROWS = 1 << 18
"""So many rows are kept unpacked: one question goes over the same ones several times."""
_UPDATES = 64
"""How many updates of a variable's parts are followed back."""


class Lineage:
    """An index over a journal: built in one pass, asked backwards from a tensor.

    `custom_none` tells, for rows that were recorded by hand, the inputs for which the backward function gave None;
    `call_none` the same for calls of traced functions. `padded` tells how many inputs of such a row, the first ones,
    are no arguments but what the function itself gave. `tangents` tells what was seen of forward mode. `recomputed` are
    rows whose backward function computes the gradient of the operations in front of it.
    """

    def __init__(
        self,
        journal: Journal,
        rules: Rules,
        custom_none: Mapping[int, tuple[int, ...]] | None = None,
        call_none: Mapping[int, tuple[int, ...]] | None = None,
        padded: Mapping[int, int] | None = None,
        tangents: Tangents = NONE_SEEN,
        recomputed: Container[int] = (),
    ) -> None:
        self.recomputed = recomputed
        self.journal = journal
        self.rules = rules
        self.timeline = Timeline(journal, rules)
        self.dtype: dict[int, int] = {}
        self.exits: list[int] = []
        self.entries: list[int] = []
        self.made: dict[int, int | list[int]] = {}
        self._assigned: dict[int, list[int]] = defaultdict(list)
        self._youngest: dict[int, int] = {}
        self._captured: dict[int, tuple[int, int]] = {}
        self._within: dict[int, list[int]] = defaultdict(list)
        self._custom_none = {} if custom_none is None else custom_none
        self._call_none = {} if call_none is None else call_none
        self._padded = {} if padded is None else padded
        self.tangents = tangents
        self._facts: dict[tuple[int, tuple[int | str | None, ...], tuple[int, ...]], OpFacts] = {}
        self._losses: dict[tuple[int, int, str], tuple[OpFacts, tuple[Loss, str]]] = {}
        self._ancestors: dict[tuple[tuple[int, ...], int], set[int]] = {}
        self._events: dict[int, Event] = {}
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self.bodies = Bodies(self)
        self.memory = Memory()
        self.takers = Takers(journal)
        assigning = frozenset(number for number, name in enumerate(journal.names) if name in rules.assigning)
        for event in journal.others(self.made, self.dtype, assigning):
            self._see(event)

    def _see(self, event: Event) -> None:
        kind = event.kind
        if kind > j.EXIT:
            self.timeline.see(event)
            return
        if kind == j.EXIT:
            self.exits.append(event.index)
            return
        if kind == j.ENTRY:
            self.entries.append(event.index)
        for tensor, dtype in zip(event.outputs, event.dtypes):
            self.dtype.setdefault(tensor, dtype)
            known = self.made.get(tensor)
            if known is None:
                self.made[tensor] = event.index
            elif isinstance(known, list):
                known.append(event.index)
            else:
                self.made[tensor] = [known, event.index]
        if kind <= j.GRAPH_OP and event.inputs and self.journal.names[event.name] in self.rules.assigning:
            handle = event.inputs[0]
            self._assigned[handle].append(event.index)
            if handle in self._captured:
                self._within[self._captured[handle][0]].append(event.index)
        elif kind == j.RECORDED and self.journal.names[event.name] == "captured_value" and event.outputs:
            outer = event.inputs[0]
            self._captured.setdefault(event.outputs[0], (self._captured.get(outer, (outer, 0))[0], event.index))

    def makers(self, tensor: int) -> list[Event]:
        """The events that made a tensor: two, when what was executed was then recorded by hand."""
        known = self.made.get(tensor)
        if known is None:
            return []
        return [self._event(at) for at in ([known] if isinstance(known, int) else known)]

    def _event(self, at: int) -> Event:
        known = self._events.get(at)
        if known is None:
            if len(self._events) >= _ROWS:
                self._events.clear()
            known = self._events[at] = self.journal.event(at)
        return known

    def youngest(self, row: int) -> int:
        """The tensor with the greatest id that was made before this row; 0 when there was none."""
        found = self._youngest.get(row)
        if found is None:
            firsts = ((tensor, at if isinstance(at, int) else at[0]) for tensor, at in self.made.items())
            found = self._youngest[row] = max((tensor for tensor, at in firsts if at < row), default=0)
        return found

    def op_name(self, event: Event) -> str:
        """The operation's type, also for a call of a traced function by its own name."""
        name = self.journal.names[event.name].partition("|")[0]
        return self.rules.kinds.call if name in self.rules.functions else name

    def _dtype_name(self, value: int) -> str | None:
        handle = j.variable_handle(value)
        if handle is not None:
            known = self.rules.variables.get(handle)
            return known.dtype if known else None
        dtype = self.dtype.get(value)
        return None if dtype is None else self.rules.dtypes.get(dtype)

    def facts(self, event: Event) -> OpFacts:
        """What the framework says of an operation that was called with these inputs."""
        dtype = self.dtype
        given = tuple([dtype.get(value) if value > 0 else self._dtype_name(value) for value in event.inputs])
        key = event.name, given, event.dtypes
        known = self._facts.get(key)
        if known is None:
            name = self.journal.names[event.name]
            made = tuple(self.rules.dtypes.get(dtype) for dtype in event.dtypes)
            known = self.rules.op(name, tuple(self._dtype_name(value) for value in event.inputs), made)
            self._facts[key] = known
        return known

    def takes_value(self, event: Event) -> bool:
        """Return whether an array or number that a row was given can be a value that its result is computed from."""
        name = self.journal.names[event.name].partition("|")[0]
        if event.kind > j.GRAPH_OP or name in self.rules.functions or not {j.NUMPY, j.PYTHON} & {*event.inputs}:
            return True
        facts = self.facts(event)
        given = (index for index, value in enumerate(event.inputs) if value in (j.NUMPY, j.PYTHON))
        return any(self._loss(facts, index, name)[0] != "index-input" for index in given)

    def given_none(self, event: Event) -> tuple[int, ...]:
        """The inputs to which the backward function of a row that was recorded by hand gave None."""
        return self._custom_none.get(event.index, ()) or self._call_none.get(event.index, ())

    def is_differentiable(self, tensor: int) -> bool:
        """Return whether gradients pass through this tensor's dtype; an unknown dtype counts as one that they pass."""
        dtype = self.dtype.get(tensor)
        return dtype is None or dtype in self.rules.differentiable

    def edges(self, tensor: int, before: int) -> Iterable[Edge]:
        """All ways by which the value of `tensor` came to be, from rows before `before`."""
        made = self.made.get(tensor)
        if isinstance(made, int) and made < before and (known := self._edges.get(made)) is not None:
            return known
        makers = [event for event in self.makers(tensor) if event.index < before]
        if not makers:
            return self._read_edges(tensor, before)
        if made == makers[0].index and makers[0].kind <= j.GRAPH_OP:
            if len(self._edges) >= _ROWS:
                self._edges.clear()
            found = self._edges[made] = tuple(self._op_edges(makers[0], False))
            return found
        if len(makers) == 1 and makers[0].kind <= j.GRAPH_OP:
            return self._op_edges(makers[0], False)
        return self._various_edges(makers)

    def _read_edges(self, tensor: int, before: int) -> Iterator[Edge]:
        """Of the value of a variable that was read out of sight."""
        made = self.made
        at = next((made[after] for after in range(tensor + 1, tensor + 1 + MOST) if after in made), None)
        if not isinstance(at, int) or at >= before or tensor in made or tensor in self.rules.variables:
            return
        event = self.journal.event(at)
        handle = dict(kernel_reads(event)).get(tensor)
        if handle is not None:
            yield from self._state_edges(event, handle)
            yield Edge(event, self.rules.kinds.read, handle)

    def _various_edges(self, makers: list[Event], told: Container[int] = ()) -> Iterator[Edge]:
        """Of a tensor that came from Python, or that was recorded by hand as well: by a row that was not `told`."""
        by_hand = [event for event in makers if event.kind == j.RECORDED]
        for event in makers:
            if event.kind == j.ENTRY:
                name = self.journal.names[event.name]
                called = name in self.rules.callbacks
                for value in event.inputs:
                    handle = j.variable_handle(value)
                    source = value if handle is None else handle
                    yield Edge(event, name if called else "convert", source, "callback" if called else "left")
            elif event.kind != j.RECORDED:
                # A variable that is read and a call are recorded by hand as well: the same way, told of another name.
                replaced = (
                    bool(by_hand)
                    and event.index < by_hand[-1].index
                    and self.op_name(by_hand[-1]) not in self.rules.reading
                    and self.op_name(event) not in self.rules.kinds.calls
                )
                for edge in self._op_edges(event, bool(by_hand), self._arguments(by_hand)):
                    if edge.role == "closure" and by_hand[-1].index in self.recomputed:
                        edge = Edge(event, edge.op, edge.source, edge.loss, "recomputed")
                    elif replaced and not edge.loss:
                        # The value came this way, the gradient does not: what is recorded last takes its place.
                        edge = Edge(by_hand[-1], edge.op, edge.source, "custom-gradient")
                    yield edge
            elif event is by_hand[-1] and event.index not in told:
                yield from self._recorded_edges(event)
                if len(makers) == 1 and self.op_name(event) in self.rules.reading:  # read out of sight
                    for value in event.inputs:
                        handle = j.variable_handle(value)
                        yield from self._state_edges(event, value if handle is None else handle)

    def computed_in_front(self, event: Event) -> int:
        """How many inputs of a row that was recorded by hand, the first ones, are what the function itself gave."""
        return self._padded.get(event.index, 0)

    def _arguments(self, by_hand: list[Event]) -> int | None:
        """From which input on a custom gradient in a graph was given arguments, of which its own row tells more."""
        return self._padded.get(by_hand[-1].index) if by_hand else None

    def _recorded_edges(self, event: Event) -> Iterator[Edge]:
        custom, call = self._custom_none.get(event.index, ()), self._call_none.get(event.index, ())
        name = self.journal.names[event.name]
        for index, value in enumerate(event.inputs):
            handle = j.variable_handle(value)
            source = value if handle is None else handle
            if name in self.rules.functions or index in call:
                inside = self.bodies.lost_in_call(name, index, len(event.outputs), index in call)
                if inside is not None:
                    yield Edge(event, name, source, inside=inside)
                continue
            yield Edge(event, name, source, "custom-gradient" if index in custom else "")

    def _op_edges(self, event: Event, by_hand: bool, arguments: int | None = None) -> Iterator[Edge]:
        name = self.journal.names[event.name].partition("|")[0]
        rules = self.rules
        called = name in rules.functions
        if name in rules.shape_only or (called and by_hand):
            return
        facts = None if called else self.facts(event)
        for index, value in enumerate(event.inputs[:arguments]):
            handle = j.variable_handle(value)
            source = value if handle is None else handle
            if source < 0:
                continue
            # A variable of TensorFlow 1 is a tensor, which any operation reads as it is.
            as_tensor = not called and source in self._assigned
            if handle is not None or as_tensor or (index == 0 and (name in rules.reading or name in rules.taking)):
                yield from self._state_edges(event, source)
            if facts is None:
                inside = self.bodies.lost_in_call(name, index, len(event.outputs))
                if inside is not None:
                    yield Edge(event, rules.kinds.call, source, inside=inside)
            elif by_hand and name in rules.kinds.identities:
                # The result of a function with a custom gradient, which the recorder knows by its arguments alone.
                yield Edge(event, name, source, "custom-gradient", "closure")
            else:
                loss, role = self._loss(facts, index, name)
                if loss == "no-gradient" and name in rules.converting and self._leaves_dtype(event):
                    loss = ""  # Cast has a gradient: it is the dtype of its result that ends it
                elif loss == "no-gradient" and rules.assigning.get(name) == index:
                    loss = "state"  # an assignment that gives back what it stored
                inside = () if loss else self.bodies.lost_inside(event, index)
                if inside is not None:
                    yield Edge(event, name, source, loss, role, facts.container, inside)

    def _leaves_dtype(self, event: Event) -> bool:
        return bool(event.outputs) and not any(map(self.is_differentiable, event.outputs))

    def _loss(self, facts: OpFacts, index: int, name: str) -> tuple[Loss, str]:
        key = id(facts), index, name
        known = self._losses.get(key)
        if known is None:  # the facts are kept with it, so that nothing else gets their id
            known = self._losses[key] = facts, self._find_loss(facts, index, name)
        return known[1]

    def _find_loss(self, facts: OpFacts, index: int, name: str) -> tuple[Loss, str]:
        role = facts.inputs[index].role if facts.inputs is not None and index < len(facts.inputs) else "data"
        if facts.stops_gradient:
            return "stop-gradient", role
        if name in self.rules.callbacks and (facts.always_none or facts.differentiability == "unregistered"):
            return "callback", role
        if facts.differentiability == "unregistered":
            return "unregistered", role
        if facts.always_none:
            return "no-gradient", role
        if facts.carries(index) == "none":
            return ("no-gradient" if role == "data" else "index-input"), role
        return "", role

    def _state_edges(self, read: Event, handle: int) -> Iterator[Edge]:
        """What was stored in a variable before it was read: a way for the value, never for a gradient.

        Updates of a part keep the rest, so all of them back to the last assignment of the whole count.
        """
        rows = self._assigned.get(handle, [])
        if handle in self._captured:  # the body of a loop or branch has the variable by a name of its own
            outer, since = self._captured[handle]
            rows = sorted({*rows, *(at for at in self._within.get(outer, ()) if at > since)})
        for at in reversed(rows[: bisect.bisect_left(rows, read.index)][-_UPDATES:]):
            event = self.journal.event(at)
            name = self.op_name(event)
            for source in event.inputs[self.rules.assigning[name] :][:1]:
                if source >= 0:
                    yield Edge(event, name, source, "state", container=self.rules.holding.get(name, ""))
            if name in self.rules.storing:
                return

    def captured(self, tensor: int = -1) -> int | None:
        """The variable that a tensor stands for inside of a graph."""
        return self._captured.get(tensor, (None, 0))[0]

    def assignments(self, variable: int) -> Iterator[Event]:
        """The rows that stored something in a variable, in order, also under the names that it has inside of graphs."""
        rows = {*self._assigned.get(variable, ()), *self._within.get(variable, ())}
        yield from map(self.journal.event, sorted(rows))

    def ancestors(self, tensors: tuple[int, ...], before: int) -> set[int]:
        """Every tensor and variable whose value went into `tensors`. Nobody may change the set."""
        key = tensors, before
        known = self._ancestors.get(key)
        if known is None:
            if len(self._ancestors) >= _SETS:
                del self._ancestors[next(iter(self._ancestors))]
            known = self._ancestors[key] = self._find_ancestors(tensors, before)
        return known

    def _find_ancestors(self, tensors: tuple[int, ...], before: int) -> set[int]:
        seen: set[int] = set()
        rows: set[int] = set()
        told: set[int] = set()
        stack = list(tensors)
        while stack:
            tensor = stack.pop()
            if tensor not in seen:
                seen.add(tensor)
                made = self.made.get(tensor)
                # A row may give as much as it takes, thousands of each: all that it gives comes from the same.
                if isinstance(made, int) and made in rows:
                    continue
                if isinstance(made, list):
                    makers = [event for event in self.makers(tensor) if event.index < before]
                    edges: Iterable[Edge] = self._various_edges(makers, told)
                else:
                    edges = self.edges(tensor, before)
                stack.extend(edge.source for edge in edges if edge.source >= 0)
                if isinstance(made, int):
                    rows.add(made)
                elif made is not None:
                    told.update([event.index for event in makers if event.kind == j.RECORDED][-1:])
        return seen
