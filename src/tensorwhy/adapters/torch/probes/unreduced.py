"""DistributedDataParallel refuses the next forward pass, because the last loss did not use all parameters."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.probes import _lost
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Why the gradients that it waited for never came."""
    recording = current.recording()
    stack = live.stacks[0]
    raised = next((each for each in stack.find(("forward", "pre_forward"), "nn/parallel/distributed.py")), None)
    if (
        recording is None
        or raised is None
        or not recording.asking.backwards
        or type(live.exceptions[0]) is not RuntimeError
    ):
        return
    index, frame = raised
    own = any(each.user for each in stack.frames[index:])
    model = frame.local("self")
    if own or getattr(model, "reducer", None) is None:
        return  # the model itself failed inside
    last = recording.asking.backwards[-1]
    reached = recording.lineage().ancestors(last.targets, last.event)
    known = recording.recorder.serials.known
    numbers = [known(each) for each in model.parameters() if each.requires_grad]
    lost = [number for number in numbers if number is not None and number not in reached]
    if lost and len(lost) < len(numbers):
        yield from _lost.facts(recording, lost, problem="RuntimeError")
