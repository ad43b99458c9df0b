"""Layers that hand on the mask that they are given, and compute with what it masks all the same.

A layer that sets `supports_masking` and whose `call` takes no mask promises that it treats each position by itself. One
that multiplies two matrices which both come from its input, as attention does, does not.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning.settings import place
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix

_MOST = 32
_PRODUCTS = ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Einsum", "MatMul")


class _Row:
    """The first layer of a class, and what went into and came out of a call of it, by TensorFlow's ids."""

    def __init__(self, layer: Any) -> None:
        self.layer, self.name = weakref.ref(layer), str(layer.name)
        self.call: Location | None = place(type(layer).call)
        self.made = creations.made(layer)
        self.given = self.result = 0


_ROWS: dict[type, _Row] = {}
_SILENT: dict[type, bool] = {}
"""Whether a class is the program's own and its `call` takes no mask."""


def clear() -> None:
    """Forget what was seen."""
    _ROWS.clear()
    _SILENT.clear()


def called(result: Any, layer: Any, args: tuple[Any, ...]) -> None:
    """A layer was called: was it given a mask that it does not take?"""
    kind: type = type(layer)
    silent = _SILENT.get(kind)
    if silent is None:
        silent = _SILENT[kind] = _takes_none(layer)
    if not silent or not args:
        return
    row = _ROWS.get(kind)
    masked = row is None and getattr(args[0], "_keras_mask", None) is not None
    if masked and layer.supports_masking and len(args[0].shape) > 2 and len(_ROWS) < _MOST:
        row = _ROWS[kind] = _Row(layer)
    given, made = getattr(args[0], "_id", 0), getattr(result, "_id", 0)
    if row is not None and row.layer() is layer and type(given) is type(made) is int and given and made:
        row.given, row.result = given, made


def _takes_none(layer: Any) -> bool:
    if packages.native(layer) or packages.kind_of(layer) != "layer":
        return False
    taken = inspect.signature(type(layer).call).parameters.values()
    return not any("mask" in each.name or each.kind is each.VAR_KEYWORD for each in taken)


def facts(session: Any) -> Iterator[Observed]:
    """One fact for each class of layers whose results for a position depend on others, which may be masked."""
    for row in _ROWS.values():
        found = _product(session.lineage(), row.given, row.result) if row.result else None
        if found is not None:
            yield _told(row, found)


def _product(lineage: Lineage, given: int, result: int) -> Location | None:
    """Where two matrices are multiplied that both come from the input of a layer, on the way to its result."""
    now = lineage.journal.position
    for tensor in sorted(lineage.ancestors((result,), now)):
        for event in lineage.makers(tensor):
            if lineage.op_name(event) not in _PRODUCTS or tensor < given:
                continue
            from_input = [each for each in event.inputs if each == given or given in lineage.ancestors((each,), now)]
            if len(from_input) > 1:
                return lineage.journal.location(event.place)
    return None


def _told(row: _Row, product: Location) -> Observed:
    marks = (
        (row.call, "takes no `mask`", "call"),
        (row.made, "the layer is created here", "made"),
    )
    return Observed(
        slug="ignored-setting",
        message=f"layer `{row.name}` is given a mask and hands it on, but its `call` does not take it: padding "
        "affects its results",
        label="positions are combined here, masked ones included",
        location=product,
        related=tuple(Marked.at(at, label, kind) for at, label, kind in marks if at is not None),
        severity="warning",
        certainty="likely",
        fixes=(
            Fix(
                summary="declare it as `call(self, x, mask=None)`, and give masked positions large negative scores "
                "before the softmax, or no weight in a mean",
                caveat="unless no input is ever padded; then leave out `mask_zero` or the `Masking` layer",
            ),
        ),
    )
