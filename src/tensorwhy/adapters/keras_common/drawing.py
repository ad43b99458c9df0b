"""Draws Keras history where it ends: at an operation that refuses it, or in a model that lacks a part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tensorwhy.adapters.keras_common import ancestry, packages
from tensorwhy.lineage.ending import extra, joined, picture
from tensorwhy.model.facts.symbolic import Given
from tensorwhy.model.history import Origin
from tensorwhy.model.location import Location
from tensorwhy.model.report import LineageView, TensorRef

_MOST = 200
"""Layer calls in one picture."""


@extra
def refused(tensors: Sequence[Any], name: str, what: str, at: Location, words: str) -> LineageView | None:
    """The history of Keras tensors, and the operation that could not take them, because of `words`."""
    origins, place = ancestry.of_tensors(tensors, _MOST)
    given = [place[id(tensor)] for tensor in tensors]
    names = {0: name} if len(given) == 1 else {}
    return picture(origins, (what, at), last=given, lost=dict.fromkeys(given, words), names=names)


@extra
def lacking(
    outputs: Sequence[Any], given: Sequence[Any], missing: Sequence[tuple[Any, TensorRef]], model: str, at: Location
) -> LineageView | None:
    """A model whose outputs need inputs that it was not given. A given input that leads nowhere stands alone."""
    origins, place = ancestry.of_tensors([*outputs, *given], _MOST)
    lost = {place[id(tensor)]: "not an input" for tensor, _ in missing if id(tensor) in place}
    names = {place[id(tensor)]: ref.name for tensor, ref in missing if id(tensor) in place}
    last = [place[id(tensor)] for tensor in outputs]
    return picture(origins, (model, at), last, lost, names)


@extra
def without_history(
    wrong: Iterable[Given],
    outputs: Sequence[Any],
    given: Sequence[Any],
    words: str,
    model: str,
    at: Location,
) -> LineageView | None:
    """A model some of whose inputs or outputs have no Keras history. Those, and the history that the others have."""
    refused = tuple(map(_bare, wrong))
    sound = [tensor for tensor in outputs if packages.is_keras_tensor(tensor)]
    beside = [tensor for tensor in given if packages.is_keras_tensor(tensor)]
    origins, place = ancestry.of_tensors([*sound, *beside], _MOST)
    first = len(refused)
    lost = dict.fromkeys(range(first), words)
    last = [*lost, *(first + place[id(tensor)] for tensor in sound)]
    return picture(joined(refused, origins), (model, at), last, lost)


def _bare(given: Given) -> Origin:
    known = given.tensor or TensorRef()
    return Origin(
        op=given.sort,
        kind="constant",
        name=given.name,
        location=given.made or given.written,
        dtype=known.dtype,
        shape=known.shape,
    )
