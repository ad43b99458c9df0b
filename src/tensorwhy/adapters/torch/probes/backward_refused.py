"""`backward` or `autograd.grad` was refused, and the recording does not tell why: what the moment itself tells.

What is found here is kept for the end, where it is told as an answer to what the program asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.asking import Asked
from tensorwhy.adapters.torch.explaining import Explaining
from tensorwhy.adapters.torch.mixed import Mixed
from tensorwhy.adapters.torch.saying import say
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.spent import Spent
from tensorwhy.adapters.torch.without_graph import within, without_graph
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.told import Observed

_ENGINE = (
    ("engine_run_backward", "torch/autograd/graph.py"),
    (("backward", "grad"), "torch/autograd/__init__.py"),  # before PyTorch 2.3
)


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Where graphs were off, or which operation was given tensors of several dtypes."""
    recording = current.recording()
    stack = live.stacks[0]
    engine = next((frame for name, file in _ENGINE for _, frame in stack.find(name, file)), None)
    recomputed = stack.raised.name == "backward" and stack.raised.file.endswith("torch/utils/checkpoint.py")
    if recording is None or engine is None or not (engine is stack.raised or recomputed):
        return
    refusals = (recording.asking.refused, recording.asking.late)
    error, explaining = id(live.exceptions[0]), Explaining(recording)
    asked = next((each for each in refusals if each is not None and each.exception == error), None)
    targets, facts = engine.local("t_outputs") or engine.local("tensors") or (), tuple[Observed, ...]()
    off = recording.asking.off_within == error or (asked is not None and asked.switch is not None)
    if off and engine is stack.raised and not any(each.requires_grad for each in targets):
        found = within(recording, stack, explaining)
        if found is not None:
            recording.asking.refused, recording.asking.moment = None, (found[0], found[1:])
            return
    if asked is None:
        return
    if asked.stale:
        Spent(recording, explaining.sources).find_keepers(asked)
    if recomputed:
        facts = tuple(_without_graph_again(recording, stack.raised.local("ctx"), asked))
    elif any(each.requires_grad for each in targets):
        facts = tuple(Mixed(recording, stack).facts(targets))
        if not facts and not asked.stale:
            at = recording.journal.location(asked.place)
            facts = tuple(recording.asking.custom.refused(targets, asked.problem, at, explaining.sources))
    else:
        if not any(group.facts for group in explaining.refused(asked)):
            facts = tuple(without_graph(recording, asked, explaining))
    if facts:
        recording.asking.moment = asked, facts
    yield from ()


def _without_graph_again(recording: Recording, ctx: Any, asked: Asked) -> Iterator[Observed]:
    """A reentrant checkpoint gave a result with a graph, and what it computed again in `backward` has none."""
    row, at = recording.recorder.row(ctx), recording.journal.location
    event = recording.journal.event(row) if row >= 0 else None
    place = at(asked.place)
    lines = {"asked": place if event is not None else None}
    yield say("recomputed-without-graph", at(event.place) if event is not None else place, lines)
