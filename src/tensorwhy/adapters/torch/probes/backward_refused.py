"""`backward` or `autograd.grad` was refused, and the recording does not tell why: what the moment itself tells.

What is found here is kept for the end, where it is told as an answer to what the program asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining import Explaining
from tensorwhy.adapters.torch.mixed import Mixed
from tensorwhy.adapters.torch.without_graph import without_graph
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
    engine = next(
        (frame for name, file in _ENGINE for _, frame in stack.find(name, file) if frame is stack.raised), None
    )
    if recording is None or engine is None:
        return
    refusals = (recording.asking.refused, recording.asking.late)
    asked = next((each for each in refusals if each is not None and each.exception == id(live.exceptions[0])), None)
    if asked is None:
        return
    targets, facts = engine.local("t_outputs") or engine.local("tensors") or (), tuple[Observed, ...]()
    if any(each.requires_grad for each in targets):
        facts = tuple(Mixed(recording, stack).facts(targets))
    else:
        explaining = Explaining(recording)
        if not any(group.facts for group in explaining.refused(asked)):
            facts = tuple(without_graph(recording, asked, explaining))
    if facts:
        recording.asking.moment = asked, facts
    yield from ()
