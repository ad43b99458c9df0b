"""What an adapter offers to the pipeline.

An adapter is a package `adapters/<name>/` with a module `adapter.py` that has `ADAPTER`, an object of this protocol.
Beside it, two folders are walked by name, so that a new probe or audit is one new file:

- `probes/`: `probe(live: LiveFailure) -> Iterable[Fact]`, called once an exception has failed the program, while its
  frames and objects are alive;
- `audits/`: `audit(session) -> Iterable[Fact]`, called once at the end of a run, for what was lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FrameType
from typing import Protocol

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.failure import Failure
from tensorwhy.model.location import Location
from tensorwhy.recording.locations import UserCode


class LiveFrame(msgspec.Struct, frozen=True, kw_only=True):
    """A frame of a failing program. `location` is where it stood; `user` tells the user's code from libraries."""

    frame: FrameType
    location: Location
    user: bool


class LiveFailure(msgspec.Struct, frozen=True, kw_only=True):
    """An exception while everything it touched is still alive.

    `exceptions` is the chain, the raised one first, then causes and contexts. `frames` are all frames of all of them,
    outermost first within each exception, libraries included. `record` is the same in neutral words.
    """

    exceptions: tuple[BaseException, ...]
    frames: tuple[tuple[LiveFrame, ...], ...]
    record: Failure
    user: UserCode

    def user_frames(self) -> tuple[LiveFrame, ...]:
        """The user's frames of the exception that was raised first (the deepest in the chain that has any)."""
        for frames in reversed(self.frames):
            found = tuple(frame for frame in frames if frame.user)
            if found:
                return found
        return ()


Probe = Callable[[LiveFailure], Iterable[Fact]]


class Adapter(Protocol):
    """A framework, as the pipeline sees it. Nothing here imports the framework before the user has."""

    name: str
    module: str

    def version(self) -> str:
        """The version of the imported framework."""
        ...
