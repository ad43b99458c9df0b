"""Before version 2.3, PyTorch tells no function mode of an index like `x[2:]`: here it tells of assignments to one."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, handle_torch_function

from tensorwhy.adapters.torch.recording.recorder import Recorder

_UNSEEN = "tensors made by an index such as `x[2:]`, which this version of PyTorch does not report"
_SEEN = (tuple, list)


class _Probe(TorchFunctionMode):  # type: ignore[misc]
    seen = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen = True
        return func(*args, **(kwargs or {}))


def install(recorder: Recorder) -> None:
    """Let modes see what is assigned to an index, where they do not."""
    nothing = torch.empty(0)
    with _Probe() as probe:
        nothing[:]
    if not probe.seen:
        recorder.unseen[_UNSEEN] = None
        recorder.patches.override(torch.Tensor, "__setitem__", _shown)  # `__getitem__` would make each a sequence


def _shown(original: Any) -> Any:
    depth = torch._C._len_torch_function_stack

    @functools.wraps(original)
    def __setitem__(self: Any, index: Any, value: Any) -> Any:
        if depth() and type(index) not in _SEEN and torch._C._is_torch_function_enabled():
            return handle_torch_function(original, (self,), self, index, value)
        return original(self, index, value)

    return __setitem__
