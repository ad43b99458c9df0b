"""What an experiment opens to let a gradient pass where there was none, or only zero."""

from __future__ import annotations

from typing import Literal

import msgspec


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The operation that made the tensor `made`, at its input `position`.

    - "through": the input is taken for the result. `position` -1: the first one that is no constant zero.
    - "past": the result stays, and its gradient goes on to the input as it is.
    - "ones", "numbers": what is at this input is replaced, by ones or by made-up numbers.
    - "own": the gradient of a custom gradient is that of what it computes.
    - "variable": `made` is the handle of a variable, that starts with made-up numbers.
    - "used": `made` is not used by the target, and is added to it.
    """

    way: Literal["through", "past", "ones", "numbers", "own", "variable", "used"]
    made: int
    position: int = 0
