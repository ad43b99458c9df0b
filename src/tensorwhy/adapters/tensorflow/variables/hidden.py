"""Link "tracked": variables of a `tf.Module` that its list leaves out, for they are where it does not look.

`tf.Module` lists the variables and modules that it finds in attributes and plain containers. Layers and variables of
Keras 3 are neither, and objects of other classes are not looked into. Who holds what is only known while the gradient
is asked for: the program's functions have names for their modules then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import holders, training
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.model.facts.variables import Holding, Untracked
from tensorwhy.model.location import Location
from tensorwhy.recording.frames import locals_of
from tensorwhy.recording.locations import UserCode

_MOST = 64


class Hidden(NamedTuple):
    """A variable that a module holds and does not list, with the layer that it belongs to, if any."""

    handle: int
    owner: type
    attribute: str
    path: str
    container: str
    itself: bool
    layer: str
    made: Location | None


def found(frame: FrameType | None, user: UserCode, asked: set[int], unasked: Iterable[int]) -> tuple[Hidden, ...]:
    """Which of the variables that a step left out its modules hold all the same."""
    unasked = list(unasked)[:_MOST]
    layers = {generation: training.owners(generation) for generation in (2, 3) if packages.imported(generation)}
    hidden: dict[int, Hidden] = {}
    for root in _roots(frame, user):
        own = {handle_of(each) for each in root.trainable_variables}
        if not own <= asked or (not own and asked):
            continue  # its list is not what was asked for; an empty one is a part of any other
        for handle in unasked:
            if handle not in own and handle not in hidden:
                layer = next((known[handle] for known in layers.values() if handle in known), None)
                way = holders.find(root, _wanted(layer, handle), user, holders.MODULES)
                if way is not None and way.barrier is not None:
                    hidden[handle] = _hidden(handle, way, layer)
    return tuple(hidden.values())


def _wanted(layer: Any, handle: int) -> Any:
    return lambda child: child is layer if layer is not None else handle_of(child) == handle


def _hidden(handle: int, way: holders.Held, layer: Any) -> Hidden:
    itself = way.barrier is layer or handle_of(way.barrier) == handle
    return Hidden(
        handle,
        type(way.owner),
        way.attribute.partition("[")[0],
        way.path,
        _words(way.barrier, itself),
        itself,
        f"{type(layer).__name__} `{getattr(layer, 'name', '')}`" if layer is not None else "",
        creations.made(layer) if layer is not None else None,
    )


def _words(barrier: Any, itself: bool) -> str:
    kind = packages.kind_of(barrier)
    if itself and kind is not None:
        return f"{kind} of Keras {packages.generation_of(barrier)}"
    return holders.words(barrier)


def _roots(frame: FrameType | None, user: UserCode) -> Iterator[Any]:
    """The modules that the user's innermost functions have names for, also as attributes of their `self`."""
    seen: set[int] = set()
    depth = 0
    while frame is not None and depth < 2:
        if user.owns(frame.f_code.co_filename):
            depth += 1
            local = locals_of(frame)
            held = getattr(local.get("self"), "__dict__", {})
            for space in (local, held, frame.f_globals):
                for value in list(space.values()):
                    if id(value) not in seen and packages.kind_of(value) is None and holders.MODULES.owns(value):
                        seen.add(id(value))
                        yield value
        frame = frame.f_back


def facts(hidden: Iterable[Hidden], trained_at: Location | None, held_at: Any) -> Iterator[tuple[Untracked, list[int]]]:
    """One fact for each layer or variable, with its handles; `held_at` finds the line that sets an attribute."""
    alike: dict[tuple[object, ...], list[Hidden]] = {}
    for each in hidden:
        key = (each.owner, each.path, each.layer) if each.layer else (each.handle,)
        alike.setdefault(key, []).append(each)
    for first, *more in alike.values():
        yield (
            Untracked(
                what="layer" if first.layer else "variable",
                name=first.layer or first.path,
                made=first.made,
                model=first.owner.__name__,
                trained_at=trained_at,
                held=Holding(
                    by="itself" if first.itself else "container",
                    path=first.path,
                    container=first.container,
                    at=held_at(first.owner, first.attribute),
                    owner=first.owner.__name__,
                    looker=holders.MODULES.name,
                    of_modules=True,
                ),
                weights=len(more) + 1,
                unchanged=True,
            ),
            [first.handle, *(each.handle for each in more)],
        )
