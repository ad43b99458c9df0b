"""What layers offer to be added to the loss, by `add_loss` and by regularizers, and whether anybody ever takes it.

A layer's losses are cleared before its next call, and a training loop of one's own may forget to add them: then what
such a tensor was computed from gets no gradient by it, and a regularizer has no effect. Whoever reads `losses` of a
layer, or of one around it, while it can be differentiated, takes what it offers.
"""

from __future__ import annotations

import ast
import sys
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any

from tensorwhy.adapters import autograph
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import late_names, settings
from tensorwhy.adapters.patches import replaced
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations
from tensorwhy.recording.around import told
from tensorwhy.recording.locations import UserCode
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_MOST = 10_000
"""Of so many tensors it is known: in a long eager training each call adds some."""
_PLACES: dict[int, tuple[CodeType, int] | Location] = {}
_FEW = 256


class _Offer:
    """A layer with penalties on its weights, or that adds a loss (`added` at a place), and the training of it."""

    def __init__(self, layer: Any, added: tuple[CodeType, int] | Location | None, place: tuple[CodeType, int]) -> None:
        self.layer, self.name, self.made = weakref.ref(layer), str(layer.name), creations.made(layer)
        self.added, self.place = added, place
        self.generation = packages.generation_of(layer)


_ADDED: dict[int, tuple[weakref.ref[Any], tuple[CodeType, int] | Location]] = {}
_OFFERS: dict[int, _Offer] = {}
_TAKEN: dict[int, weakref.ref[Any]] = {}
"""The layers whose losses were read, by their ids."""


def place(tensor: int) -> Location | None:
    """Return the user's line that handed this tensor (by its `_id`) to Keras as a loss."""
    found = _PLACES.get(tensor)
    return found if found is None or isinstance(found, Location) else locations.resolve(*found)


def watch(layer_class: Any, user: UserCode) -> Callable[[], None]:
    """Note every call of `add_loss`; return what takes the hook out."""

    def has_added(result: Any, layer: Any, losses: Any = None, *args: Any, **kwargs: Any) -> None:
        given = losses if losses is not None else kwargs.get("loss")
        added = given if isinstance(given, (list, tuple)) else [given]
        keys = [getattr(each, "_id", None) for each in added]
        functions = [each for each in added if isinstance(each, FunctionType)]
        where = _caller(sys._getframe(1), user) if functions or any(type(key) is int for key in keys) else None
        if where is not None:
            if functions or len(_ADDED) < _FEW:
                _ADDED[id(layer)] = weakref.ref(layer), where
            _PLACES.update({key: where for key in keys if type(key) is int})
            while len(_PLACES) > _MOST:
                del _PLACES[next(iter(_PLACES))]
            for each in functions:
                late_names.given(each, where)

    put_back = replaced(layer_class, "add_loss", lambda original: told(original, has_added))
    read_back = replaced(layer_class, "losses", lambda kept: property(told(kept.fget, _taken), doc=kept.__doc__))

    def undo() -> None:
        put_back()
        read_back()
        late_names.clear()
        for known in (_ADDED, _OFFERS, _TAKEN):
            known.clear()

    return undo


def _taken(result: Any, layer: Any) -> None:
    """The losses of a layer are read where they can be trained with, and those of all layers inside of it."""
    known = _TAKEN.get(id(layer))
    if (known is None or known() is not layer) and _trains() and not settings.is_test(sys._getframe(1)):
        for each in packages.layers_of(layer):
            _TAKEN[id(each)] = weakref.ref(each)


def _trains() -> bool:
    """Return whether a tape records, or a graph is made, which may be differentiated afterwards; not to print them."""
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import context

    return not (pywrap_tfe.TFE_Py_TapeSetIsEmpty() and context.executing_eagerly())


