"""A step that can be executed again, for one of its sources: a recorded slice, or a copy of a traced graph.

It is evaluated at other values of the source and differentiated, with breaks undone. The classes of `observed_record`
and `observed_graph` note the numbers of every value and every use, for the signal walk.
"""

from __future__ import annotations

import abc
from collections.abc import Container
from typing import Any

from tensorwhy.adapters.tensorflow.replays.undo import Outcome, Undo


class Replay(abc.ABC):
    """`value` is that of the source. `opened`: functions that the step calls were opened, so that what is lost in them
    can be undone; `closed` says in words why one was not. `made_up`: some of its arguments were.
    """

    value: Any
    opened = False
    closed = ""
    made_up = False

    @property
    @abc.abstractmethod
    def words(self) -> str:
        """How evidence speaks of the replay."""

    @property
    def where(self) -> str:
        """How evidence says where a gradient was seen, if not in the step of the program itself."""
        return ""

    @property
    @abc.abstractmethod
    def narrowest(self) -> str:
        """The floating dtype with the fewest digits that the step computes with."""

    @abc.abstractmethod
    def calls(self, functions: Container[str]) -> bool:
        """Return whether one of these traced functions is a part of the step."""

    @abc.abstractmethod
    def differentiate(self, undo: Undo, at: Any = None) -> Outcome:
        """The gradient of the targets with respect to the source with these breaks undone.

        `at`: where it is taken instead of at the value that the source had.
        """

    @abc.abstractmethod
    def evaluate(self, value: Any, undo: Undo) -> float:
        """The sum of the targets for another value of the source."""

    def lost_on_other_tape(self, undo: Undo, persistent: bool) -> bool:
        """Return whether the gradient is None on the other kind of tape, too; never where there is no tape."""
        return False
