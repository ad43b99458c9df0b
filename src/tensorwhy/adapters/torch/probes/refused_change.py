"""PyTorch refused an operation at once: it changes in place what must not change, or has no graph at all."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining import unchangeable
from tensorwhy.model.facts import Fact
from tensorwhy.source.files import Sources


def probe(live: LiveFailure) -> Iterator[Fact]:
    """What the last call that raised had refused, where the program ends in that line."""
    recording = current.recording()
    if recording is None or not recording.recorder.refusals:
        return
    place = recording.journal.location(recording.recorder.refusals[-1][1])
    if place is not None and place == live.record.location:
        yield unchangeable.fact(recording, Sources())
