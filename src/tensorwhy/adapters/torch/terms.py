"""Terms of a loss that are constants to its gradient, although they were computed from what the model gave.

The other terms give each parameter a gradient, so that nothing is None: the lost term only shows in how training ends.
A term that somebody took out of the graph by `detach()` or `torch.no_grad()` is meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.torch.asking import Backward
from tensorwhy.adapters.torch.kinds import CASTS, SHAPE_ONLY, STOPS
from tensorwhy.adapters.torch.recorder import GRAPH
from tensorwhy.adapters.torch.rules import CUT
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words import instead, marked, operation
from tensorwhy.diagnosis.operations import operands
from tensorwhy.lineage.unconnected import Trail, left_and_came_back
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

_ADDING = frozenset(
    {"add", "sub", "__radd__", "__rsub__", "rsub", "add_", "sub_", "__iadd__", "__isub__", "stack", "cat"}
)
_PLUS = frozenset({"add", "__radd__", "add_", "__iadd__"})
_SCALING = ("mul", "div")
_KEEPING = frozenset({"sum", "mean", "mul", "div", "neg", "squeeze", "reshape", "view", "to", "float", *_ADDING})
"""Through these, the sum that a loss is can be followed: all else makes something new of its terms."""
_COMPARING = frozenset(
    {
        "kl_div",
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "cross_entropy",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "cosine_similarity",
    }
)
"""Losses of an output, which comes first, and what it should be."""
_ALONE = (
    frozenset(
        {
            "softmax",
            "log_softmax",
            "sigmoid",
            "logsigmoid",
            "tanh",
            "log",
            "exp",
            "div",
            "mul",
            "neg",
            "clamp",
            "clamp_min",
            "pow",
            "sqrt",
            "normalize",
            "clone",
            "contiguous",
        }
    )
    | CASTS
)
"""Functions of one tensor alone."""
_COUNTING = ("histc", "bincount")
"""They give floating-point numbers, and have no gradient."""
_CONSTANT = "a term of the loss is a constant, and trains nothing"
_SHOWN = "unless the term is only added so that its value shows in the loss"


class Terms:
    """Looks at the losses of one recording."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session, self._sources = session, sources
        self._lineage = session.lineage()
        self._flow = Dataflow(sources)

    def facts(self) -> Iterator[Observed]:
        """One fact for each place by which a term of a loss became a constant."""
        calls = {each.place: each for each in self._session.asking.backwards if each.whole}
        told: set[int] = set()
        for call in calls.values():
            before = [each.event for each in self._session.asking.backwards if each.place == call.place]
            since = before[-2] if len(before) > 1 else 0
            found, kept = self._terms(call.targets)
            through = any(each in kept for _, term in found for each in self._stopped(term))
            for added, term in found:
                place, fact = self._term(added, term, since, call, through)
                if fact is not None and place not in told:
                    told.add(place)
                    yield fact

    def _terms(self, targets: tuple[int, ...]) -> tuple[list[tuple[Event, int]], set[int]]:
        """The terms without a graph that are added to something with one, and what else the sum is made of.

        A number is the term 0.
        """
        requires = self._session.recorder.serials.requires
        seen, waiting, found = set(targets), list(targets), []
        while waiting:
            for event in self._lineage.makers(waiting.pop()):
                name = self._name(event)
                if event.kind != j.OP or name not in _KEEPING:
                    continue
                scaled = [each for each in event.inputs if each > 0 and requires(each)]
                if name in _SCALING and (len(scaled) != 1 or (name == "div" and event.inputs[0] != scaled[0])):
                    continue  # what is added within a product counts for the gradient of the other factor
                if name in _PLUS and j.PYTHON in event.inputs:
                    found.append((event, 0))
                for each in event.inputs:
                    if each <= 0 or each in seen:
                        continue
                    seen.add(each)
                    if requires(each):
                        waiting.append(each)
                    elif name in _ADDING:
                        found.append((event, each))
        return found, seen

    def _term(self, added: Event, term: int, since: int, call: Backward, through: bool) -> tuple[int, Observed | None]:
        """Where a term became a constant, and what is to be said of it."""
        scalars = self._session.recorder.scalars
        marks = (
            *marked(self._at(added.place), "the term is added to the loss here, as a constant", "added"),
            *marked(self._at(call.place), "the loss is differentiated here", "asked"),
        )
        if not term:
            number = self._number(added, since) if added.outputs and added.outputs[0] in scalars else None
            return added.place, self._left(number, None, marks) if number is not None else None
        asked = self._asked(term)
        if asked is not None:
            return asked.place, self._second(asked, marks)
        if through or term not in scalars:
            return -1, None  # `hard + (soft - soft.detach())` has the gradient of another term
        lost = self._lost(term, since)
        if lost is not None:
            entry = lost.kind == j.ENTRY
            return lost.place, self._left(self._at(lost.place), lost, marks) if entry else self._stepped(lost, marks)
        back = self._came_back(term, since, call.event)
        if back is not None:
            return back[1].place, self._left(*back, marks)
        compared = self._compared(term) if self._name(added) not in ("sub", "rsub", "__rsub__", "sub_") else None
        if compared is not None:
            return compared[0].place, self._itself(*compared, marks)
        return -1, None

    # -- the ways to become a constant ---------------------------------------------------------------------------

    def _stopped(self, term: int) -> Iterator[int]:
        """What a term is a copy of, without its history."""
        for event in self._lineage.makers(term):
            if event.kind == j.OP and self._name(event) in STOPS:
                yield event.inputs[0]

    def _asked(self, term: int) -> Event | None:
        """The call of `autograd.grad` that a term comes from, unless it was detached on the way."""
        seen, waiting = {term}, [term]
        while waiting:
            for event in self._lineage.makers(waiting.pop()):
                name = self._session.journal.names[event.name]
                if name == f"autograd.grad{CUT}":
                    return event
                if event.kind != j.OP or self._name(event) in STOPS:
                    continue
                waiting += [each for each in event.inputs if each > 0 and each not in seen]
                seen.update(event.inputs)
        return None

    def _lost(self, term: int, since: int) -> Event | None:
        """The first row of this step that took something with a graph, and gave what has none; None where it is meant.

        All ways must have been lost by what has no gradient: one that was stopped says that a constant is wanted. A
        floating-point result without a graph came from another input (`broadcast_tensors`).
        """
        requires = self._session.recorder.serials.requires
        seen, waiting, found = {term}, [term], list[Event]()
        while waiting:
            tensor = waiting.pop()
            for event in self._lineage.makers(tensor):
                name = self._name(event)
                if event.index < since or event.kind not in (j.OP, j.ENTRY) or name in SHAPE_ONLY:
                    continue
                beside = event.kind == j.OP and name not in _COUNTING and self._lineage.is_differentiable(tensor)
                if not beside and any(each > 0 and requires(each) for each in event.inputs):
                    if name in STOPS or not self._keeps_graph(event):
                        return None
                    found.append(event)
                waiting += [each for each in event.inputs if each > 0 and not requires(each) and each not in seen]
                seen.update(event.inputs)
        return min(found, key=lambda event: event.index, default=None)

    def _came_back(self, term: int, since: int, before: int) -> tuple[Location, Event] | None:
        """Where what a term is computed from was read as an array or number, and the row by which that came back."""
        seen, waiting, came = {term}, [term], list[Event]()
        while waiting:
            for event in self._lineage.makers(waiting.pop()):
                if event.index < since or event.kind not in (j.OP, j.ENTRY) or self._name(event) in SHAPE_ONLY:
                    continue
                if event.kind == j.ENTRY:
                    came.append(event)
                waiting += [each for each in event.inputs if each > 0 and each not in seen]
                seen.update(event.inputs)
        exits = self._exits(since, before) if came else []
        found = left_and_came_back(self._lineage, Trail(exits, set()), came, self._flow) if exits else None
        return (found.exit, found.entry) if found is not None else None

    def _number(self, added: Event, since: int) -> Location | None:
        """Where the number that is added was read from what has a graph."""
        location = self._at(added.place)
        node = self._addend(added, location) if location is not None else None
        if location is None or node is None or not any(isinstance(each, ast.Name) for each in ast.walk(node)):
            return None
        place = self._sources.place(location.file, node)
        for event in reversed(self._exits(since, added.index)):
            exit = self._at(event.place)
            way = self._flow.way_out(exit, place, True) if exit is not None else None
            if way is not None:
                return way
        return None

    def _addend(self, added: Event, location: Location) -> ast.expr | None:
        """The number that is added, as it is written: the operand that is not the tensor."""
        written = operands("add", "+", location, self._sources)
        if written is not None:
            sides = [(written.left, written.right), (written.right, written.left)]
            found = [number for number, other in sides if self._is_tensor(added, location, other)]
            return found[0] if len(found) == 1 else None
        statement = self._sources.statement(location)
        in_place = self._name(added) in ("add_", "__iadd__")
        return statement.value if isinstance(statement, ast.AugAssign) and in_place else None

    def _is_tensor(self, added: Event, location: Location, node: ast.expr) -> bool:
        """Whether an operand is the tensor that was added to: what made that stands there, or binds its name."""
        span = self._sources.place(location.file, node)
        for tensor in added.inputs:
            for event in self._lineage.makers(tensor) if tensor > 0 else ():
                for frame in self._session.journal.chain(event.place):
                    at = frame.location
                    if isinstance(node, ast.Name) and node.id in self._sources.names(at):
                        return True
                    if at.file == span.file and _start(span) <= _start(at) and _end(at) <= _end(span):
                        return True
        return False

    def _exits(self, since: int, before: int) -> list[Event]:
        """The rows that read what has a graph, or was computed from that, as an array or number."""
        rows = self._session.journal.events(since, before)
        return [event for event in rows if event.kind == j.EXIT and self._has_graph(event.inputs[0], since)]

    def _has_graph(self, tensor: int, since: int) -> bool:
        """Whether a tensor has a graph, or was computed in this step from what has one, while graphs were kept."""
        requires = self._session.recorder.serials.requires
        seen, waiting = {tensor}, [tensor]
        while waiting:
            each = waiting.pop()
            if requires(each):
                return True
            for event in self._lineage.makers(each):
                if event.index >= since and event.kind == j.OP and self._keeps_graph(event):
                    waiting += [value for value in event.inputs if value > 0 and value not in seen]
                    seen.update(event.inputs)
        return False

    def _keeps_graph(self, event: Event) -> bool:
        """Whether graphs were kept when a row was written."""
        return self._lineage.timeline.span(GRAPH, event.index, event.thread) is not None

    def _compared(self, term: int) -> tuple[Event, Event, int] | None:
        """The first operation of an output that is compared with itself, the loss that does so, and the tensor."""
        event = self._maker(term)
        while event is not None and self._name(event) in _KEEPING:
            given = [each for each in event.inputs if each > 0]
            event = self._maker(given[0]) if len(given) == 1 else None
        if event is None or self._name(event) not in _COMPARING or not self._keeps_graph(event):
            return None
        sides = [each for each in event.inputs if each > 0]
        ends = [self._alone(each) for each in sides[:2]]
        if len(sides) != 2 or ends[0][1] != ends[1][1] or self._maker(ends[0][1]) is None:
            return None
        return ends[0][0] or event, event, ends[0][1]

    def _alone(self, tensor: int) -> tuple[Event | None, int]:
        """The first of some functions of one tensor alone that a tensor is the result of, and that tensor."""
        first = None
        while True:
            event = self._maker(tensor)
            given = [each for each in event.inputs if each > 0] if event is not None else []
            if event is None or self._name(event) not in _ALONE or len(given) != 1:
                return first, tensor
            first, tensor = event, given[0]

    def _maker(self, tensor: int) -> Event | None:
        found = self._lineage.makers(tensor)
        return found[0] if len(found) == 1 and found[0].kind == j.OP else None

    def _name(self, event: Event) -> str:
        return self._session.journal.names[event.name].partition("|")[0]

    # -- words ---------------------------------------------------------------------------------------------------

    def _second(self, asked: Event, marks: tuple[Marked, ...]) -> Observed:
        return Observed(
            slug="no-second-order-gradient",
            message=f"{_CONSTANT}: it is computed from a gradient, and `autograd.grad` was called without"
            " `create_graph=True`",
            label="this gradient has no history",
            location=self._at(asked.place),
            related=marks,
            severity="warning",
            fixes=(Fix(summary="pass `create_graph=True`", caveat=_SHOWN),),
        )

    def _left(self, exit: Location | None, entry: Event | None, marks: tuple[Marked, ...]) -> Observed:
        """The values of a term were copied: at once, or by way of NumPy or Python."""
        back = self._at(entry.place) if entry is not None else None
        copied = entry is not None and back == exit
        array = exit is not None and any(word in self._sources.expression(exit) for word in ("numpy", "np."))
        way = "a NumPy array" if array else "a Python number"
        return Observed(
            slug="left-tensorflow",
            message=f"{_CONSTANT}: `torch.{self._name(entry)}` copies values, and the copy has no history"
            if copied and entry is not None
            else f"{_CONSTANT}: it was {way} on the way, which has no history",
            label="copied here, without history" if copied else f"the value becomes {way} here",
            location=exit,
            related=(*(() if copied else marked(back, "a new tensor is created here, as a constant", "back")), *marks),
            severity="warning",
            certainty="proved" if copied else "likely",
            fixes=(
                Fix(
                    summary="use the tensor itself, or `torch.stack` for a list of tensors"
                    if copied
                    else "stay in PyTorch: remove the conversion, and use torch functions instead",
                    caveat=_SHOWN,
                ),
            ),
        )

    def _stepped(self, lost: Event, marks: tuple[Marked, ...]) -> Observed:
        name = self._name(lost)
        cast = name in CASTS
        if cast:
            why = f"{operation(name)} gives whole numbers, and only floating-point tensors have gradients"
        elif any(map(self._session.recorder.serials.requires, lost.outputs)):
            why = f"the indices that {operation(name)} returns have no gradient"
        else:
            why = f"{operation(name)} has no gradient"
        return Observed(
            slug="integer-dtype" if cast else "non-differentiable-op",
            message=f"{_CONSTANT}: {why}",
            label="the graph ends here",
            location=self._at(lost.place),
            related=marks,
            severity="warning",
            fixes=(Fix(summary="keep it floating-point" if cast else instead(name), caveat=_SHOWN),),
        )

    def _itself(self, first: Event, loss: Event, tensor: int, marks: tuple[Marked, ...]) -> Observed:
        made = self._maker(tensor)
        names = self._sources.names(where) if made is not None and (where := self._at(made.place)) is not None else ()
        what = f"`{names[0]}`" if len(names) == 1 else "a tensor"
        return Observed(
            slug="unused",
            message=f"{_CONSTANT}: `{self._name(loss)}` compares {what}, which has no graph, with itself",
            label="computed from the same tensor as what it is compared with",
            location=self._at(first.place),
            related=(*marked(self._at(loss.place), "compared here", "compared"), *marks),
            severity="warning",
            noun="parameter",
            fixes=(Fix(summary="compute this operand from the output of the model that is trained", caveat=_SHOWN),),
        )

    def _at(self, place: int) -> Location | None:
        return self._session.journal.location(place)


def _start(location: Location) -> tuple[int, int]:
    return location.line, location.column or 0


def _end(location: Location) -> tuple[int, int]:
    return location.end_line or location.line, location.end_column or 0
