"""Facts of refusals: a library raised, and an object of the program's is what it could not take."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location, Marked


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """An object of the program as its reader knows it.

    `text` is the expression that stood for it, `what` the noun, `name` its own name, `detail` shape and dtype. `made`
    is the line that made it and `calls` those that led there, outermost first. `broken` is how many of its numbers are
    NaN or infinite.
    """

    text: str = ""
    what: str
    name: str = ""
    detail: str = ""
    made: Location | None = None
    calls: tuple[Location, ...] = ()
    broken: int = 0


class Rebound(msgspec.Struct, frozen=True, kw_only=True):
    """A name that stood for an object of another kind before. `at` is the assignment that changed it, `made` the line
    of what it was. `itself`: that assignment calls what the name stood for until then, `encoder = encoder(x)`."""

    name: str
    was: str
    now: str
    at: Location
    made: Location | None = None
    itself: bool = False


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a comparison that a library made: its own text for it, empty for a constant, and the value.

    `thing` is the object of the program's that it came from, where that is known.
    """

    text: str
    value: str
    thing: Thing | None = None


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """What a library checked before it raised.

    `by` is the function that raised, `condition` what it asked, `known` the plain values in that. `relation` tells how
    the `sides` stand to each other: an operator of Python, "type", "unfit", or a bound that a value has to keep
    ("limit", "floor", "ceiling"). `requires` says what it takes, where that is known, and `accepts` what the call took
    when it was tried again.
    """

    by: str = ""
    condition: str = ""
    known: tuple[str, ...] = ()
    relation: str = ""
    sides: tuple[Compared, ...] = ()
    requires: str = ""
    accepts: str = ""


class FixedSize(msgspec.Struct, frozen=True, kw_only=True):
    """A size that the line `at` fixes, while the size that it has to agree with varies with the data.

    `detail` is the dtype and shape of what that line makes, and `read` how the framework reads the sizes of a tensor,
    with `{}` for that.
    """

    size: int
    at: Location
    detail: str
    read: str
    certain: bool = True


class Caught(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the program's own code that failed before, with what it said, which the library caught."""

    at: Location
    said: str


class RefusedObject(Fact, frozen=True, kw_only=True):
    """A library refused an object.

    `used` is the user's line and `call` what it called, as written. `how` says where in the line the object is: an
    operand, an element of one, a part of one (`holder`), made of one ("copy"), or nowhere: then it was `parked` in the
    library's own state by an earlier line. `advice` says what to do. `others` are further objects that the same
    operation was given. `sure` is False where the object was chosen among several. `rebound` tells that the name stood
    for something else before. `within` is the object of the program's whose code a failed operation belongs to.

    "condition" as `how` means that the sides of the check are known, and not which object of the program's they came
    from. "arguments" means that `thing` is a function of the program's, which a library called with those; the
    condition is Python's word. "lacking" means that nothing was refused: `thing` is a method that was never called on
    `holder`, or an argument that the call `holder`, at `parked`, left out, or what that call "reset". "handed" means
    that a library gave `thing` to a function of the program's, because of the call `holder` at `parked`, and Python
    could not take it apart as that does: `call` is the missing key, or into how many names. "returned" means that
    `holder`, a function of the program's that the library called for `parked`, returned `thing` at `used`. "unwritten"
    means that `thing`, a class of the program's, does not define the method `holder`, which the library called.
    """

    thing: Thing
    used: Location
    call: str
    how: Literal[
        "operand",
        "element",
        "part",
        "copy",
        "parked",
        "condition",
        "arguments",
        "lacking",
        "handed",
        "returned",
        "unwritten",
    ]
    check: Check = Check()
    advice: tuple[str, ...] = ()
    holder: str = ""
    parked: Location | None = None
    others: tuple[Thing, ...] = ()
    sure: bool = True
    rebound: Rebound | None = None
    within: Thing | None = None
    caught: Caught | None = None
    fixed: FixedSize | None = None
    marks: tuple[Marked, ...] = ()

    @property
    def is_broken(self) -> bool:
        """Return whether something that was refused holds NaN or infinity."""
        return any(each.broken for each in (self.thing, *self.others))
