"""Trainable variables whose attribute was given something else, which their module then trains no more.

`tf.Module` and Keras 2 forget a variable with its attribute, and list what stands there only if it is a variable. Who
does so to compute with new tensors may, as long as the variable itself is trained. Otherwise the line that looks like
setting a value froze it; and where that happened to all variables of a layer, gradients are asked of an empty list.
"""

from __future__ import annotations

import ast
import sys
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import training
from tensorwhy.adapters.patches import replaced
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import around
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST, _UP, _OBJECTS = 64, 4, 400
_SHOWN = 3
_VALUES = ("eager tensor", "graph tensor", "array", "number")

_Place = tuple[CodeType, int]


class _Replaced:
    """An attribute of a module that held a variable. `trained`: where others of the same model got gradients since;
    `bare`: where gradients of nothing were asked, while the module has no variable left."""

    def __init__(self, owner: Any, name: str, variable: Any, place: _Place, frame: types.FrameType) -> None:
        self.owner, self.name, self.place = weakref.ref(owner), name, place
        self.made = creations.made(owner), creations.made(variable)
        self.handle = training.handle_of(variable)
        self.around = _around(owner, self.handle, frame)
        self.sort = packages.kind_of(owner) or type(owner).__name__
        self.asked = False
        self.trained: _Place | None = None
        self.bare: _Place | None = None


ROWS: dict[tuple[int, str], _Replaced] = {}
"""By the id of the owner and the name of the attribute."""


def watch(module_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every trainable variable of a module that a plain value takes the place of. Returns what undoes it."""

    def before(owner: Any, name: str, value: Any) -> None:
        old = owner.__dict__.get(name)
        if old is None or packages.sort(old) != "variable" or packages.sort(value) not in _VALUES:
            return
        place = locations.caller(user, sys._getframe(1)) if old.trainable and len(ROWS) < _MOST else None
        if place is not None:
            ROWS[id(owner), name] = _Replaced(owner, name, old, place, sys._getframe(1))

    put_back = replaced(module_class, "__setattr__", lambda original: around(original, before, _nothing))

    def undo() -> None:
        put_back()
        ROWS.clear()

    return undo


def _nothing(*_: Any) -> None:
    """A hook that looks before the call only."""


def asked(given: set[int], place: _Place | None) -> None:
    """A gradient is asked for, of the variables with these handles: does that train the rest of a module?"""
    for row in ROWS.values():
        owner = row.owner()
        row.asked = row.asked or row.handle in given
        if row.asked or owner is None or place is None:
            continue
        if not given:
            row.bare = row.bare or (place if not training.handles_of(owner, "trainable_variables") else None)
        elif row.trained is None:
            wholes = [each for whole in row.around if (each := whole()) is not None]
            if any(training.handles_of(each, "trainable_variables") & given for each in wholes):
                row.trained = place


def _around(owner: Any, handle: int | None, frame: types.FrameType | None) -> list[weakref.ref[Any]]:
    """The module, and those among the variables of the functions that run which list the same variable."""
    found = {id(owner): owner}
    for _ in range(_UP):
        for thing in [*frame.f_locals.values(), *frame.f_globals.values()][:_OBJECTS] if frame is not None else ():
            lists = hasattr(type(thing), "trainable_variables") and id(thing) not in found
            if lists and handle in training.handles_of(thing, "trainable_variables"):
                found[id(thing)] = thing
        frame = frame.f_back if frame is not None else None
    return [weakref.ref(each) for each in found.values()]


def failed(live: LiveFailure) -> Iterator[Observed]:
    """The same fact, where the program fails in the function that asked for the gradient of nothing."""
    asking = {row.bare[0] for row in ROWS.values() if row.bare is not None}
    if any(frame.frame.f_code in asking for frames in live.frames for frame in frames):
        yield from _of_nothing(Sources())


def facts(_: object) -> Iterator[Observed]:
    """What was found until the end of the program."""
    sources = Sources()
    yield from _of_nothing(sources)
    for row in ROWS.values():
        owner = row.owner()
        held = owner.__dict__.get(row.name) if owner is not None else None
        if row.trained is not None and not row.asked and packages.sort(held) in _VALUES:
            now = packages.sort(held).rpartition(" ")[2]
            yield _frozen(row, row.trained, f"{'an' if now[0] == 'a' else 'a'} {now}", sources)


def _frozen(row: _Replaced, trained: _Place, now: str, sources: Sources) -> Observed:
    at = reading.exact(locations.resolve(*row.place), sources)
    statement = sources.statement(at) if at is not None else None
    plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    target = ast.unparse(statement.targets[0]) if plain and isinstance(statement, ast.Assign) else row.name
    value = ast.unparse(statement.value) if plain and isinstance(statement, ast.Assign) else "value"
    asked_at = reading.exact(locations.resolve(*trained), sources)
    marks = (
        (row.made[1], "the variable is created here", "made"),
        (asked_at, "the rest of the model is trained here, without it", "asked"),
    )
    return Observed(
        slug="variable-overwritten",
        message=f"`{target}` is not trained: this line replaces the trainable variable by "
        f"{now}, and does not set its value",
        label="the variable is replaced here",
        location=at,
        related=tuple(Marked.at(each, label, kind) for each, label, kind in marks if each is not None),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary=f"set the value of the variable: `{target}.assign({value})`",
                caveat="unless it is meant to stay constant; then make it a variable with `trainable=False`",
            ),
        ),
    )


def _of_nothing(sources: Sources) -> Iterator[Observed]:
    """One fact, if a gradient was asked for nothing after all weights of a living layer were replaced."""
    rows = [row for row in ROWS.values() if row.bare is not None and row.owner() is not None]
    names = [f"`{getattr(row.owner(), 'name', row.sort)}.{row.name}`" for row in rows]
    if not rows:
        return
    first, *others = _lines((row.place for row in rows), sources)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    asking = _lines((row.bare for row in rows if row.bare is not None), sources)
    layers = dict.fromkeys(row.made[0] for row in rows)
    yield Observed(
        slug="variable-overwritten",
        message=f"this gradient is asked for no variable at all: plain tensors took the place of "
        f"{', '.join(names[:_SHOWN])}{more}, and `trainable_variables` of those layers is empty now",
        label="a tensor takes the place of the variable here",
        location=first,
        related=(
            *(Marked.at(each, "and here") for each in others),
            *(Marked.at(each, "the gradient of an empty list", "asked") for each in asking),
            *(Marked.at(each, "the layer is created here", "made") for each in layers if each is not None),
        ),
        severity="warning",
        fixes=(
            Fix(
                summary="keep the new tensors in a list, `tape.watch` it before they are used, and ask for the "
                "gradient of that list instead of `trainable_variables`"
            ),
            Fix(
                summary="or leave the variables in the layer, and change them: `layer.kernel.assign(...)`",
                caveat="unless a gradient has to flow through the update: an assigned value carries none",
            ),
        ),
    )


def _lines(places: Iterable[_Place], sources: Sources) -> list[Location]:
    at = (locations.resolve(*place) for place in dict.fromkeys(places))
    return [reading.exact(each, sources) or each for each in at]
