"""What the signal walk finds in the steps that were executed again: gradients that are zero or not finite."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import torch

from tensorwhy.adapters.torch.explaining import written_nan
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.explaining.first_losses import called, first_not_finite, lost_once, with_element
from tensorwhy.adapters.torch.operations.traits import WORDING
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.recording.calls import GRAD
from tensorwhy.adapters.torch.replays.replay import Step
from tensorwhy.adapters.torch.replays.signals import Site, leaves_of
from tensorwhy.adapters.torch.replays.terms import FlatTerm
from tensorwhy.adapters.torch.seen import Reader, Recording, reference
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.updates import Update, not_finite
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import marked, operation
from tensorwhy.diagnosis import lost_targets
from tensorwhy.diagnosis.updates import scales_itself
from tensorwhy.lineage.signal import Node
from tensorwhy.lineage.signal_facts import facts, group
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import Fix, Symptom, TensorRef
from tensorwhy.recording import journal as j

_STEADILY = 3
"""So many steps in a row a parameter that is trained gets a gradient of zero before it is one that is lost."""

_DEAD = ("rectified", "saturated", "one-element")
"""What may be said of a gradient that was not zero before: others let nothing through now and then, as a clip does."""

_FEW = 3
"""So many lines may be to blame."""
_GROWN = 1e3
"""Weights that became so many times larger before they were lost have diverged."""
_DIVERGED = (
    Fix(
        summary="scale inputs and targets to mean 0 and standard deviation 1; if the loss still grows, divide the "
        "learning rate by 10, repeatedly"
    ),
    Fix(summary="if the loss still grows at any learning rate, one of its terms has the wrong sign"),
)
_NO_EPS = (
    Fix(summary="give the optimizer an `eps` that this dtype can express, such as `eps=1e-4`"),
    Fix(summary="or keep the parameters in float32, and compute under `torch.autocast`"),
)


def _check_first(at: Location) -> Fix:
    return Fix(
        summary=f"check the update on line {at.line} first: with a factor that is too large, it makes the weights "
        "larger in each step, and clipping gradients does not help"
    )


class LostSignals(Reader):
    """Reads one session at its end."""

    wording = WORDING

    def __init__(self, session: Recording, explaining: Explaining) -> None:
        super().__init__(session, explaining.sources)
        self._explaining = explaining
        self._places: dict[int, tuple[int, int]] = {}
        self._states = list(session.training.states.values())
        self._waiting = self._never_stepped()
        self._members = {n for state in self._states for n in state.members.values()} | self._waiting
        self._stored = self._changed_by_hand()

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each call site with a bad answer: what is not finite comes first."""
        told, answered, blamed = set[int](), set[int](), set[Location | None]()
        sites = self._session.asking.signals.sites.values()
        on = self._recorder.hide() if self._recorder.active else None
        try:
            executed = {site.place: self._session.asking.signals.steps(site) for site in sites}
        finally:
            self._recorder.show(on)
        for kind in ("n", "z"):
            for site in sites:
                step = executed[site.place].get(kind)
                found = self._of(site, kind, step, told) if step is not None else ()
                told.update(tensor for fact in found for tensor in fact.explained)
                if site.problem and step is not None and kind == "n" and not site.bad:
                    found = ()
                    yield from self._dropped(site, step)
                if found:
                    answered.add(site.place)
                    blamed.update(fact.location for fact in found)
                    answer = group(found[0].question, found)
                    yield self._as_raised(site, answer) if site.problem and kind == "n" else answer
        broken = [fact for state in self._states for fact in self._not_finite(state, told)]
        broken += self._not_finite_by_hand(told)
        for site in sites:
            alone = site.alone and not broken
            if site.lost and (alone or site.lost == site.looks) and site.place not in answered:
                for lost in self._lost(site, executed[site.place].get("loss")):
                    yield CaseGroup(symptom=Symptom(kind="silent", location=lost.location), facts=(lost,))
        for place, terms in self._session.asking.terms.flat.items():
            for term in terms.values():
                yield from self._flat(term, place, blamed) if term.times > 1 else ()
        if not broken and not any(site.lost or site.place in answered for site in sites):
            broken += lost_once(self._session)
        for fact in broken:
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.location), facts=(fact,))

    def _dropped(self, site: Site, step: Step) -> Iterator[CaseGroup]:
        """Anomaly mode raised at a NaN that no leaf would have got."""
        born, self._places = step.born(), step.places
        if born is None:
            return
        node, handed = born
        place, _ = self.place(node)
        lines = {"asked": self._at(site.place)}
        handed_back, name = f"{handed.nans} of the {handed.size}", operation(node.op)
        fact = say("nan-dropped", place or self._at(site.place), lines, name=name, numbers=handed_back)
        symptom = Symptom(kind="exception", message=site.problem, location=self._at(site.place))
        yield CaseGroup(symptom=symptom, facts=(fact,), asked=True)

    def _as_raised(self, site: Site, found: CaseGroup) -> CaseGroup:
        """The same as the answer to an exception."""
        symptom = Symptom(kind="exception", message=site.problem, location=self._at(site.place))
        return msgspec.structs.replace(found, symptom=symptom, asked=True)

    def _lost(self, site: Site, step: Step | None) -> Iterator[Observed]:
        """A target is NaN or infinite each time, although no gradient is."""
        self._places = step.places if step is not None else {}
        question, seen = self._question(site, [], "loss"), (site.lost, site.looks)
        label = written_nan.of_nothing(step, lost_targets.origins(step))
        yield lost_targets.told(self, question, step, seen, self._sources, label)

    def _flat(self, term: FlatTerm, place: int, told: set[Location | None]) -> Iterator[CaseGroup]:
        """A term of a loss gives no parameter a gradient, for a reason that was not told of the whole loss."""
        known = self._session.lineage().rules.variables
        leaves = tuple(each for each in term.leaves if each in known and each in self._members)
        made = self._at(term.made.place)
        asked = Asked(call="term", event=term.event, place=place, targets=(term.term,), sources=leaves)
        if term.step is not None and leaves:
            self._places = term.step.places
            question = self._explaining.question(asked)
            of_term = facts(self, question, term.step, term.times)
            found = tuple(each for each in of_term if each.why in ("flat", "cancelled") and each.location not in told)
            if found:
                yield group(question, found)
        elif term.straight is not None:
            call = term.straight
            layer = self._at(self._session.modules.made.get(call.owner, -1)) if call.owner else None
            lines = {"term": made, "asked": self._at(place)}
            fact = say(
                "term-flat", layer or self._at(call.place), lines, term=self._explaining.target(asked), name=call.name
            )
            yield CaseGroup(symptom=Symptom(kind="silent", location=made), facts=(fact,))

    def _not_finite(self, state: State, told: set[int]) -> Iterator[Observed]:
        """Parameters of an optimizer are NaN or infinite by now, and no operation is named for it."""
        members, known = {*state.members.values()}, self._session.lineage().rules.variables
        alive = leaves_of(members, self._recorder)
        lost = {number for number in state.broken if number not in alive}
        lost |= not_finite({number: each.detach() for number, each in alive.items()})
        numbers = [number for number in state.members.values() if number in lost and number in known]
        if not numbers or told & members:
            return
        grown = state.grown >= _GROWN
        refs = [reference(known[number]) for number in numbers]
        span = state.lost
        when = f"between steps {span[0]} and {span[1]} of {state.steps}" if span else f"after {state.steps} steps"
        if state.update is not None and state.update.numbers & lost:
            yield self._by_update(state, state.update, refs)
            return
        first = self._session.asking.graphs.found
        if first is not None and not grown:
            yield first_not_finite(self._session, self._sources, first, state, refs)
            return
        slopes = self._session.asking.graphs.slopes if not grown else ()
        events = map(self._journal.event, slopes)
        places = {at: operation(self._op(each)) for each in events if (at := self._at(each.place)) is not None}
        if 0 < len(places) <= _FEW:
            yield self._steep(places, state, refs)
            return
        scaled = self._scaled(numbers) if grown else []
        lines = {"asked": self._at(state.place) if scaled else None, "optimizer": self._at(state.made)}
        where = scaled[0] if scaled else self._at(state.place)
        key = "weights-scaled" if scaled else "weights-diverged" if grown else "weights-not-finite"
        fixes = (*map(_check_first, scaled), *_DIVERGED) if grown else ()
        yield say(key, where, lines, refs, fixes=fixes, name=called(refs[0]), when=when, grown=state.grown)

    def _steep(self, places: dict[Location, str], state: State, refs: list[TensorRef]) -> Observed:
        """Weights were lost although each loss before that was finite: a gradient was not."""
        (place, name), *others = places.items()
        fact = say(
            "slope-infinite",
            place,
            {"step": self._at(state.place)},
            refs,
            name=called(refs[0]),
            calls=self._session.asking.lost - 1,
            operation=name,
        )
        also = (mark for where, each in others for mark in marked(where, f"{each} has no finite slope at 0", "also"))
        return msgspec.structs.replace(fact, related=(*also, *fact.related))

    def _scaled(self, numbers: list[int]) -> list[Location]:
        """The lines of the program that change these parameters by a multiple of themselves."""
        journal, lost = self._session.journal, set(numbers)
        stored = (event for event in journal.events() if journal.names[event.name] in self._recorder.stores)
        places = dict.fromkeys(event.place for event in stored if event.inputs and event.inputs[0] in lost)
        found = (at for place in places if (at := journal.location(place)) is not None)
        return list({at.order[:2]: at for at in found if scales_itself(self._sources, at)}.values())

    def _not_finite_by_hand(self, told: set[int]) -> Iterator[Observed]:
        """Leaves that the program updates itself are NaN or infinite by now."""
        journal, known = self._session.journal, self._session.lineage().rules.variables
        alive = leaves_of(self._stored - self._members, self._recorder)
        values = {number: each.detach() for number, each in alive.items() if each.grad is not None}
        numbers = sorted(not_finite(values) & known.keys())
        if not numbers or told & values.keys():
            return
        stored = (event for event in journal.events() if journal.names[event.name] in self._recorder.stores)
        places = [event.place for event in stored if event.inputs[0] == numbers[0]]
        refs = [reference(known[number], known[number].name or self._name(known[number])) for number in numbers]
        at, calls = journal.location(places[-1]), self._session.asking.number
        yield say("leaf-not-finite", at, {}, refs, fixes=_DIVERGED[:1], name=called(refs[0]), calls=calls)

    def _name(self, leaf: Variable) -> str:
        return (self._sources.name(leaf.created) if leaf.created is not None else "") or "a leaf"

    def _by_update(self, state: State, update: Update, refs: list[TensorRef]) -> Observed:
        """A step turned finite values and gradients into others."""
        small = update.eps is not None
        why = (
            f"`eps={update.eps:g}` is 0 in {update.dtype}, so it divides by 0" if small else "its result is not finite"
        )
        return say(
            "step-not-finite",
            self._at(state.place),
            {"optimizer": self._at(state.made)},
            refs,
            fixes=_NO_EPS if small else _DIVERGED[:1],
            name=called(refs[0]),
            step=update.step,
            kind=state.kind,
            why=why,
            elements=update.elements,
            rate=update.rate,
        )

    def _of(self, site: Site, kind: str, step: Step, told: set[int]) -> tuple[SignalBreak, ...]:
        bad = {number: row for number, (state, row) in site.bad.items() if state == kind}
        left = [number for number, row in bad.items() if number not in told and self._counts(site, number, kind, row)]
        if not self._members and any(number not in self._recorder.parameters for number in left):
            left = [number for number in left if number not in self._recorder.parameters]  # an input was asked about
        if not left:
            return ()
        self._places = step.places
        steps = max(self._row(number, kind) or bad[number] for number in left)
        question = self._question(site, left, kind)
        copy = "earlier" if kind in site.restored else ""
        walked = facts(self, question, step, steps, copy, differentiated=site.differentiated)
        found = [written_nan.with_origin(each, step, self._session, self._sources) for each in walked]
        found = [self._with_cuts(with_element(each, step)) for each in found]
        if copy:
            span = self._span(left)
            # The last finite weights may be at an optimum, where terms cancel.
            found = [each for each in found if each.state != "zero" or each.why != "cancelled"]
            seen = ((each, msgspec.structs.replace(each.seen, span=span)) for each in found)
            return tuple(msgspec.structs.replace(each, seen=told) for each, told in seen)
        terms = [each for sites in self._session.asking.terms.flat.values() for each in sites.values()]
        if any(each.straight is not None for each in terms):  # that says why there is no second derivative
            found = [each for each in found if each.operation.name != GRAD or each.why == "summed"]
        steady = (each for each in found if self._is_steady(site, each))
        return tuple(self._with_rate(site, each) for each in steady)

    def _with_cuts(self, fact: SignalBreak) -> SignalBreak:
        """With where the same values reach the target without a gradient, beside a product with the number 0."""
        if fact.why != "other-zero" or not fact.operation.has_number:
            return fact
        lineage, question, requires = self._session.lineage(), fact.question, self._recorder.serials.requires
        behind, derived = lineage.ancestors(question.targets, question.event), {each.tensor for each in fact.sources}
        places = dict[int, None]()
        for event in self._session.journal.events(question.since, question.event):
            if event.kind <= j.RECORDED and derived.intersection(event.inputs):
                graph = [number for number in event.outputs if requires(number)]
                derived.update(graph)
                shape_only = lineage.op_name(event) in lineage.rules.shape_only
                if not graph and not shape_only and behind.intersection(event.outputs):
                    places[event.place] = None
        found = (self._session.journal.location(each) for each in places)
        return msgspec.structs.replace(fact, uses=tuple(each for each in found if each is not None))

    def _with_rate(self, site: Site, fact: SignalBreak) -> SignalBreak:
        """With the learning rate, where all of these had a gradient at first: steps of that size took it from them."""
        numbers = {source.tensor for source in fact.sources}
        state = next((each for each in self._states if numbers <= {*each.members.values()}), None)
        if state is None or fact.state != "zero" or not numbers <= site.fine:
            return fact
        rate = self._session.training.rates.get(state.made, 0.0)
        seen = msgspec.structs.replace(fact.seen, rate=rate, optimizer=self._session.journal.location(state.made))
        return msgspec.structs.replace(fact, seen=seen)

    def _span(self, numbers: list[int]) -> tuple[int, int] | None:
        spans = [state.lost for state in self._states if state.lost and {*numbers} & {*state.members.values()}]
        return spans[0] if spans else None

    def _is_steady(self, site: Site, fact: SignalBreak) -> bool:
        """Return whether zeros that came later are those of a network that died: else they come and go."""
        late = {source.tensor for source in fact.sources} & site.fine
        if fact.state != "zero" or not late:
            return True
        known = self._session.lineage().rules.variables
        states = [state for state in self._states if late & {*state.members.values()}]
        return fact.why in _DEAD and all(
            state.bad.get(number, " ")[0] == "z"
            for state in states
            for number in state.members.values()
            if number in known and len(known[number].shape or ()) > 1
        )

    def _question(self, site: Site, left: list[int], kind: str) -> GradientQuestion:
        asked = Asked(
            call=site.call,
            event=site.events[kind],
            place=site.place,
            targets=site.targets,
            sources=tuple(left),
            asked=site.asked,
        )
        question = self._explaining.question(asked)
        sources = [msgspec.structs.replace(each, variable=self.is_trained(each)) for each in question.sources]
        return msgspec.structs.replace(question, sources=tuple(sources))

    def _counts(self, site: Site, number: int, kind: str, row: int) -> bool:
        """Return whether a bad gradient does harm."""
        if site.problem and kind == "n":
            return True
        if number not in self._members:
            trained_elsewhere = bool(self._members) and number in self._recorder.parameters
            return not trained_elsewhere and row == site.looks
        if kind == "z":
            return self._row(number, kind) >= _STEADILY
        if number in self._waiting:
            return row >= _STEADILY
        return self._row(number, kind) > 0 or not self._is_finite(number)

    def _row(self, number: int, kind: str) -> int:
        rows = [state.bad[number][1] for state in self._states if state.bad.get(number, " ")[0] == kind]
        return max(rows, default=0)

    def _is_finite(self, number: int) -> bool:
        tensor = leaves_of([number], self._recorder).get(number)
        return tensor is None or bool(torch.isfinite(tensor.detach()).all())

    def _never_stepped(self) -> set[int]:
        """The parameters of optimizers that never made a step, although gradients were computed."""
        found = set[int]()
        known = self._recorder.serials.known
        for state in self._states:
            optimizer = state.optimizer() if not state.steps and not state.without_backward else None
            for group_ in optimizer.param_groups if optimizer is not None else ():
                found.update(number for each in group_["params"] if (number := known(each)) is not None)
        return found

    # -- what is known beside the numbers ------------------------------------------------------------------------

    def place(self, node: Node) -> tuple[Location | None, str]:
        """Return the user's line of an operation; of a ready-made module the line that made that, and its name."""
        place, owner = next((self._places[key] for key in node.outputs if key in self._places), (-1, 0))
        made = self._session.journal.location(self._session.modules.made.get(owner, -1)) if owner else None
        if made is not None:
            return made, self._session.modules.name_of(owner, self._sources)
        return self._session.journal.location(place), ""

    def named(self, key: int) -> Location | None:
        """PyTorch takes arrays as they are: where one got its name is not noted."""
        return None

    def created(self, source: Source) -> Location | None:
        """Return where a leaf was made."""
        return self._made(source.tensor)

    def is_trained(self, source: Source) -> bool:
        """Return whether an optimizer has a leaf, or the program changes it by hand."""
        return source.tensor in self._members or source.tensor in self._stored

    def is_unchanged(self, source: Source) -> bool:
        """Return whether the optimizer of a leaf never made a step."""
        raised = any(site.problem for site in self._session.asking.signals.sites.values())
        return source.tensor in self._waiting and not raised and self._is_finite(source.tensor)
