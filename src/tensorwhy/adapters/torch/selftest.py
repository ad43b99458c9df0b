"""Tries the hooks on a few operations, for `tensorwhy doctor`. Never called in a process of the user's program."""

from __future__ import annotations

import os
from collections.abc import Iterable

import torch
from torch.overrides import _get_current_function_mode

from tensorwhy.adapters.protocol import Check
from tensorwhy.adapters.torch.session import TorchSession
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode


def selftest() -> Iterable[Check]:
    """One check for each kind of thing that a recording should see."""
    before = torch.Tensor.backward, torch.autograd.grad, _get_current_function_mode()
    session = TorchSession(UserCode(own=(os.path.dirname(os.path.abspath(__file__)),)), "full")
    session.start()
    try:
        _program()
        failure = session.recorder.failure
        if failure:
            yield Check(name="hooks", works=False, detail=f"a hook failed: {failure}")
            return
        rows = [event for event in session.journal.events() if event.kind == j.OP]
        places = [session.journal.location(event.place) for event in rows]
        lines = any(place is not None and place.function.endswith("_program") for place in places)
        breaks = [fact for group in session.facts() for fact in group.facts if isinstance(fact, GradientBreak)]
        stopped = any(fact.kind == "stop-gradient" for fact in breaks)
    finally:
        session.close()
    after = torch.Tensor.backward, torch.autograd.grad, _get_current_function_mode()
    yield Check(name="operations", works=bool(rows), detail="operations that run eagerly")
    yield Check(name="lines of operations", works=lines, detail="the user's line of an operation")
    yield Check(name="gradient questions", works=stopped, detail="gradients that are None at the optimizer's step")
    yield Check(name="hooks taken out", works=after == before, detail="a hook is still in place after recording ended")


def _program() -> None:
    """Three steps in which `detach` keeps the gradient from one of two parameters."""
    first, second = (torch.nn.Parameter(torch.ones(2)) for _ in range(2))
    optimizer = torch.optim.SGD([first, second], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        ((first * 2).detach() * second).sum().backward()
        optimizer.step()
