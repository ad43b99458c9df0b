"""The history of a tensor as a table: one row for each tensor, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwhy.model.history import History, Origin
from tensorwhy.rendering.html import tables
from tensorwhy.rendering.html.markup import Html
from tensorwhy.rendering.html.verdict import shape
from tensorwhy.rendering.paths import place

_HEAD = ("#", "operation", "name", "type", "made in", "place", "source", "from")


def table(history: History, base: str) -> Html:
    """All that is known of where the tensor comes from."""
    known = f"history of this {history.sort}" if history.origins else f"this {history.sort} has no known history"
    rows = [_row(number, origin, base) for number, origin in enumerate(history.origins)]
    return tables.table(known, _HEAD if rows else (), rows, f"note: {history.note}" if history.note else "")


def _row(number: int, origin: Origin, base: str) -> Sequence[tables.Cell]:
    made_in = [f"layer {origin.layer}"] if origin.layer else []
    made_in += [f"function {origin.function}"] if origin.function else []
    made_of = [f"#{each}" for each in origin.inputs] + ([f"{origin.more} more"] if origin.more else [])
    return (
        (str(number), "number"),
        (tables.code(origin.op), ""),
        (tables.code(origin.name), ""),
        (tables.code(" ".join(filter(None, (origin.dtype, shape(origin.shape))))), ""),
        (", ".join(made_in), ""),
        (tables.code(place(origin.location, base)) if origin.location else "", ""),
        (tables.code(origin.text), ""),
        (", ".join(made_of), ""),
    )
