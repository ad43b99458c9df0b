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
