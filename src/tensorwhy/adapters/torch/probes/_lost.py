"""Why some leaves got no gradient in the last `backward`, for a failure that comes from that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts import Fact


def facts(recording: Recording, numbers: Sequence[int], problem: str = "") -> Iterator[Fact]:
    """The breaks of these leaves. With a `problem` they are errors, whatever they are meant for."""
    last = recording.asking.backwards[-1]
    recording.asking.told.update(numbers)
    before = [each.event for each in recording.asking.backwards[:-1] if each.place == last.place]
    question = Asked(
        call="backward",
        event=last.event,
        place=last.place,
        targets=last.targets,
        sources=tuple(numbers),
        asked=len(recording.recorder.leaves),
        positions=tuple(range(len(numbers))),
        problem=problem,
        since=before[-1] if before else 0,
        whole=last.whole,
    )
    for group in Explaining(recording).explained(question):
        yield from group.facts
