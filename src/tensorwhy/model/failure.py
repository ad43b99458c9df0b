"""An exception that ended the program (or a part of it), in neutral words."""

from __future__ import annotations

import msgspec

from tensorwhy.model.location import Location


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One exception with what was chained to it.

    `frames` are the user's own frames, outermost first; libraries are left out. `location` is the innermost of them.
    `chain` holds `__cause__` and `__context__`, nearest first, also where the traceback hides them. `traced` are lines
    of the user's that ran in a form that the framework had made of them, anywhere in the chain.
    """

    exception: str
    message: str
    location: Location | None = None
    frames: tuple[Location, ...] = ()
    chain: tuple[Failure, ...] = ()
    traced: tuple[Location, ...] = ()
