"""The tool's own operations: no mode of the program, and no subclass of tensors, is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _python_dispatch

DISPATCHED = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
"""How many modes see what is dispatched."""


class Unseen:
    """Between `__enter__` and `__exit__`, operations go straight to PyTorch.

    PyTorch's own modes stay, as tensors of theirs (fake ones) cannot be read without them.
    """

    __slots__ = ("_functions", "_modes")

    def __new__(cls) -> Any:
        """Where nothing is dispatched to a mode, PyTorch's own context is enough, and quicker."""
        return object.__new__(cls) if DISPATCHED() else torch._C.DisableTorchFunction()

    def __enter__(self) -> None:
        self._functions = torch._C.DisableTorchFunction()
        self._functions.__enter__()
        self._modes: list[Any] = []
        for _ in range(DISPATCHED()):
            mode = _python_dispatch._pop_mode()
            if getattr(mode, "_mode_key", None) is not None:
                _python_dispatch._push_mode(mode)
                break
            self._modes.append(mode)

    def __exit__(self, *exception: object) -> None:
        while self._modes:
            _python_dispatch._push_mode(self._modes.pop())
        self._functions.__exit__(None, None, None)


class Guarded:
    """Look at something unseen; an error goes to `fail`, and the program goes on whatever happens to the recording."""

    __slots__ = ("_fail", "_unseen")

    def __init__(self, fail: Callable[[Exception], None]) -> None:
        self._fail = fail

    def __enter__(self) -> None:
        self._unseen = Unseen()
        self._unseen.__enter__()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        self._unseen.__exit__(None, None, None)
        if isinstance(error, Exception):
            self._fail(error)
            return True
        return False
