"""Terms of losses that are constants to the gradient, although they were computed from what is trained.

Such a term is asked about as if it was differentiated by itself: then it is a question like any other, and has its
answer. What is left here is whether it is meant. A copy for display is; what was computed anew of values that somebody
took out of the graph is not, unless another term has the same values for its target.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.operations.kinds import CASTS, SHAPE_ONLY, STOPS
from tensorwhy.adapters.torch.operations.rules import CUT
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.recording.rows import GRAPH
from tensorwhy.adapters.torch.replays.terms import SCALING, SUMMING, Sum, Term, key_of
from tensorwhy.adapters.torch.seen import Reader, Recording
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.diagnosis.operations import operands
from tensorwhy.lineage.unconnected import Trail, left_and_came_back
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Severity, Symptom
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.dataflow import Dataflow

_COMPARING = frozenset(
    {
        *("kl_div", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "cosine_similarity"),
        *("binary_cross_entropy", "binary_cross_entropy_with_logits"),
    }
)
"""Losses of an output, which comes first, and what it should be."""
_ALONE = CASTS | frozenset(
    {
        *("softmax", "log_softmax", "sigmoid", "logsigmoid", "tanh", "log", "exp", "div", "mul", "neg", "clamp"),
        *("clamp_min", "pow", "sqrt", "normalize", "clone", "contiguous"),
    }
)
"""Functions of one tensor alone."""
_COUNTING = ("histc", "bincount")
"""They give floating-point numbers, and have no gradient."""
_FUNCTIONAL = ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")
"""Derivatives by functions, which take copies of what they are given."""
_Lines = dict[str, Location | None]
_MOST = 5_000
_SHORT = 40


class Cut(NamedTuple):
    """A row that took something with a graph, and gave what has none.

    `how`: "stopped" on purpose, "off" where graphs were, "grad" for a gradient without its graph, else "lost".
    `use` is what the term is of what came out: the same, or a sum (0), a multiple (1), or computed anew of it (2).
    """

    event: Event
    how: str
    use: int


class Constants(Reader):
    """Looks at the losses of one recording."""

    def __init__(self, session: Recording, explaining: Explaining) -> None:
        super().__init__(session, explaining.sources)
        self._explaining = explaining
        self._lineage = session.lineage()
        self._flow = Dataflow(self._sources)
        known, frozen = session.recorder.serials.requires, session.recorder.frozen
        self._requires: Callable[[int], bool] = lambda number: known(number) and number not in frozen
        self._told = set[int]()

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each parameter that such a term would train, or one for the term."""
        for fact in self.averaged():
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.location), facts=(fact,))
        for place, made in self._session.asking.terms.sums.items():
            beside = self._lineage.ancestors(tuple(each.tensor for each in made.rooted), made.event)
            through = any(stopped in beside for term in made.constant for stopped in self._stopped(term.tensor))
            for term in made.constant:
                if made.often[key_of(term)] == made.looks:
                    yield from self._term(term, made, place, through, beside)
            yield from self._first_order(made, place)
        yield from self._for_others()

    def _for_others(self) -> Iterator[CaseGroup]:
        """Terms whose gradients no step uses: what the optimizer trains does not get any, and others' are cleared."""
        found: dict[int, list[tuple[Asked, Event] | None]] = {}
        given = self._session.training.given()
        for call in self._session.asking.backwards:
            members = {number for state in call.users for number in state.members.values()}
            for term in call.terms if members and len(call.terms) > 1 else ():
                made, reached = self._maker(term), self._reached(term, call.event)
                if made is None:
                    continue
                behind = self._lineage.ancestors((term,), call.event) & members
                idle = behind and reached and reached <= given - members
                asked = Asked(call="term", event=call.event, place=call.place, targets=(term,), sources=tuple(behind))
                found.setdefault(made.place, []).append((asked, made) if idle else None)
        for looks in found.values():
            last = looks[-1]
            if last is not None and len(looks) > 1 and all(looks):
                symptom = Symptom(kind="silent", location=self._at(last[0].place))
                yield from self._explaining.explained(last[0], symptom, harm="warning")

    def _reached(self, term: int, before: int) -> set[int]:
        """The leaves to which the gradient of a term leads."""
        seen, waiting = {term}, [term]
        while waiting and len(seen) < _MOST:
            more = {each.source for each in self._lineage.edges(waiting.pop(), before) if not each.loss} - seen
            seen |= more
            waiting += more
        return seen & self._session.recorder.leaves.keys()

    def _term(self, term: Term, made: Sum, place: int, through: bool, beside: set[int]) -> Iterator[CaseGroup]:
        scalars = self._session.recorder.scalars
        added = self._maker(term.added.outputs[0]) if term.added is not None else None
        if added is None:
            return
        marks = {"added": self._at(added.place), "asked": self._at(place)}
        if not term.tensor:
            number = self._number(added, made.since) if added.outputs[0] in scalars else None
            if number is not None:
                yield from self._once(added.place, self._left(number, None, marks))
            return
        cuts = self._cuts(term.tensor, made.since)
        ways = {each.how for each in cuts}
        if "grad" in ways and "stopped" not in ways:
            yield from self._asked(term, made, place, added, next(each for each in cuts if each.how == "grad"))
            return
        if through or term.tensor not in scalars:
            return  # `hard + (soft - soft.detach())` has the gradient of another term
        compared = self._compared(term.tensor) if self._op(added) not in ("sub", "rsub", "__rsub__", "sub_") else None
        if compared is not None:
            yield from self._once(compared[0].place, self._itself(*compared, marks))
            return
        if ways & {"stopped", "off"}:
            first = min((each for each in cuts if each.how in ("stopped", "off")), key=lambda each: each.event.index)
            use = 0 if any(beside & {*each.event.outputs} for each in cuts) else min(each.use for each in cuts)
            if use:
                yield from self._asked(term, made, place, added, first, "warning" if use > 1 else "note")
                return
        elif cuts:
            first = min(cuts, key=lambda each: each.event.index)
            if first.event.kind == j.ENTRY:
                fact = self._left(self._at(first.event.place), first.event, marks)
                yield from self._once(first.event.place, fact)
            else:
                yield from self._asked(term, made, place, added, first)
            return
        back = self._came_back(term.tensor, made)
        if back is not None:
            yield from self._once(back[1].place, self._left(*back, marks))
            return

    def _once(self, place: int, fact: Observed) -> Iterator[CaseGroup]:
        if place not in self._told:
            self._told.add(place)
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.location), facts=(fact,))

    def _asked(
        self, term: Term, made: Sum, place: int, added: Event, cut: Cut, severity: Severity = "warning"
    ) -> Iterator[CaseGroup]:
        """Why the term has no gradient, as if somebody had asked for that."""
        if cut.event.place in self._told:
            return
        self._told.add(cut.event.place)
        reached = self._lineage.ancestors(cut.event.inputs, cut.event.index) | {*cut.event.inputs}
        leaves = [each for each in self._lineage.rules.variables if each in reached]
        leaves = [each for each in leaves if each in self._members] or leaves
        asked = Asked(call="term", event=made.event, place=place, targets=(term.tensor,), sources=tuple(leaves))
        symptom = Symptom(kind="silent", location=self._at(place))
        yield from self._explaining.explained(asked, symptom, added=self._at(added.place), harm=severity)

    def _first_order(self, made: Sum, place: int) -> Iterator[CaseGroup]:
        """A gradient that is a constant updates the leaves that it is of, and the result goes on to the loss."""
        names, reached = self._session.journal.names, self._lineage.ancestors(made.targets, made.event)
        for asked in self._session.journal.events(made.since, made.event):
            if asked.kind != j.OP or names[asked.name] != f"autograd.grad{CUT}" or asked.place in self._told:
                continue
            call = call_at(self._sources, self._at(asked.place))
            if call is None or any(each.arg == "create_graph" for each in call.keywords):
                continue
            name = ast.unparse(call.func)
            behind = self._lineage.ancestors(asked.inputs, asked.index) | {*asked.inputs}
            harm: Severity = "note"
            update, caveat = None, "unless first order is enough (FOMAML)"
            message = (
                "the loss is differentiated through an update whose gradient is a constant: the terms of second order"
            )
            if name.rpartition(".")[2] in _FUNCTIONAL and reached & {*asked.outputs} and behind & self._members:
                harm, caveat = "warning", "unless the derivative should count as a constant"
                message = f"the loss is computed with the result of `{name}`, which is a constant to its gradient"
            elif (update := self._update(asked, made, reached)) is not None:
                message += " are left out"
            else:
                continue
            lines = {"update": self._at(update.place) if update else None, "asked": self._at(place)}
            fact = say("constant-gradient", self._at(asked.place), lines, message=message, caveat=caveat)
            fact = msgspec.structs.replace(fact, severity=harm)
            yield from self._once(asked.place, fact)

    def _update(self, asked: Event, made: Sum, reached: set[int]) -> Event | None:
        """The row that adds a multiple of a gradient to a leaf, or result, that it is the gradient of."""
        derived = {*asked.outputs}
        for event in self._session.journal.events(asked.index, made.event):
            if event.kind != j.OP or not derived & {*event.inputs} or self._op(event) not in SUMMING:
                continue
            if not any(self._requires(each) for each in event.outputs):
                derived.update(event.outputs)
            elif reached & {*event.outputs} and {*asked.inputs} & {*event.inputs}:
                return event
        return None

    def averaged(self) -> Iterator[Observed]:
        """One fact for each mean of samples that is multiplied with a number for each of them."""
        for times, mean, asked in self._session.asking.terms.averaged.values():
            location = self._at(times.place)
            text = self._sources.expression(location) if location is not None else ""
            what = f"`{text}`" if 0 < len(text) <= _SHORT else "this product"
            lines = {"reduced": self._at(mean.place), "asked": self._at(asked)}
            yield say("averaged-first", location, lines, what=what, name=mean.name)

    # -- the ways to become a constant ---------------------------------------------------------------------------

    def _stopped(self, term: int) -> Iterator[int]:
        """What a term is a copy of, without its history."""
        for event in self._lineage.makers(term) if term else ():
            if event.kind == j.OP and self._op(event) in STOPS:
                yield event.inputs[0]

    def _cuts(self, term: int, since: int) -> list[Cut]:
        """The rows of this step by which a term, or a part of it, became a constant.

        A floating-point result without a graph came from another input (`broadcast_tensors`).
        """
        seen, waiting, found = {term}, [(term, 0)], list[Cut]()
        while waiting and len(seen) < _MOST:
            tensor, use = waiting.pop()
            for event in self._lineage.makers(tensor):
                name = self._op(event)
                if event.index < since or event.kind not in (j.OP, j.ENTRY) or name in SHAPE_ONLY:
                    continue
                rooted = any(each > 0 and self._requires(each) for each in event.inputs)
                if rooted and self._session.journal.names[event.name] == f"autograd.grad{CUT}":
                    found.append(Cut(event, "grad", 2))
                elif rooted and name in STOPS:
                    found.append(Cut(event, "stopped", use))
                elif rooted and not self._keeps_graph(event):
                    found.append(Cut(event, "off", use))
                elif rooted and (
                    event.kind == j.ENTRY or name in _COUNTING or not self._lineage.is_differentiable(tensor)
                ):
                    found.append(Cut(event, "lost", 2))
                own = 0 if not self._keeps_graph(event) else 2 if name not in SUMMING else name in SCALING
                free = [each for each in event.inputs if each > 0 and not self._requires(each) and each not in seen]
                waiting += [(each, max(use, own)) for each in free]
                seen.update(event.inputs)
        return found

    def _came_back(self, term: int, made: Sum) -> tuple[Location, Event] | None:
        """Where what a term is computed from was read as an array or number, and the row by which that came back."""
        every = self._lineage.ancestors((term,), made.event) | {term}
        came = [event for each in every for event in self._lineage.makers(each) if event.kind == j.ENTRY]
        came = sorted((event for event in came if event.index >= made.since), key=lambda event: event.index)
        exits = self._exits(made.since, made.event) if came else []
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
        in_place = self._op(added) in ("add_", "__iadd__")
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
        if self._requires(tensor):
            return True
        cuts = self._cuts(tensor, since)
        return any(each.how != "off" for each in cuts)

    def _keeps_graph(self, event: Event) -> bool:
        """Whether graphs were kept when a row was written."""
        return self._lineage.timeline.span(GRAPH, event.index, event.thread) is not None

    def _compared(self, term: int) -> tuple[Event, Event, int] | None:
        """The first operation of an output that is compared with itself, the loss that does so, and the tensor."""
        event = self._maker(term)
        while event is not None and self._op(event) in SUMMING:
            given = [each for each in event.inputs if each > 0]
            event = self._maker(given[0]) if len(given) == 1 else None
        if event is None or self._op(event) not in _COMPARING or not self._keeps_graph(event):
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
            if event is None or self._op(event) not in _ALONE or len(given) != 1:
                return first, tensor
            first, tensor = event, given[0]

    def _maker(self, tensor: int) -> Event | None:
        found = self._lineage.makers(tensor)
        return found[0] if len(found) == 1 and found[0].kind == j.OP else None

    # -- words ---------------------------------------------------------------------------------------------------

    def _left(self, exit: Location | None, entry: Event | None, marks: _Lines) -> Observed:
        """The values of a term were copied: at once, or by way of NumPy or Python."""
        back = self._at(entry.place) if entry is not None else None
        copied = entry is not None and back == exit
        array = exit is not None and any(word in self._sources.expression(exit) for word in ("numpy", "np."))
        way = "a NumPy array" if array else "a Python number"
        lines = marks | {"back": None if copied else back}
        name = self._op(entry) if entry is not None else ""
        return say("term-copied" if copied else "term-left", exit, lines, name=name, way=way)

    def _itself(self, first: Event, loss: Event, tensor: int, marks: _Lines) -> Observed:
        made = self._maker(tensor)
        name = self._bound(self._at(made.place)) if made is not None else ""
        what = f"`{name}`" if name else "a tensor"
        lines = marks | {"compared": self._at(loss.place)}
        return say("term-of-itself", self._at(first.place), lines, name=self._op(loss), what=what)


def _start(location: Location) -> tuple[int, int]:
    return location.line, location.column or 0


def _end(location: Location) -> tuple[int, int]:
    return location.end_line or location.line, location.end_column or 0
