"""What arrived at the variables of one forward and backward pass, and which framework is to make that pass."""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Iterator
from typing import Any, Literal

import msgspec


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """What arrived at one source: its gradient's norm, and whether it is None or exactly zero. `key` is its `id()`."""

    key: int
    name: str
    gradient: Literal["flows", "zero", "none"]
    norm: float | None
    dtype: str
    shape: tuple[int | None, ...] | None

    @classmethod
    def of(
        cls, source: Any, name: str, norm: float | None, dtype: str, shape: tuple[int | None, ...] | None
    ) -> Arrival:
        """What arrived at a source; `norm` is None where nothing did."""
        return cls(
            key=id(source),
            name=name,
            gradient="none" if norm is None else "zero" if norm == 0 else "flows",
            norm=norm if norm is None or math.isfinite(norm) else math.nan,
            dtype=dtype,
            shape=shape,
        )


class OutputStats(msgspec.Struct, frozen=True, kw_only=True):
    """One output. `mean` and `spread` (standard deviation) leave out what is not finite; None without numbers.

    `zeros` and `nans` are shares from 0 to 1.
    """

    shape: tuple[int | None, ...]
    dtype: str
    mean: float | None = None
    spread: float | None = None
    zeros: float | None = None
    nans: float | None = None


class Seen(msgspec.Struct):
    """A layer with the result of its first call on values, kept for as long as the collector lives."""

    layer: Any
    result: Any
    calls: int = 1


def flow(*things: Any) -> Any:
    """The module of the adapter that runs what these are a part of: its functions are those of either `flow`."""
    return importlib.import_module(f"{__package__}.{'torch' if _is_torch(things) else 'tensorflow'}.flow")


def values(*things: Any) -> Any:
    """The module of the adapter that compares the values of variables."""
    return importlib.import_module(f"{__package__}.{'torch' if _is_torch(things) else 'tensorflow'}.values")


def layer_outputs(*things: Any) -> Any:
    """The module that collects what layers give out."""
    place = "torch" if _is_torch(things) else "keras_common"
    return importlib.import_module(f"{__package__}.{place}.layer_outputs")


def _is_torch(things: Any) -> bool:
    """Return whether an object is PyTorch's; where none is any framework's, whether PyTorch alone was imported."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    if any(isinstance(each, (torch.Tensor, torch.nn.Module)) for each in leaves(things)):
        return True
    return "tensorflow" not in sys.modules and "keras" not in sys.modules


def leaves(thing: Any, whole: tuple[type, ...] = ()) -> Iterator[Any]:
    """Everything in a value, out of lists, tuples and dicts; not out of those of the classes that stay `whole`."""
    if isinstance(thing, (list, tuple)) and not isinstance(thing, whole):
        for each in thing:
            yield from leaves(each, whole)
    elif isinstance(thing, dict):
        yield from leaves(list(thing.values()), whole)
    else:
        yield thing
