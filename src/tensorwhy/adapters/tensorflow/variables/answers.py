"""What a call for gradients gave, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables.arrays import array_of


class Gradients:
    """What a call gave, each as an array when that is asked for, and once."""

    def __init__(self, given: Sequence[Any]) -> None:
        self.given = given
        self._arrays: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.given)

    def array(self, at: int) -> Any:
        """The values at a position; None where nothing was given, or no value can be seen."""
        if at not in self._arrays:
            given = self.given[at]
            self._arrays[at] = array_of(values_of(given)) if given is not None else None
        return self._arrays[at]
