"""An object that a refusal read, with what is known of it and how the user's line handed it over."""

from __future__ import annotations

import msgspec

from tensorwhy.adapters.refusal.anatomy import Read
from tensorwhy.adapters.refusal.described import Described
from tensorwhy.adapters.refusal.way import Arrival


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One object that may be the refused one."""

    read: Read
    described: Described | None
    arrival: Arrival | None

    @property
    def weight(self) -> int:
        """How much speaks for this object being the one that was refused."""
        weight = 6 if self.read.direct else 0
        weight += 4 if self.described is not None else 0
        if self.arrival is not None:
            weight += {"operand": 4, "element": 3, "copy": 2, "part": 1}[self.arrival.how]
        return weight - (6 if self._is_self else 0)

    @property
    def is_own(self) -> bool:
        """Return whether it is the library's own object, whose method failed: that says nothing."""
        return self._is_self and self.arrival is not None and self.arrival.how == "part"

    @property
    def _is_self(self) -> bool:
        return self.read.text in ("self", "cls")
