"""The program failed where it had just read a `.grad` that is None: why is it?"""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.probes import _lost
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    """The break in the graph of the last `backward`, for a leaf that the failing line looked at."""
    recording = current.recording()
    own = live.stacks[0].own
    if (
        recording is None
        or own is None
        or own is not live.stacks[0].raised  # a library that reads it, and refuses, is told of by what it refuses
        or not isinstance(live.exceptions[0], (AssertionError, AttributeError, TypeError))
    ):
        return
    at = own.location
    for place, number in reversed(recording.asking.nones.items()):
        read = recording.journal.location(place)
        if read is None or (read.file, read.line) != (at.file, at.line):
            continue
        yield from _lost.facts(recording, (number,))
        return
