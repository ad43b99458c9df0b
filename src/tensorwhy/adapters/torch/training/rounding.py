"""Parameters of low precision that no step moves: each update is less than the distance to the next number."""

from __future__ import annotations

from typing import Any

import torch

from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.readings import rate_of

_LOW = (torch.bfloat16, torch.float16)
_SIZE = 1 << 22
"""So many numbers are copied for one optimizer, to be compared with those at the end."""


def note(optimizer: Any, state: State) -> None:
    """A recorded step begins: copy parameters of low precision at the first, and note which of them get a gradient."""
    left = _SIZE - sum(copy.numel() for _, copy in state.low.values())
    with torch._C.DisableTorchFunction():
        for group in optimizer.param_groups:
            for each in group["params"] if rate_of(group, 0.0) > 0.0 else ():
                if each.dtype not in _LOW:
                    continue
                number = state.members.get(id(each))
                if each.grad is None or number is None or each.numel() > left:
                    continue
                if number not in state.low and bool(each.grad.any()):
                    state.low[number] = Weak(each), each.detach().clone()
                    left -= each.numel()


def stuck(state: State) -> list[tuple[int, torch.dtype, float, float]]:
    """Those that never moved: number, dtype, and the largest value with its distance to the next one."""
    found = []
    with torch._C.DisableTorchFunction():
        for number, (reference, before) in state.low.items():
            tensor = reference()
            if tensor is not None and tensor.dtype == before.dtype and torch.equal(tensor.detach(), before):
                largest = before.abs().max()
                step = torch.nextafter(largest, torch.full_like(largest, torch.inf)) - largest
                found.append((number, before.dtype, float(largest), float(step)))
    return found
