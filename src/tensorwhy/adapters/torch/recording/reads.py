"""Which tensors the `forward` of a custom function computes with: those that are no arguments get no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.overrides import TorchFunctionMode

from tensorwhy.adapters.torch.operations import kinds as k
from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.recording.warned import WARNED


class Reads(TorchFunctionMode):  # type: ignore[misc]
    """Sees each function that runs inside, and the tensors with a gradient that it is given. `found` has their numbers.

    What is made inside has no number.
    """

    def __init__(self, known: Callable[[Any], int | None]) -> None:
        super().__init__()
        self._known = known
        self._mode = WARNED.mode
        self.found: set[int] = set()

    def __enter__(self) -> Any:
        self._mode, WARNED.mode = WARNED.mode, _CODE
        return super().__enter__()

    def __exit__(self, *args: Any) -> None:
        WARNED.mode = self._mode
        super().__exit__(*args)

    def __torch_function__(self, func: Any, classes: Any, args: Any = (), kwargs: Any = None) -> Any:
        kind = k.kind_of(func)
        if kind.code in (k.OP, k.IN_PLACE) and kind.name not in k.STOPS | k.SHAPE_ONLY:
            given = (each for each in tensors([*args, *(kwargs or {}).values()]) if each.requires_grad)
            self.found.update(number for each in given if (number := self._known(each)) is not None)
        begun = WARNED.begin()
        try:
            return func(*args, **(kwargs or {}))
        finally:
            WARNED.end(begun)


_CODE = Reads.__torch_function__.__code__
WARNED.hidden.add(_CODE)