def asked(trains: Callable[[Any], bool], place: tuple[CodeType, int] | None, generation: int) -> None:
    """A gradient is asked for, in order to train layers: which of them have losses to offer?"""
    if place is None or len(_OFFERS) >= _FEW:
        return
    live = [each for each in creations.live(("layer", "model")) if packages.generation_of(each) == generation]
    inside = {id(layer): layer for each in live for layer in packages.layers_of(each)}
    offering = [layer for layer in inside.values() if _penalties(layer) or _added(layer) is not None]
    trained = {id(layer) for each in live if offering and trains(each) for layer in packages.layers_of(each)}
    for layer in offering:
        if id(layer) not in _OFFERS and (id(layer) in trained or trains(layer)):
            _OFFERS[id(layer)] = _Offer(layer, _added(layer), place)


def _added(layer: Any) -> tuple[CodeType, int] | Location | None:
    reference, where = _ADDED.get(id(layer), (None, None))
    return where if reference is not None and reference() is layer else None


def _penalties(layer: Any) -> bool:
    """Return whether weights of the layer itself have a regularizer."""
    if getattr(layer, "_callable_losses", None):  # Keras 2
        return True
    return any(getattr(each, "regularizer", None) is not None for each in getattr(layer, "_trainable_variables", ()))


def facts(session: Any, generation: int) -> Iterator[Observed]:
    """One fact for each training whose layers offered losses that nobody took."""
    left: dict[tuple[bool, tuple[CodeType, int]], list[_Offer]] = {}
    for key, offer in _OFFERS.items():
        taken = _TAKEN.get(key)
        if offer.generation == generation and (taken is None or taken() is None or taken() is not offer.layer()):
            left.setdefault((offer.added is None, offer.place), []).append(offer)
    sources = Sources()
    if left and not _by_hand(session.training.user, sources):
        yield from (_told(offers, sources) for offers in left.values())


def _by_hand(user: UserCode, sources: Sources) -> bool:
    """Return whether the program itself computes with regularizers of layers, which nobody sees."""
    files = {str(getattr(each, "__file__", None) or "") for each in list(sys.modules.values())}
    return any(
        isinstance(node, ast.Attribute) and node.attr.endswith("regularizer") and isinstance(node.ctx, ast.Load)
        for file in files
        if file and user.owns(file)
        for node in sources.nodes(file)
    )


def _told(offers: list[_Offer], sources: Sources) -> Observed:
    first, count = offers[0], len(offers)
    asked_at = reading.exact(locations.resolve(*first.place), sources)
    added = first.added if isinstance(first.added, Location) or first.added is None else locations.resolve(*first.added)
    at = (reading.exact(added, sources) if added is not None else first.made) or asked_at
    name = f"layer `{first.name}`" if count == 1 else f"{count} layers"
    what = f"the loss that {name} adds" if added is not None else f"the regularizer of {name}"
    what = what.replace("regularizer of", "regularizers of") if count > 1 else what
    verb = "have" if added is None and count > 1 else "has"
    return Observed(
        slug="ignored-setting",
        message=f"{what} {verb} no effect: no loss of this training contains `losses`",
        label="handed to Keras here, which adds it only in `fit`" if added is not None else "its penalty is not added",
        location=at,
        related=tuple(
            Marked.at(each, label, kind)
            for each, label, kind in (
                (asked_at if asked_at != at else None, "the gradient of a loss without these terms", "asked"),
                *((offer.made, "this one as well", "also") for offer in offers[1:3]),
            )
            if each is not None
        ),
        severity="warning",
        fixes=(
            Fix(
                summary="add the terms to the loss under the tape, after the model was called: "
                "`loss += tf.add_n(model.losses)`",
                caveat="unless the program adds an equal term by itself",
            ),
        ),
    )


def _caller(frame: FrameType | None, user: UserCode) -> tuple[CodeType, int] | Location | None:
    """The nearest line of the user's, also where AutoGraph runs its own copy of it."""
    while frame is not None:
        file = frame.f_code.co_filename
        if user.owns(file):
            return frame.f_code, frame.f_lasti
        found = autograph.original(file, frame.f_lineno) if autograph.is_generated(file) else None
        if found is not None and user.owns(found.file):
            return found
        frame = frame.f_back
    return None
