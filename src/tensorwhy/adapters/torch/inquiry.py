"""What the recording says of one parameter, tensor or line that somebody asks about, healthy or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.inquiries import RecordedLines
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.operations.graphs import reached
from tensorwhy.adapters.torch.questions.asking import Asked as Question
from tensorwhy.adapters.torch.questions.asking import Backward
from tensorwhy.adapters.torch.recording.rows import GRAPH
from tensorwhy.adapters.torch.seen import Recording, reference
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.inquiry import Asked, Gradient, Seen, Subject, Update
from tensorwhy.model.location import Location
from tensorwhy.model.report import TensorRef
from tensorwhy.recording import journal as j

_GRAPH = "autograd"


class Inquiry(RecordedLines):
    """Reads one session. Of several calls of `backward` at one place the last one that was recorded is meant."""

    def __init__(self, session: Recording) -> None:
        self._session, self._explaining = session, Explaining(session)
        super().__init__(session.journal, session.lineage(), self._explaining.sources)
        self._known = self._lineage.rules.variables
        self._calls = list({each.place: each for each in session.asking.backwards if each.whole}.values())
        self._states = [state for state in session.training.states.values() if state.steps]

    # -- what there is -------------------------------------------------------------------------------------------

    def subjects(self) -> Iterator[Subject]:
        """Leaf tensors, calls of `backward`, and steps of optimizers."""
        for number in self._known:
            yield self._leaf(number)
        for at, call in enumerate(self._calls):
            yield Subject(key=at, kind="gradient", places=self._chain(call.place))
        for at, state in enumerate(self._states):
            yield Subject(key=at, kind="update", places=self._chain(state.place))

    def _leaf(self, number: int) -> Subject:
        known = self._known[number]
        named = known.name, self._called(known.created)
        return Subject(
            key=number,
            kind="variable",
            names=tuple(dict.fromkeys(filter(None, named))),
            places=self._chain(self._session.recorder.made.get(number, -1)),
        )

    def made_at(self, wanted: Callable[[Location], bool]) -> Iterator[Subject]:
        """What was computed last at such a line before each call of `backward`."""
        here: dict[int, bool] = {}
        made: dict[int, int] = {}
        for event in self._session.journal.events():
            if event.kind <= j.RECORDED and event.outputs:
                if event.place not in here:
                    here[event.place] = any(map(wanted, self._chain(event.place)))
                if here[event.place]:
                    made[event.outputs[0]] = event.index
        for call in self._calls:
            before = [tensor for tensor, row in made.items() if row < call.event]
            if before:
                yield self._tensor(before[-1])

    def _tensor(self, number: int) -> Subject:
        places = [place for event in self._lineage.makers(number) for place in self._chain(event.place)]
        names = [self._sources.name(place) or "".join(self._sources.names(place)[:1]) for place in places[:1]]
        return Subject(key=number, kind="tensor", names=tuple(filter(None, names)), places=tuple(dict.fromkeys(places)))

    def subject(self, thing: Any) -> Subject | None:
        """A living tensor."""
        number = self._session.recorder.serials.known(thing) if isinstance(thing, torch.Tensor) else None
        if number is None:
            return None
        if number in self._known:
            return self._leaf(number)
        return self._tensor(number) if self._lineage.makers(number) else None

    # -- what was seen -------------------------------------------------------------------------------------------

    def seen(self, subject: Subject) -> Iterator[Seen]:
        """One answer for each call of `backward` that the subject has a part in."""
        if subject.kind == "gradient":
            call = self._calls[subject.key]
            members = {number for state in self._states for number in state.members.values()}
            above = self._above(call)
            yield from (
                self._of(n, call)
                for n in self._known
                if n in self._session.recorder.leaves and (n in members or n in above)
            )
        elif subject.kind == "update":
            for number in self._states[subject.key].members.values():
                if number in self._known:
                    yield from self.seen(self._leaf(number))
        else:
            found = [self._of(subject.key, call) for call in self._calls]
            used = [each for each in found if each.used]
            yield from used or found[:1]
            if not found:
                yield Seen(subject=self._reference(subject.key), requested=False)

    def would(self, target: Any, sources: list[Any]) -> Iterator[Seen] | None:
        """The same for a question that the program did not ask; None when a tensor was not seen."""
        recorder = self._session.recorder
        known = recorder.serials.known
        numbers = [known(each) if isinstance(each, torch.Tensor) else None for each in (target, *sources)]
        if any(number is None for number in numbers):
            return None
        recorder.settle()
        call = Backward(
            number=-1,
            targets=(numbers[0] or 0,),
            place=-1,
            event=self._session.journal.position,
            whole=recorder.gap is None,
        )
        name = self._reference(call.targets[0]).name
        return (
            self._asked_by_hand(number or 0, each, target, call, name) for number, each in zip(numbers[1:], sources)
        )

    def _asked_by_hand(self, number: int, source: Any, target: Any, call: Backward, name: str) -> Seen:
        """What follows from the rows, and from PyTorch's own graph, which is there even where rows are missing."""
        seen = self._of(number, call)
        with torch._C.DisableTorchFunction():
            linked = target.requires_grad and source.requires_grad and reached((target,), source)
        gradient = seen.gradient
        if not linked or not call.whole:
            groups = tuple(self._explaining.explained(self._question(number, call))) if not linked else ()
            gradient = msgspec.structs.replace(
                gradient, arrives=linked, state="unknown" if linked else "none", groups=groups
            )
        gradient = msgspec.structs.replace(
            gradient, steps=(), norms=(), state="none" if not gradient.arrives else "unknown"
        )
        asked = Asked(target=f"`{name}`" if name else "the target", recorder=_GRAPH)
        return msgspec.structs.replace(seen, asked=asked, gradient=gradient, update=None)

    def _question(self, number: int, call: Backward) -> Question:
        return Question(
            call="backward",
            event=call.event,
            place=call.place,
            targets=call.targets,
            sources=(number,),
            asked=2,
            whole=call.whole,
        )

    def _above(self, call: Backward) -> set[int]:
        return self._lineage.ancestors(call.targets, call.event)

    def _of(self, number: int, call: Backward) -> Seen:
        state = next((each for each in self._states if number in each.members.values()), None)
        question = self._question(number, call)
        asked = self._explaining.question(question)
        used = number in self._above(call) or number in call.targets
        leaf = number in self._known
        arrives = Prediction(self._lineage, asked).arrives(number) if used else False
        if state is not None and state.steps and state.nones.get(number) == state.steps:
            arrives = False
        groups = () if arrives else tuple(self._explaining.explained(question))
        norms = self._session.training.norms.get(number, [])
        at = self._session.journal.location
        return Seen(
            subject=self._reference(number),
            asked=Asked(
                at=asked.location,
                target=asked.target or "the loss",
                recorder=_GRAPH,
                steps=state.steps if state is not None else 1,
            ),
            trainable=self._known[number].trainable if leaf else None,
            used=used,
            requested=used or not leaf,
            watched=number in self._session.recorder.leaves if leaf else True,
            gradient=Gradient(
                arrives=arrives,
                state="none" if not arrives else _state([norm for _, norm in norms]),
                steps=tuple(step for step, _ in norms),
                norms=tuple(norm for _, norm in norms),
                path=self._path(GRAPH, call.targets, call.event, number) if used else (),
                groups=groups,
            ),
            update=Update(
                optimizer=state.kind,
                at=at(state.place),
                given=True,
                changed=state.changed.get(number),
                until=state.steps,
            )
            if state is not None
            else None,
        )

    def _reference(self, number: int) -> TensorRef:
        known = self._known.get(number)
        if known is not None:
            return reference(known, *self._leaf(number).names[:1])
        subject = self._tensor(number)
        dtype = self._lineage.rules.dtypes.get(self._lineage.dtype.get(number, -1), "")
        return TensorRef(
            name=subject.names[0] if subject.names else "",
            dtype=dtype,
            location=subject.places[0] if subject.places else None,
        )


def _state(norms: list[float]) -> Any:
    if not norms:
        return "unknown"
    return "flows" if any(norms) else "zero"
