"""Facts of refusals: a library raised, and an object of the program's is what it could not take."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """An object of the program as its reader knows it.

    `text` is the expression that stood for it, `what` the noun, `name` its own name, `detail` shape and dtype. `made`
    is the line that made it and `calls` those that led there, outermost first.
    """

    text: str = ""
    what: str
    name: str = ""
    detail: str = ""
    made: Location | None = None
    calls: tuple[Location, ...] = ()


class RefusedObject(Fact, frozen=True, kw_only=True):
    """A library refused an object.

    `used` is the user's line and `call` what it called, as written. `how` says where in the line the object is: an
    operand, an element of one, a part of one (`holder`), made of one ("copy"), or nowhere: then it was `parked` in the
    library's own state by an earlier line. `by` is the function that raised, `condition` what it asked, `known` the
    plain values in that. `requires` says what it takes, where that is known, and `advice` what to do. `others` are
    further objects that the same operation was given. `sure` is False where the object was chosen among several.
    `rebound` is the function that the called name stood for, before it was given to another object.
    """

    thing: Thing
    used: Location
    call: str
    how: Literal["operand", "element", "part", "copy", "parked"]
    by: str
    condition: str = ""
    known: tuple[str, ...] = ()
    requires: str = ""
    advice: tuple[str, ...] = ()
    holder: str = ""
    parked: Location | None = None
    others: tuple[Thing, ...] = ()
    sure: bool = True
    rebound: Location | None = None
