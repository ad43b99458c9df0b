"""To look at thousands of values takes a while, and no step is held up for long: each looks at some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables.arrays import array_of

MOST = 512
"""So many values are looked at in one call."""


def parts(of: int) -> int:
    """In how many calls that many values are looked at once."""
    return max(-(-of // MOST), 1)


def turn(count: int, of: int) -> tuple[int, range]:
    """Return which look at all values a call belongs to, and the positions of those that it looks at.

    Both `count` and the looks are counted from 1. The positions are spread evenly, as neighbors are alike.
    """
    number, part = divmod(count - 1, parts(of))
    return number + 1, range(part, of, parts(of))


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
