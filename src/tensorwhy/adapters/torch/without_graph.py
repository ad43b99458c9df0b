"""Why a target has no graph, where the recording does not show how it was computed."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.torch import words
from tensorwhy.adapters.torch.asking import Asked
from tensorwhy.adapters.torch.explaining import Explaining
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix


def without_graph(recording: Recording, asked: Asked, explaining: Explaining) -> Iterator[Observed]:
    """Graphs are off where it was asked, or were when the target was computed; or that is not known."""
    at = recording.journal.location
    asks = "`backward()`" if asked.call == "backward" else "`autograd.grad()`"
    target, place = explaining.target(asked), at(asked.place)
    if asked.switch is not None and asked.switch.place >= 0:
        call, where = words.switch(asked.switch.word)
        yield Observed(
            slug="recording-stopped",
            message=f"{target} has no graph: it was computed {where} {call}, where no graph is kept",
            label="graphs are switched off here",
            location=at(asked.switch.place),
            related=words.marked(place, "this raises RuntimeError", "asked"),
            severity="error",
            certainty="likely",
            fixes=words.without_switch(asked.switch.word, f"compute {target} outside of {call}"),
        )
    elif not asked.whole and asked.call == "backward":
        yield Observed(
            slug="unexplained",
            message=f"{target} has no graph, and recording was paused when it was computed",
            label=f"{asks} is called here",
            location=place,
            severity="error",
            fixes=(
                Fix(summary="run it again with `--record full`: the report then names the line where the graph ends"),
            ),
        )
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
    return Observed(
        slug="not-trainable",
        message=f"{target} has no graph: nothing that it is computed from requires a gradient",
        label="a plain tensor is created here" if made is not None else "nothing here requires a gradient",
        location=made or at(asked.place),
        related=words.marked(at(asked.place) if made is not None else None, "this raises RuntimeError", "asked"),
        severity="error",
        fixes=(
            Fix(
                summary=f"create {name} with `requires_grad=True`"
                if made is not None
                else "compute it from a model's output, or give the input that is to be optimized"
                " `requires_grad_()` before it is used",
            ),
        ),
        notes=(f"`requires_grad_()` on {target} itself only silences the error",),
    )
