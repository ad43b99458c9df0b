"""Why a target has no graph, where the recording does not show how it was computed."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.torch import words
from tensorwhy.adapters.torch.asking import Asked
from tensorwhy.adapters.torch.explaining import Explaining
from tensorwhy.adapters.torch.saying import say
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts.told import Observed


def without_graph(recording: Recording, asked: Asked, explaining: Explaining) -> Iterator[Observed]:
    """Graphs are off where it was asked, or were when the target was computed; or that is not known."""
    at = recording.journal.location
    target, place = explaining.target(asked), at(asked.place)
    if asked.switch is not None and asked.switch.place >= 0:
        call, where = words.switch(asked.switch.word)
        fixes = words.without_switch(asked.switch.word, f"compute {target} outside of {call}")
        lines = {"asked": place}
        yield say(
            "target-without-graph", at(asked.switch.place), lines, fixes=fixes, target=target, how=f"{where} {call}"
        )
    elif not asked.whole and asked.call == "backward":
        yield say("target-not-seen", place, target=target)
    elif asked.call == "backward" and (found := _of_plain_tensors(recording, asked, explaining)) is not None:
        yield found


def _of_plain_tensors(recording: Recording, asked: Asked, explaining: Explaining) -> Observed | None:
    """Nothing that the target is computed from was ever told to require a gradient."""
    at, lineage, target = recording.journal.location, recording.lineage(), explaining.target(asked)
    behind = lineage.ancestors(asked.targets, asked.event)
    if recording.recorder.holes & behind or any(map(recording.recorder.serials.requires, behind)):
        return None
    given = recording.training.given()
    places = [at(event.place) for number in sorted(behind & set(given)) for event in lineage.makers(number)[:1]]
    made = next((each for each in places if each is not None), None)
    names = explaining.sources.names(made) if made is not None else ()
    name = f"`{names[0]}`" if len(names) == 1 else "the tensor that is to learn"
    lines = {"asked": at(asked.place) if made is not None else None}
    key = "target-of-plain-tensors" if made is not None else "target-of-nothing"
    return say(key, made or at(asked.place), lines, target=target, name=name)
