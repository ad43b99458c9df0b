"""A failure that comes from gradients that are None: in the program's own line, in a scaler, or in a parallel model."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining.answers import Explaining
from tensorwhy.adapters.torch.questions.asking import Asked
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts import Fact


def probe(live: LiveFailure) -> Iterator[Fact]:
    """Why some leaves got no gradient in the last `backward`. What a library refused is an error, whatever is meant."""
    recording, error = current.recording(), type(live.exceptions[0])
    if recording is not None and (answered := _answered(recording, live)) is not None:
        recording.asking.questions.remove(answered)
        for group in Explaining(recording).explained(answered, harm="error"):
            yield from group.facts
    if recording is None or not recording.asking.backwards:
        return
    refused = _stepped(recording, live) or _awaited(recording, live)
    numbers = refused or _read(recording, live)
    if not numbers:
        return
    asking, last = recording.asking, recording.asking.backwards[-1]
    asking.told.update(numbers)
    before = [each.event for each in asking.backwards[:-1] if each.place == last.place]
    question = Asked(
        call="backward",
        event=last.event,
        place=last.place,
        targets=last.targets,
        sources=tuple(numbers),
        asked=len(recording.recorder.leaves),
        problem=error.__name__ if refused else "",
        since=before[-1] if before else 0,
        whole=last.whole,
    )
    for group in Explaining(recording).explained(question):
        yield from group.facts


def _answered(recording: Recording, live: LiveFailure) -> Asked | None:
    """The last call of `autograd.grad`, if the same function fails after it on a None that it returned."""
    own, asked = live.stacks[0].own, next(reversed(recording.asking.questions), None)
    if own is None or own is not live.stacks[0].raised or asked is None or asked.call != "grad":
        return None
    place = recording.journal.location(asked.place)
    within = place is not None and (place.file, place.function) == (own.location.file, own.location.function)
    after = within and place is not None and place.line < own.location.line
    none = any(held is None for held in own.frame.f_locals.values())
    return asked if after and none and isinstance(live.exceptions[0], (AttributeError, TypeError)) else None


def _read(recording: Recording, live: LiveFailure) -> list[int]:
    """The leaf whose `.grad` the failing line looked at."""
    own, error = live.stacks[0].own, live.exceptions[0]
    if own is None or own is not live.stacks[0].raised:  # a library is told of by what it refuses
        return []
    if not isinstance(error, (AssertionError, AttributeError, TypeError)):
        return []
    for place, number in reversed(recording.asking.nones.items()):
        read = recording.journal.location(place)
        if read is not None and (read.file, read.line) == (own.location.file, own.location.line):
            return [number]
    return []


def _stepped(recording: Recording, live: LiveFailure) -> list[int]:
    """The parameters of an optimizer whose step a scaler refuses, as none of them has a gradient."""
    raised, error = live.stacks[0].first("step", "amp/grad_scaler.py"), live.exceptions[0]
    if raised is None or raised[1] is not live.stacks[0].raised or not isinstance(error, AssertionError):
        return []
    optimizer = raised[1].local("optimizer")
    if recording.recorder.forced or not isinstance(optimizer, torch.optim.Optimizer):
        return []  # of a loss that was made a leaf, that is told instead
    parameters = [each for group in optimizer.param_groups for each in group["params"]]
    known = recording.recorder.serials.known
    numbers = [number for each in parameters if each.grad is None and (number := known(each)) is not None]
    return numbers if len(numbers) == len(parameters) else []


def _awaited(recording: Recording, live: LiveFailure) -> list[int]:
    """The parameters that the last loss did not use, and whose gradients `DistributedDataParallel` waits for."""
    stack = live.stacks[0]
    raised = next((each for each in stack.find(("forward", "pre_forward"), "nn/parallel/distributed.py")), None)
    if raised is None or type(live.exceptions[0]) is not RuntimeError:
        return []
    model = raised[1].local("self")
    if any(each.user for each in stack.frames[raised[0] :]) or getattr(model, "reducer", None) is None:
        return []  # the model itself failed inside
    last, known = recording.asking.backwards[-1], recording.recorder.serials.known
    reached = recording.lineage().ancestors(last.targets, last.event)
    numbers = [known(each) for each in model.parameters() if each.requires_grad]
    lost = [number for number in numbers if number is not None and number not in reached]
    return lost if len(lost) < len(numbers) else []
