"""How many rows the batches of a dataset have, where its last one may have fewer."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tensorwhy.adapters.refusal.described import Batches

_KEEPING = ("Prefetch", "Map", "ParallelMap", "Cache", "Shuffle", "Take", "Skip", "Options", "Enumerate")
_MOST = 50


def batches(thing: Any) -> Batches | None:
    """The batches of a `tf.data.Dataset`; None where all have one size, or where nothing is batched."""
    for _ in range(_MOST):
        if not isinstance(thing, tf.data.Dataset):
            return None
        size = getattr(thing, "_batch_size", None)
        if size is not None:
            rows, dropped = (tf.get_static_value(each) for each in (size, getattr(thing, "_drop_remainder", None)))
            known = rows is not None and dropped is not None and not dropped
            return Batches(size=int(rows), advice=_advice(int(rows))) if known else None
        before = thing._inputs()
        if len(before) != 1 or type(thing).__name__.lstrip("_").removesuffix("Dataset") not in _KEEPING:
            return None
        thing = before[0]
    return None


def _advice(rows: int) -> tuple[str, ...]:
    return (
        f"leave the smaller batch out: `.batch({rows}, drop_remainder=True)`",
        "or read the number of rows from the tensor: `tf.shape(x)[0]`",
    )
