"""Through which inputs of a traced function a gradient passes: reachability inside its graph.

Inside a graph there is no recorder. A gradient is built for the whole function, from all of its outputs at once.
"""

from __future__ import annotations

from tensorwhy.lineage.search import Remembering, Search, search
from tensorwhy.lineage.steps import Step, unfolded
from tensorwhy.model.question import Function
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_KEPT = 100_000
"""Of so many rows it is remembered what they hand a gradient on to (some 15 MB)."""


class Bodies:
    """Answers by function name; each function is walked once."""

    def __init__(self, lineage: Remembering) -> None:
        self._lineage = lineage
        self._known: dict[str, frozenset[int]] = {}
        self._ways: dict[tuple[str, int], tuple[Step, ...] | None] = {}
        self._searches: dict[str, Search] = {}
        self._passing: dict[tuple[int | None, ...], tuple[int, ...]] = {}
        self._given: dict[int, list[int]] = {}
        self._rounds: dict[tuple[int, int], frozenset[int]] = {}

    def through(self, name: str) -> frozenset[int]:
        """The positions of a function's inputs to which a gradient of any of its outputs gets.

        A function that was never registered, or whose operations were not recorded as it was traced before, lets it
        pass through all: None here would be a guess.
        """
        if name not in self._known:
            self._known[name] = _All()  # a function that calls itself
            function = self._lineage.rules.functions.get(name)
            if function is not None and self.is_recorded(function):
                reached = self.reached(function.outputs)
                self._known[name] = frozenset(i for i, tensor in enumerate(function.inputs) if tensor in reached)
        return self._known[name]

    def is_recorded(self, function: Function) -> bool:
        """Return whether the operations of a function were recorded as it was traced."""
        made = self._lineage.made
        return all(tensor in made or tensor in function.inputs for tensor in function.outputs)

    def through_branches(self, names: tuple[str, ...]) -> frozenset[int]:
        """As `through`, for branches, of which any may be taken: the others give zeros."""
        found: frozenset[int] = frozenset()
        for name in names:
            passing = self.through(name)
            if isinstance(passing, _All):
                return passing
            found |= passing
        return found

    def lost_in_call(self, name: str, index: int, outputs: int, lost: bool = False) -> tuple[Step, ...] | None:
        """The way through a called function where the gradient does not get through it (as `lost` says, too).

        Empty where it does, and where the function is not known; None where the outputs have nothing of the input.
        """
        return self.way_through(name, index, outputs) if lost or index not in self.through(name) else ()

    def lost_inside(self, event: Event, index: int) -> tuple[Step, ...] | None:
        """The same for a row inside of a graph: a call, or branches of which none lets a gradient through."""
        name, *functions = self._lineage.journal.names[event.name].split("|")
        kinds = self._lineage.rules.kinds
        if name in kinds.calls and functions:
            return self.lost_in_call(functions[0], index, len(event.outputs))
        if name in kinds.loops and len(functions) > 1:
            return self._lost_in_body(functions[1], index)
        if name not in kinds.branches or index == 0 or index - 1 in self.through_branches(tuple(functions)):
            return ()
        ways = [self.way_through(function, index - 1, len(event.outputs)) for function in functions]
        known = [way for way in ways if way is not None]
        return min(known, key=lambda way: sum(len(step.lost) for step in way), default=None)

    def _lost_in_body(self, name: str, index: int) -> tuple[Step, ...]:
        """The way of a variable that the body of a loop uses, through what is computed there, if all of it is lost."""
        body, rules = self._lineage.rules.functions.get(name), self._lineage.rules
        if body is None or index >= len(body.inputs):
            return ()
        if rules.dtypes.get(self._lineage.dtype.get(body.inputs[index], 0)) != "resource":
            return ()  # a tensor gets zeros at least
        made = tuple(tensor for tensor in body.outputs if tensor not in body.inputs)
        if body.inputs[index] in self.reached(made):
            return ()
        return self._way(f"{name}|", made, body.inputs[index]) or ()

    def reaching(self, loop: Event, made: int) -> frozenset[int]:
        """The inputs of a loop to which a gradient of its output `made` gets, in however many rounds.

        To the others that a gradient could get to it hands zeros.
        """
        key = loop.index, made
        if key not in self._rounds:
            body = self._body(loop)
            ends = {i for i, output in enumerate(loop.outputs) if output == made}
            if body is None or not self.is_recorded(body) or max(ends, default=0) >= len(body.outputs):
                self._rounds[key] = _All()
                return self._rounds[key]
            found: set[int] = set()
            while found != ends:
                found = set(ends)
                reached = self.reached(tuple(body.outputs[i] for i in ends))
                ends |= {i for i, tensor in enumerate(body.inputs) if tensor in reached}
            self._rounds[key] = frozenset(ends)
        return self._rounds[key]

    def lost_in_rounds(self, loop: Event, made: int, index: int) -> Step | None:
        """What loses the gradient on the way of an input that `reaching` does not hold; None where one round has none.

        Of several losses it is the first one.
        """
        body, ends = self._body(loop), self.reaching(loop, made)
        if body is None or index in ends or index >= len(body.inputs):
            return None
        way = self._way(f"{body.name}|{made}", tuple(body.outputs[i] for i in sorted(ends)), body.inputs[index])
        return next((inner for step in way or () for inner in unfolded(step) if inner.lost), None)

    def _body(self, loop: Event) -> Function | None:
        _, *functions = self._lineage.journal.names[loop.name].split("|")
        return self._lineage.rules.functions.get(functions[1]) if len(functions) > 1 else None

    def way_through(self, name: str, index: int, outputs: int) -> tuple[Step, ...] | None:
        """The way with the fewest losses from an input of a function to its outputs; None when there is none.

        `outputs` counts the function's own outputs, which come first: those behind serve its gradient.
        """
        function = self._lineage.rules.functions.get(name)
        if function is None or index >= len(function.inputs):
            return ()
        return self._way(name, function.outputs[:outputs], function.inputs[index])

    def _way(self, name: str, outputs: tuple[int, ...], tensor: int) -> tuple[Step, ...] | None:
        key = (name, tensor)
        if key not in self._ways:
            self._ways[key] = None  # a function that calls itself
            known = self._searches.get(name)
            if known is None:
                position = self._lineage.journal.position
                known = self._searches[name] = search(self._lineage, 0, outputs, position)
            steps = known.path(tensor)
            self._ways[key] = None if steps is None else tuple(steps)
        return self._ways[key]

    def reached(self, outputs: tuple[int, ...], before: int | None = None, stops: tuple[int, ...] = ()) -> set[int]:
        """Everything in a graph to which a gradient of these tensors gets, by rows before `before`; `stops` end it.

        TensorFlow stops whole operations, and heeds no stop at a call: each of its inputs gets a gradient then.
        """
        lineage = self._lineage
        reached = {tensor for tensor in outputs if lineage.is_differentiable(tensor)}
        stack, stop = list(reached), frozenset(stops)
        rows = {event.index: event for each in stops for event in lineage.makers(each) if event.kind == j.GRAPH_OP}
        stop |= {made for event in rows.values() for made in event.outputs}
        called = {
            made: event.inputs
            for event in rows.values()
            for made in event.outputs
            if lineage.journal.names[event.name].partition("|")[0] in lineage.rules.kinds.calls
        }
        while stack:
            tensor = stack.pop()
            if tensor in stop:
                given = {value for value in called.get(tensor, ()) if lineage.is_differentiable(value)} - reached
                reached |= given
                stack.extend(given)
                continue
            at = lineage.made.get(tensor)
            if at is None:
                continue
            through = self.plain(at) if isinstance(at, int) and (before is None or at < before) else None
            for further in self._through(tensor, before) if through is None else through:
                if further not in reached:
                    reached.add(further)
                    stack.append(further)
        return reached

    def _through(self, tensor: int, before: int | None) -> list[int]:
        lineage = self._lineage
        makers = [event for event in lineage.makers(tensor) if before is None or event.index < before]
        by_hand = [event for event in makers if event.kind == j.RECORDED]
        # What is recorded by hand replaces the operation, but for a variable that is read, where it is the same, and
        # for a call: what a recorder outside of the graph records of it does not concern the graph.
        name = lineage.journal.names[by_hand[-1].name] if by_hand else ""
        if name in lineage.rules.functions:
            makers, by_hand = [event for event in makers if event.kind != j.RECORDED], []
        same = by_hand and lineage.op_name(by_hand[-1]) in lineage.rules.reading
        return [further for event in (makers if same else by_hand[-1:] or makers) for further in self.carried(event)]

    def plain(self, at: int) -> list[int] | None:
        """What `carried` gives for a row, by form and dtypes of the operation; None where these do not tell."""
        known = self._given.get(at)
        if known is not None:
            return known
        lineage = self._lineage
        operation = lineage.journal.operation(at)
        if operation is None:
            return None
        form, inputs, made = operation
        if inputs and min(inputs) < 0:
            return None
        key = (form, made, *[lineage.dtype.get(value) for value in inputs])
        passing = self._passing.get(key)
        if passing is None:
            event = lineage.journal.event(at)
            name = lineage.journal.names[event.name]
            if "|" in name or name in lineage.rules.kinds.branches or name in lineage.rules.kinds.loops:
                return None
            passing = self._passing[key] = tuple(self._handed_on(event))
        if len(self._given) >= _KEPT:
            self._given.clear()
        given = self._given[at] = [inputs[i] for i in passing]
        return given

    def carried(self, event: Event) -> list[int]:
        """The inputs of an operation to which it hands a gradient on."""
        lineage = self._lineage
        if event.kind == j.RECORDED:
            none = lineage.given_none(event)
            return [value for i, value in enumerate(event.inputs) if i not in none]
        kinds = lineage.rules.kinds
        name, *functions = lineage.journal.names[event.name].split("|")
        if name in kinds.calls and functions:
            passing = self.through(functions[0])
            return [tensor for i, tensor in enumerate(event.inputs) if i in passing]
        if name in kinds.branches:
            passing = self.through_branches(tuple(functions))
            return [tensor for i, tensor in enumerate(event.inputs[1:]) if i in passing]
        if name in kinds.loops:
            return [tensor for tensor in event.inputs if lineage.is_differentiable(tensor)]
        return [event.inputs[i] for i in self._handed_on(event)]

    def _handed_on(self, event: Event) -> list[int]:
        """The positions to which an operation by its own gradient function hands on.

        No gradient function need be there where the input cannot have a gradient: TensorFlow does not come to ask.
        """
        lineage = self._lineage
        carries = lineage.facts(event).carries
        return [
            i
            for i, tensor in enumerate(event.inputs)
            if carries(i) not in ("none", "raises") and lineage.is_differentiable(tensor)
        ]


class _All(frozenset[int]):
    """Every position."""

    def __contains__(self, item: object) -> bool:
        return True
