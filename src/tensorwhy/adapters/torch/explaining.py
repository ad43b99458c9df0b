"""From questions that a program asked to their answers: which graph was broken where, in PyTorch's words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from tensorwhy.adapters.torch import words
from tensorwhy.adapters.torch.asking import Asked, Asking
from tensorwhy.adapters.torch.recorder import GRAPH, Recorder
from tensorwhy.adapters.torch.training import State, Training
from tensorwhy.diagnosis.asked import call_at
from tensorwhy.lineage.dataflow import Dataflow
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Severity, Symptom
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.sources import Sources


class Recording(Protocol):
    """What is read of a session here."""

    journal: Journal
    recorder: Recorder
    asking: Asking
    training: Training

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""


class Explaining:
    """Answers all questions of one session."""

    def __init__(self, session: Recording) -> None:
        self._session = session
        self._recorder = session.recorder
        self._asking = session.asking
        self.sources = Sources()
        self._flow = Dataflow(self.sources)

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each source that got no gradient."""
        refused = self._asking.refused
        if refused is not None:
            self._asking.refused = None
            yield from self._refused(*refused)
        for asked in self._asking.questions:
            yield from self._explained(asked, _none(asked, self._location(asked.place)))
        self._asking.questions = []
        for state in self._session.training.states.values():
            yield from self._stepped(state)

    # -- the kinds of questions ----------------------------------------------------------------------------------

    def _stepped(self, state: State) -> Iterator[CaseGroup]:
        """Parameters that had no gradient in any step of their optimizer."""
        by_question: dict[int, tuple[Asked, list[int]]] = {}
        for number, asked in state.last.items():
            if state.nones.get(number) == state.steps and number not in state.cleared_at:
                by_question.setdefault(id(asked), (asked, []))[1].append(number)
        for asked, numbers in by_question.values():
            if not asked.targets:
                continue
            positions = tuple(at for at, number in zip(asked.positions, asked.sources) if number in numbers)
            kept = msgspec.structs.replace(asked, sources=tuple(numbers), positions=positions)
            symptom = Symptom(
                kind="none-gradient",
                message="`.grad` is None at each step of the optimizer",
                location=self._location(asked.place),
            )
            yield from self._explained(kept, symptom, times=state.steps, steps=state.steps)

    def _refused(self, asked: Asked, targets: tuple[Any, ...]) -> Iterator[CaseGroup]:
        """A call of `backward` or `grad` that raised, for a target that has no graph or a source that is not in it."""
        if asked.call == "backward" and any(each.requires_grad for each in targets):
            return
        name = type(asked.problem).__name__
        symptom = Symptom(
            kind="exception",
            message=f"{name}: {str(asked.problem).splitlines()[0]}",
            location=self._location(asked.place),
        )
        if asked.call == "backward":
            ancestors = self._session.lineage().ancestors(asked.targets, asked.event)
            members = {number for state in self._session.training.states.values() for number in state.members.values()}
            sources = [number for number in self._recorder.leaves if number in ancestors]
            sources = sources or [number for number in self._recorder.leaves if number in members]
            sources = sources or list(self._recorder.leaves)
            asked = msgspec.structs.replace(
                asked, sources=tuple(sources), asked=len(sources), positions=tuple(range(len(sources)))
            )
        yield from self._explained(asked, symptom, error=name)

    def _explained(
        self, asked: Asked, symptom: Symptom, error: str = "", times: int = 1, steps: int = 0
    ) -> Iterator[CaseGroup]:
        if not asked.whole or not asked.sources:
            return
        lineage = self._session.lineage()
        question = self._question(asked, error, times, steps)
        explainer = Explainer(lineage, question, self._flow, self._returned(), gap=self._recorder.gap)
        holes = bool(self._recorder.holes & lineage.ancestors(asked.targets, asked.event))
        for source in question.sources:
            facts = explainer.breaks(source)
            if holes and any(each.kind in ("unused", "unexplained", "untaken-branch") for each in facts):
                continue  # a part of the graph was not seen: nothing can be said
            severity = self._severity(asked, source, facts)
            yield CaseGroup(
                symptom=symptom,
                facts=tuple(self._with_words(each, severity) for each in facts),
                asked=True,
                times=times,
                steps=steps,
            )

    def _question(self, asked: Asked, error: str, times: int, steps: int) -> GradientQuestion:
        variables = self._session.lineage().rules.variables
        chain = self._session.journal.chain(asked.place)
        found = []
        for position, number in zip(asked.positions, asked.sources):
            known = variables.get(number)
            found.append(
                Source(
                    tensor=number,
                    variable=known is not None,
                    trainable=known.trainable if known is not None else None,
                    name=known.name if known is not None else "",
                    dtype=known.dtype if known is not None else "",
                    shape=known.shape if known is not None else None,
                    position=position,
                )
            )
        return GradientQuestion(
            event=asked.event,
            place=asked.place,
            tape=GRAPH,
            targets=asked.targets,
            sources=tuple(found),
            asked=asked.asked,
            all_sources=asked.sources,
            error=error,
            location=chain[0].location if chain else None,
            callers=tuple(frame.location for frame in chain[1:]),
            times=times,
            steps=steps,
            target=self._target(asked),
            noun="parameter" if any(number in self._recorder.parameters for number in asked.sources) else "leaf tensor",
        )

    def _severity(self, asked: Asked, source: Source, facts: tuple[GradientBreak, ...]) -> Severity | None:
        """How bad a None is. What a raised exception left is an error; what is never used may well be meant."""
        if asked.problem is not None:
            return "error"
        if asked.call != "step":
            return None
        if any(each.kind in ("unused", "untaken-branch", "unexplained") for each in facts):
            return "note"
        return "error" if len(asked.sources) == asked.asked else "warning"

    def _with_words(self, fact: GradientBreak, severity: Severity | None) -> GradientBreak:
        off = ""
        if fact.kind == "outside-tape":
            for place, word in self._recorder.off.items():
                if self._location(place) == fact.tape_closed:
                    off = word
        return msgspec.structs.replace(fact, told=words.told(fact, self.sources, off, severity))

    # -- places and names ----------------------------------------------------------------------------------------

    def _location(self, place: int) -> Location | None:
        return self._session.journal.location(place)

    def _target(self, asked: Asked) -> str:
        """What the program calls what it differentiates."""
        place = self._location(asked.backward if asked.call == "step" else asked.place)
        call = call_at(self.sources, place)
        if call is None:
            return "the loss"
        if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
            text = ast.unparse(call.func.value)
        elif call.args:
            text = ast.unparse(call.args[0])
        else:
            return "the loss"
        return f"`{text}`" if len(text) <= 60 and text not in ("self", "torch.autograd") else "the loss"

    def _returned(self) -> dict[int, Location]:
        return {}


def _none(asked: Asked, location: Location | None) -> Symptom:
    return Symptom(kind="none-gradient", message="the gradient is None", location=location)
