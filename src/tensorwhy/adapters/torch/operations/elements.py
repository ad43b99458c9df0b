"""Which number of a result is the first that is not finite, and what the operation was given for that one."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch


class Element(NamedTuple):
    """A place in a result of this `shape`, and the other numbers for it, by the names of the arguments."""

    place: tuple[int, ...]
    shape: tuple[int, ...]
    beside: tuple[tuple[str, float], ...]

    def told(self) -> str:
        """In words, to follow "is not finite"."""
        at, of = (self.place[0], self.shape[0]) if len(self.place) == 1 else (self.place, self.shape)
        given = " and ".join(f"`{name}` is {value:.4g}" for name, value in self.beside)
        return f"at index {at} of {of}" + (f", where {given}" if given else "")


def first_bad(result: Any, given: Mapping[str, Any]) -> Element | None:
    """The first number of a tensor that is not finite; None where that is a single number, or all are finite."""
    bad = (~result.isfinite()).nonzero() if result.ndim else None
    if bad is None or not len(bad):
        return None
    index = tuple(bad[0].tolist())
    labels = next((each for each in given.values() if _has(each, result.shape) and not _is_float(each)), None)
    beside = []
    for name, value in given.items():
        if _has(value, result.shape):
            beside.append((name, float(value[index] if isinstance(value, torch.Tensor) else value[index[0]])))
        elif isinstance(labels, torch.Tensor) and _scores(value, result.shape):
            label = int(labels[index])
            cell = (*index[:1], label, *index[1:])
            if 0 <= label < value.shape[1]:
                beside.append((f"{name}[:, {label}]", float(value[cell])))
    return Element(index, tuple(result.shape), tuple(beside))


def of_labels(scores: Any, labels: Any) -> Element | None:
    """The first label whose score is not finite, where the other scores may well be infinite."""
    if scores.ndim != labels.ndim + 1:
        return None
    chosen = scores.gather(1, labels.clamp(min=0).unsqueeze(1)).squeeze(1)
    return first_bad(chosen.masked_fill(labels < 0, 0.0), {"target": labels, "input": scores})


def of_loss(function: Any, args: Any, kwargs: Any) -> Element | None:
    """The first number of a loss that is not finite, before the loss reduces them to one; None for what is no loss."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):  # it is called otherwise, or is no function of Python's
        return None
    if "reduction" not in inspect.signature(function).parameters:
        return None
    bound.arguments["reduction"] = "none"
    with torch.no_grad():
        result = function(*bound.args, **bound.kwargs)
    return first_bad(result, {name: each for name, each in bound.arguments.items() if name != "weight"})


def _has(value: Any, shape: Any) -> bool:
    """Whether there is one number for each of a result."""
    if isinstance(value, torch.Tensor):
        return bool(value.shape == shape)
    return type(value) is tuple and len(shape) == 1 and len(value) == shape[0] and type(value[0]) is int


def _is_float(value: Any) -> bool:
    return not isinstance(value, torch.Tensor) or value.is_floating_point()


def _scores(value: Any, shape: Any) -> bool:
    """Whether there is one number for each class of each number of a result."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or value.ndim != len(shape) + 1:
        return False
    return bool(value.shape[:1] + value.shape[2:] == shape)
