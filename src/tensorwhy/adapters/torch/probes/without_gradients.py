"""A scaler refuses a step, because no parameter of the optimizer has a gradient: why is that?"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.probes import _lost
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    """The breaks between the last loss and the parameters of this optimizer."""
    recording, stack = current.recording(), live.stacks[0]
    raised = stack.first("step", "amp/grad_scaler.py")
    if recording is None or raised is None or raised[1] is not stack.raised or not recording.asking.backwards:
        return
    if recording.recorder.forced:
        return  # the loss was made a leaf, which is told instead
    optimizer = raised[1].local("optimizer")
    if not isinstance(optimizer, torch.optim.Optimizer) or not isinstance(live.exceptions[0], AssertionError):
        return
    parameters = [each for group in optimizer.param_groups for each in group["params"]]
    known = recording.recorder.serials.known
    numbers = [number for each in parameters if each.grad is None and (number := known(each)) is not None]
    if numbers and len(numbers) == len(parameters):
        yield from _lost.facts(recording, numbers, problem="AssertionError")
