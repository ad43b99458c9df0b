"""From questions that a program asked to their answers: which graph was broken where, in PyTorch's words."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

import msgspec

from tensorwhy.adapters.torch.explaining import dead_ends, kept, missed
from tensorwhy.adapters.torch.explaining.dropped import discarded, dropped, overwritten
from tensorwhy.adapters.torch.explaining.missed import Missed
from tensorwhy.adapters.torch.explaining.passed import passed
from tensorwhy.adapters.torch.explaining.spent import Spent
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.recording.calls import GRAD, KEPT, ONCE, RECOMPUTED, SLOPE, STRAIGHT
from tensorwhy.adapters.torch.recording.rows import GRAPH
from tensorwhy.adapters.torch.seen import Reader, Recording, reference
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words import words
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.diagnosis.reason import AND_MORE
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed, NotRecorded, NotWatched, Unused
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import PathStep, Severity, Symptom, TensorRef
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

_SHORT = 40
_TIED = 2
NEEDS_GRAPH = ("backward", "retain_grad", "register_hook")
"""Methods of a tensor that is a result with a graph."""
_UNUSED = ("unused", "unexplained", "untaken-branch")


class Explaining(Reader):
    """Answers all questions of one session."""

    def __init__(self, session: Recording) -> None:
        super().__init__(session, Sources())
        self._asking = session.asking
        self.sources = self._sources
        self._flow = Dataflow(self.sources)
        self._optimizer = -1

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each source that got no gradient."""
        refused = self._asking.refused
        if refused is not None:
            self._asking.refused = None
            yield from self.refused(refused)
        if self._asking.moment is not None:
            asked, facts = self._asking.moment
            self._asking.moment = None
            symptom = Symptom(kind="exception", message=asked.problem, location=self._at(asked.place))
            yield CaseGroup(symptom=symptom, facts=facts, asked=True)
        for asked in self._asking.questions:
            yield from self.explained(asked, _none(asked, self._at(asked.place)))
        self._asking.questions = []
        for state in self._session.training.states.values():
            if state.steps > state.told:  # a notebook is told again only of further steps
                state.told = state.steps
                yield from self._stepped(state)

    def stepped(self) -> Iterator[CaseGroup]:
        """One group for each parameter without a gradient at all steps."""
        for state in self._session.training.states.values():
            yield from self._stepped(state)

    # -- the kinds of questions ----------------------------------------------------------------------------------

    def _stepped(self, state: State) -> Iterator[CaseGroup]:
        """Parameters that had no gradient in any step of their optimizer."""
        by_question: dict[int, tuple[Asked, list[int]]] = {}
        for number, asked in state.last.items():
            if number in self._asking.told:
                continue
            if state.nones.get(number) == state.steps and state.cleared_steps < state.followed:
                by_question.setdefault(id(asked), (asked, []))[1].append(number)
        for asked, numbers in by_question.values():
            if not asked.targets:
                continue
            positions = tuple(at for at, number in zip(asked.positions, asked.sources) if number in numbers)
            self._optimizer = state.made
            narrowed = msgspec.structs.replace(asked, sources=tuple(numbers), positions=positions)
            symptom = Symptom(
                kind="none-gradient",
                message="`.grad` is None at each step of the optimizer",
                location=self._at(asked.place),
            )
            yield from self.explained(
                narrowed, symptom, times=state.steps, steps=state.steps, meant=state.asleep | state.moved
            )

    def refused(self, asked: Asked) -> Iterator[CaseGroup]:
        """A call of `backward` or `grad` that raised."""
        location = self._at(asked.place)
        symptom = Symptom(kind="exception", message=asked.problem, location=location)
        if asked.rooted:
            if asked.stale and asked.whole:
                facts = tuple(Spent(self._session, self.sources).facts(asked, asked.stale))
                if facts:
                    yield CaseGroup(symptom=symptom, facts=facts, asked=True)
            return
        if asked.call == "backward":
            recorder = self._recorder
            ancestors = self._session.lineage().ancestors(asked.targets, asked.event)
            leaves = [number for number in recorder.leaves if number not in recorder.frozen]
            sources = [number for number in leaves if number in ancestors]
            if not sources and asked.whole:
                frozen = [number for number in recorder.parameters if number in ancestors]
                if frozen:
                    yield CaseGroup(symptom=symptom, facts=(self.frozen("all-frozen", asked, frozen),), asked=True)
                    return
            members = {number for state in self._session.training.states.values() for number in state.members.values()}
            sources = sources or [number for number in leaves if number in members] or leaves
            asked = asked.about(sources)
        elif frozen := [number for number in asked.sources if number in self._recorder.frozen]:
            yield CaseGroup(symptom=symptom, facts=(self.frozen("frozen-asked", asked, frozen),), asked=True)
            return
        else:
            asked = self._why_without_graph(asked)
        yield from self.explained(asked, symptom, error=asked.problem.partition(":")[0])

    def _why_without_graph(self, asked: Asked) -> Asked:
        """The question why a source has no graph itself, where it was computed from something that has one."""
        recorder, lineage = self._recorder, self._session.lineage()
        for number in asked.sources:
            behind = lineage.ancestors((number,), asked.event) - {number}
            among = tuple(each for each in recorder.leaves if each in behind)
            if among and not recorder.serials.requires(number):
                return asked.about(among, targets=(number,))
        return asked

    def frozen(self, key: str, asked: Asked, numbers: list[int]) -> Observed:
        known = self._session.lineage().rules.variables
        places = [self._recorder.frozen[number] for number in numbers if number in self._recorder.frozen]
        place, refs = self._at(asked.place), [reference(known[number]) for number in numbers]
        found = say(
            key,
            self._at(places[-1]) if places else place,
            {"asked": place},
            refs,
            target=self.target(asked),
            name=refs[0].name,
            label="frozen here" if places else "every parameter behind this is frozen",
        )
        tied = tuple(words.TIED.format(*names) for names in self._session.modules.tied(numbers))
        return msgspec.structs.replace(found, notes=(*found.notes, *tied[:_TIED]))

    def explained(
        self,
        asked: Asked,
        symptom: Symptom | None = None,
        error: str = "",
        times: int = 1,
        steps: int = 0,
        meant: Container[int] = (),
        added: Location | None = None,
        harm: Severity | None = None,
    ) -> Iterator[CaseGroup]:
        """Why each source of a question has no gradient. A term of a loss is `added` somewhere."""
        if not asked.whole or not asked.sources:
            return
        symptom = symptom or _none(asked, self._at(asked.place))
        lineage = self._session.lineage()
        question = self.question(asked, error, times, steps)
        explainer = Explainer(
            lineage, question, self._flow, self._asking.custom.returned(self.sources), gap=self._recorder.gap
        )
        holes = bool(self._recorder.holes & lineage.ancestors(asked.targets, asked.event))
        for source in question.sources:
            facts = tuple(self._known(each, asked) for each in explainer.breaks(source))
            facts = self._replaced(facts, source, asked)
            if (holes or asked.call in ("term", "read")) and any(each.kind in _UNUSED for each in facts):
                continue  # a part of the graph was not seen: nothing can be said
            checkpoint = next((each for each in facts if each.op == "CheckpointFunction"), None)
            if checkpoint is not None and checkpoint.kind == "no-gradient":
                yield CaseGroup(symptom=symptom, facts=(self._checkpoint(checkpoint),), asked=True)
                continue
            # What one call does inside, one after the other, is one break.
            places = {each.location.order if each.location is not None else each.kind: each for each in reversed(facts)}
            facts = tuple(self._with_other(each, asked) for each in facts if each in places.values())
            severity = "note" if source.tensor in meant else harm or self._severity(asked, source, facts)
            yield CaseGroup(
                symptom=symptom,
                facts=tuple(self._with_words(each, severity, added) for each in facts),
                asked=True,
                times=times,
                steps=steps,
            )

    def _known(self, fact: GradientBreak, asked: Asked) -> GradientBreak:
        """With what a second graph says, where the one that was recorded leads to the source: see `_apart`."""
        number = fact.sources[0].tensor
        late = self._thawed(number, asked) if fact.kind == "unexplained" else None
        if late is not None:
            known = {name: getattr(fact, name) for name in GradientBreak.__struct_fields__}
            used, place = late
            path = (PathStep(op=self._session.journal.names[used.name], location=self._at(used.place)),)
            return NotWatched(
                **known | {"kind": "not-watched", "path": path, "exact": True},
                watched="late",
                watched_at=self._at(place),
            )
        op, place = (self._apart(number, asked) if fact.kind == "unexplained" else None) or (fact.op, -1)
        kept = self._from_function(number, asked) if op in (SLOPE, STRAIGHT) else None
        if place < 0 and kept is None:
            return fact
        op, location = kept or (op, self._at(place))
        known = {name: getattr(fact, name) for name in GradientBreak.__struct_fields__}
        return NotPassed(**known | {"kind": "no-gradient", "op": op, "location": location, "exact": True})

    def _thawed(self, number: int, asked: Asked) -> tuple[Event, int] | None:
        """The first use of a leaf, and where it began to require a gradient, if all uses were before that."""
        thawed = self._recorder.thawed.get(number)
        if thawed is None or number in self._recorder.frozen:
            return None
        lineage = self._session.lineage()
        behind = lineage.ancestors(asked.targets, asked.event) | {*asked.targets}
        uses = [e for e in lineage.journal.events() if number in e.inputs and behind.intersection(e.outputs)]
        early = all(thawed.since <= each.index < thawed.until for each in uses)
        return (uses[0], thawed.place) if uses and early else None

    def _from_function(self, number: int, asked: Asked) -> tuple[str, Location | None] | None:
        """A custom function on the way whose `forward` computed with the source what its `backward` reads, or whose
        `backward` is not to be differentiated."""
        lineage, custom = self._session.lineage(), self._asking.custom
        behind = lineage.ancestors(asked.targets, asked.event)
        for row in sorted(custom.once.keys() | custom.kept.keys()):
            event = lineage.journal.event(row)
            if not behind.intersection(event.outputs) or number not in lineage.ancestors(event.outputs, asked.event):
                continue
            if row in custom.once:
                return f"{ONCE}|{custom.once[row]}", custom.marked_once(row, self.sources) or self._at(event.place)
            returned = custom.returned(self.sources).get(row)
            name = f"{lineage.journal.names[event.name]}.{custom.kept[row]}"
            return f"{KEPT}|{name}", returned or self._at(event.place)
        return None

    def _apart(self, number: int, asked: Asked) -> tuple[str, int] | None:
        """A gradient with a graph of its own that does not lead to the source, or a checkpoint that computes anew.

        `backward` goes through what a reentrant checkpoint computes the second time. Where all uses of a source are in
        one, and it got no gradient, that run did not use it.
        """
        lineage = self._session.lineage()
        behind = lineage.ancestors(asked.targets, asked.event) | {*asked.targets}
        for row, apart in self._asking.straight.items():
            event, used = lineage.journal.event(row), behind & apart.keys()
            if used and all(number in apart[each] for each in used):
                return STRAIGHT, event.place
        uses = [
            each
            for each in lineage.journal.events()
            if each.kind == j.OP and number in each.inputs and behind.intersection(each.outputs)
        ]
        again = {each.place for each in uses if lineage.journal.names[each.name] == "CheckpointFunction"}
        return (RECOMPUTED, again.pop()) if len(again) == len({each.place for each in uses}) == 1 else None

    def _replaced(self, facts: tuple[GradientBreak, ...], source: Source, asked: Asked) -> tuple[GradientBreak, ...]:
        """One fact where the module has another parameter by now, that the loss uses: it may have begun as a copy."""
        again = self._again(source.tensor, asked) if asked.call == "step" and facts else None
        if again is None or isinstance(facts[0], Unused):
            return facts
        known = {name: getattr(facts[0], name) for name in GradientBreak.__struct_fields__}
        return (Unused(**known | {"kind": "unused", "instead": (again,), "entry": again.created}),)

    def _with_other(self, fact: GradientBreak, asked: Asked) -> GradientBreak:
        """With the leaf of the same kind that the loss uses, where all that the optimizer holds goes unused."""
        if asked.call != "step" or not isinstance(fact, Unused) or fact.kind != "unused" or fact.instead:
            return fact
        lineage = self._session.lineage()
        again = self._again(fact.sources[0].tensor, asked)
        if again is not None:
            return msgspec.structs.replace(fact, instead=(again,), entry=again.created)
        if len(asked.sources) < asked.asked:
            return fact
        members = {number for state in self._session.training.states.values() for number in state.members.values()}
        ancestors, source = lineage.ancestors(asked.targets, asked.event), fact.sources[0]
        for number in self._recorder.leaves:
            known = lineage.rules.variables[number]
            if number in ancestors and number not in members and known.shape == source.shape is not None:
                used = next(
                    (e for e in lineage.journal.events() if e.kind <= j.RECORDED and e.outputs and number in e.inputs),
                    None,
                )
                entry = self._at(used.place) if used is not None else None
                return msgspec.structs.replace(fact, instead=(known,), entry=entry)
        return fact

    def _again(self, number: int, asked: Asked) -> Variable | None:
        """The parameter that a module has by now under the same name, where the loss uses that one."""
        lineage, names = self._session.lineage(), self._session.modules.names
        ancestors = lineage.ancestors(asked.targets, asked.event)
        given = self._session.training.given()
        same = (each for each in self._recorder.leaves if each in ancestors and each not in given)
        found = next((each for each in same if number in names and names.get(each) == names[number]), None)
        return lineage.rules.variables[found] if found is not None else None

    def _checkpoint(self, fact: GradientBreak) -> Observed:
        said = words.told(fact, self.sources, "", None)
        source = fact.sources[0]
        return Observed(
            slug="checkpoint-input",
            message=f"no gradient for `{source.name}`{AND_MORE}: {said.why}",
            label=said.label,
            location=fact.location,
            related=words.marked(fact.question.location, "no gradient for these parameters here", "asked"),
            severity="error",
            source=TensorRef(
                name=source.name, kind="variable", dtype=source.dtype, shape=source.shape, location=fact.made.source
            ),
            noun="parameter",
            path=fact.path,
            fixes=said.fixes,
        )

    def question(self, asked: Asked, error: str = "", times: int = 1, steps: int = 0) -> GradientQuestion:
        """The question as the lineage takes it."""
        variables = self._session.lineage().rules.variables
        chain = self._session.journal.chain(asked.place)
        given = self._session.training.given() - {*asked.sources} if asked.call == "step" else ()
        found = []
        for position, number in zip(asked.positions, asked.sources):
            known = variables.get(number)
            found.append(
                Source(
                    tensor=number,
                    variable=known is not None,
                    trainable=known.trainable if known is not None else None,
                    name=self._name(known) if known is not None else "",
                    dtype=known.dtype if known is not None else "",
                    shape=known.shape if known is not None else None,
                    position=position,
                )
            )
        return GradientQuestion(
            event=asked.event,
            place=asked.place,
            recorder=GRAPH,
            targets=asked.targets,
            sources=tuple(found),
            asked=asked.asked,
            all_sources=(*asked.sources, *given),
            error=error,
            location=chain[0].location if chain else None,
            callers=tuple(frame.location for frame in chain[1:]),
            times=times,
            steps=steps,
            since=asked.since,
            target=self.target(asked),
            noun="parameter" if any(number in self._recorder.parameters for number in asked.sources) else "leaf tensor",
        )

    def _name(self, leaf: Variable) -> str:
        """The name of a leaf; one that no statement gives a name was handed over as it was made."""
        made = leaf.created
        call = call_at(self.sources, made)
        if call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_":
            return leaf.name or ast.unparse(call.func.value)
        bound = self._bound(made)
        if bound.endswith(".requires_grad"):
            return leaf.name or bound.removesuffix(".requires_grad")
        named = made is not None and (self.sources.names(made) or self.sources.name(made))
        return leaf.name or ("" if named else "input")

    def _severity(self, asked: Asked, source: Source, facts: tuple[GradientBreak, ...]) -> Severity | None:
        """How bad a None is. What a raised exception left is an error; what is never used may well be meant."""
        if asked.problem:
            return "error"
        if all(each.op == STRAIGHT for each in facts):
            return "note"
        if asked.call == "grad":
            return "note" if all(each.kind == "unused" for each in facts) else "warning"
        if asked.call == "read":
            return "warning"
        if asked.call != "step":
            return None
        if any(isinstance(each, NotRecorded) and kept.is_chosen(each.recorder_closed, self.sources) for each in facts):
            return "note"
        if any(_is_instead(each) for each in facts):
            return "error" if len(asked.sources) == asked.asked else "warning"
        if any(each.kind in _UNUSED for each in facts):
            return "note"
        return "error" if len(asked.sources) == asked.asked else "warning"

    def _forced(self) -> Location | None:
        """The only place that makes a leaf of a loss whose graph has ended before."""
        numbers = {number for each in self._asking.backwards for number in each.forced}
        places = {self._recorder.forced[number] for number in numbers if number in self._recorder.forced}
        return self._at(places.pop()) if len(places) == 1 else None

    def _with_words(
        self, fact: GradientBreak, severity: Severity | None, added: Location | None = None
    ) -> GradientBreak:
        off = ""
        if isinstance(fact, NotRecorded):
            for place, word in self._recorder.off.items():
                if self._at(place) == fact.recorder_closed:
                    off = word
        made = self._at(self._optimizer) if _is_instead(fact) else None
        told = words.told(fact, self.sources, off, severity, made)
        names = self._session.modules.names
        if isinstance(fact, Unused) and made is not None and fact.instead:
            known = names.get(fact.sources[0].tensor)
            again = self._session.lineage().rules.variables[fact.instead[0].tensor].created
            if known is not None and known == names.get(fact.instead[0].tensor) and again is not None:
                told = words.rebound(told, known[0], [again])
        held = self._held(made, fact) if made is not None else ""
        if held:
            told = words.rebound(told, held, _bindings(self.sources, made, held))
            named = msgspec.structs.replace(fact.sources[0], name=held)
            fact = msgspec.structs.replace(fact, sources=(named, *fact.sources[1:]))
        forced = self._forced() if fact.kind in ("stop-gradient", "not-recorded", "left-framework") else None
        if forced is not None:
            told = words.forced_too(told, forced, self.sources)
        if off == words.SETTING:  # which no block ends
            told = msgspec.structs.replace(told, location=kept.made_without(fact, self._session.lineage()))
        layer = self._missed(fact) if fact.kind == "unused" and severity == "note" and self._optimizer >= 0 else None
        beside = self._beside(fact) if fact.kind == "unused" else None
        if beside is not None:
            told = words.beside_arguments(told, beside[0], self._at(beside[1]))
        elif layer is not None:
            told = words.never_called(told, *layer)
        elif fact.kind == "unused" and fact.location != fact.made.source and severity == "note":
            lost, other = dropped(fact.location, self.sources), overwritten(fact, self._session.lineage(), self.sources)
            told = words.in_vain(told, *lost) if lost is not None else told
            told = words.overwritten(told, other.name, other.location) if other is not None else told
            alone = discarded(fact, self._session.lineage(), self.sources)
            told = words.discarded(told, ast.unparse(alone.func)) if alone is not None else told
        if fact.kind == "unused" and self._is_asked(fact.question):
            given = passed(fact, self._session.lineage(), self.sources, self._recorder.serials.requires)
            told = words.passed(told, *given) if given is not None else told
        if fact.kind == "custom-gradient" and self._asking.custom.is_off(fact.location, self.sources):
            told = msgspec.structs.replace(told, why=words.OFF_INSIDE.format(fact.op), fixes=words.ON_INSIDE)
        if fact.kind == "no-gradient" and (dtype := self._asking.custom.integers.get(fact.op)):
            told = msgspec.structs.replace(told, why=words.OF_INTEGERS.format(fact.op, dtype), fixes=words.KEEP_FLOATS)
        if fact.kind == "no-gradient":
            end = dead_ends.find(fact, self._session.lineage(), self.sources, self._recorder.serials.requires)
            told = words.ends_unused(told, end.name, end.location) if end is not None else told
        stored = kept.find(fact, self._session.lineage(), self.sources) if isinstance(fact, NotRecorded) else None
        if stored is not None:
            fixes = stored.fixes() or told.fixes
            told = msgspec.structs.replace(told, related=(*told.related, *stored.marks()), fixes=fixes)
        if added is not None:
            mark = words.marked(added, "the term is added to the loss here, as a constant", "added")
            fixes = tuple(msgspec.structs.replace(each, caveat=words.SHOWN) for each in told.fixes)
            asked = "the loss is differentiated here"
            told = msgspec.structs.replace(told, related=(*told.related, *mark), fixes=fixes, asked=asked)
            if isinstance(fact, NotPassed):
                fact = msgspec.structs.replace(fact, within_gradient=fact.op == GRAD)
        if self._is_allowed(fact.question):
            told = msgspec.structs.replace(told, notes=(*told.notes, words.ALLOWED))
        if fact.kind == "unused" and self._session.modules.finds_unused():
            told = msgspec.structs.replace(told, notes=(*told.notes, words.FINDS_UNUSED))
        return msgspec.structs.replace(fact, told=told)

    def _beside(self, fact: GradientBreak) -> tuple[str, int] | None:
        """The call of a custom function on the way to the loss that was not given what it computed with."""
        question, lineage, number = fact.question, self._session.lineage(), fact.sources[0].tensor
        behind = lineage.ancestors(question.targets, question.event) | {*question.targets}
        for place, (name, used) in self._asking.custom.beside.items():
            if number in used or number in lineage.ancestors(tuple(used), question.event):
                calls = (each for each in lineage.journal.events() if each.place == place and each.kind == j.RECORDED)
                if any(behind.intersection(each.outputs) for each in calls):
                    return name, place
        return None

    def _missed(self, fact: GradientBreak) -> Missed | None:
        """The layer of a parameter that no step uses, where it was to replace one that the loss uses."""
        question, lineage = fact.question, self._session.lineage()
        used = lineage.ancestors(question.targets, question.event) & self._recorder.parameters.keys()
        return missed.find(self._session, fact.sources[0].tensor, used, self.sources)

    def _held(self, optimizer: Location, fact: GradientBreak) -> str:
        """The text for a single tensor that an optimizer was given in a list of such texts."""
        call = call_at(self.sources, optimizer)
        given = call.args[0] if call is not None and call.args else None
        one = isinstance(given, (ast.List, ast.Tuple)) and len(given.elts) == len(fact.question.sources) == 1
        text = ast.unparse(given.elts[0]) if one and isinstance(given, (ast.List, ast.Tuple)) else ""
        return text if text.replace(".", "").isidentifier() and not fact.sources[0].name.endswith(text) else ""

    def _is_asked(self, question: GradientQuestion) -> bool:
        """Whether `autograd.grad` was asked."""
        call = call_at(self.sources, question.location)
        return call is not None and ast.unparse(call.func).endswith("grad")

    def _is_allowed(self, question: GradientQuestion) -> bool:
        """Whether the call says that a None is fine."""
        call = call_at(self.sources, question.location) if not question.error else None
        return call is not None and any(each.arg == "allow_unused" for each in call.keywords)

    # -- places and names ----------------------------------------------------------------------------------------

    def target(self, asked: Asked) -> str:
        """What the program calls what it differentiates."""
        if asked.call == "term":
            rows = [self._at(event.place) for event in self._session.lineage().makers(asked.targets[0])]
            text = self.sources.expression(rows[-1]) if rows and rows[-1] and rows[-1].column is not None else ""
            return f"the term `{text}` of the loss" if 0 < len(text) <= _SHORT else "a term of the loss"
        place = self._at(asked.backward if asked.backward >= 0 else asked.place)
        call = call_at(self.sources, place)
        if call is None:
            return "the loss"
        if isinstance(call.func, ast.Attribute) and call.func.attr in NEEDS_GRAPH:
            text = ast.unparse(call.func.value)
        elif call.args:
            text = ast.unparse(call.args[0])
        else:
            return "the loss"
        return f"`{text}`" if len(text) <= 60 and text not in ("self", "torch.autograd") else "the loss"


def _bindings(sources: Sources, near: Location | None, text: str) -> list[Location]:
    """The assignments to a name or attribute in a file, but for the one in the function of a line."""
    found = []
    for node in sources.nodes(near.file) if near is not None else ():
        if isinstance(node, ast.Assign) and near is not None and text in map(ast.unparse, node.targets):
            place = sources.place(near.file, node)
            if sources.function(place) is not sources.function(near):
                found.append(place)
    return found


def _none(asked: Asked, location: Location | None) -> Symptom:
    return Symptom(kind="none-gradient", message="the gradient is None", location=location)


def _is_instead(fact: GradientBreak) -> bool:
    return isinstance(fact, Unused) and bool(fact.instead)
