"""State of an optimizer that does not fit its parameters: a state is matched to them by position."""

from __future__ import annotations

from typing import Any

import torch

from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.training.between_steps import members
from tensorwhy.source.files import Sources


def find(stack: Stack, sources: Sources) -> Native | None:
    """The first parameter whose state has the shape of another one, where a step failed."""
    inner = [each for each in stack.inner if "torch/optim/" in each.file]
    held = (each.local("self") for each in reversed(inner) if each.function == "step")
    optimizer = next((each for each in held if isinstance(each, torch.optim.Optimizer)), None)
    recording = current.recording()
    if optimizer is None or recording is None or inner[-1] is not stack.inner[-1]:
        return None
    given = [*members(optimizer)]
    shapes = {tuple(each.shape) for each in given}
    for parameter in given:
        for key, value in optimizer.state.get(parameter, {}).items():
            other = isinstance(value, torch.Tensor) and value.ndim and value.shape != parameter.shape
            if other and tuple(value.shape) in shapes:
                return _told(recording, optimizer, parameter, key, value, sources)
    return None


def _told(recording: Any, optimizer: Any, parameter: Any, key: str, value: Any, sources: Sources) -> Native:
    recording.modules.learn()
    number = recording.recorder.serials.known(parameter)
    name = recording.modules.named(sources).get(number, "") or "the parameter"
    state = recording.training.states.get(id(optimizer))
    loaded = recording.journal.location(state.loaded) if state is not None else None
    saved = f"the state that line {loaded.line} loads was saved" if loaded is not None else "this state was made"
    return Native(
        thing=parameter,
        by=f"torch: {type(optimizer).__name__}.step",
        sides=(
            NativeSide(parameter, "shape", str(tuple(parameter.shape))),
            NativeSide(optimizer, f"state[...][{key!r}].shape", str(tuple(value.shape))),
        ),
        names={id(parameter): name, id(optimizer): "optimizer"},
        advice=(
            f"give the optimizer its parameters in the order that they had when {saved}: a state is matched to them by"
            " position, not by name",
            "or load no state, and begin with a new one",
        ),
    )
