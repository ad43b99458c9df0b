"""Batch normalization that was frozen in one training and not in the next, whose loss then begins far above the last.

Layers that are unfrozen normalize with the numbers of each batch, and overwrite the statistics that the layers behind
them know. What is compared are values before and after each call of `fit`.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning import frozen
from tensorwhy.adapters.keras_common.learning.settings import Training
from tensorwhy.adapters.keras_common.learning.training import handles_of, layers_of
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import Fix
from tensorwhy.recording import locations

_WORSE = 1.25
_STATISTICS = ("moving_mean", "moving_variance")
_FACTS: dict[tuple[int | None, Location], Observed] = {}
_BEGUN: dict[int, dict[int, bytes]] = {}
"""By the id of a model that is being trained: its layers' statistics."""
_LAST: dict[int, _Fitted] = {}


class _Fitted(NamedTuple):
    """A call of `fit`: the layers whose statistics stayed, because they were frozen, and the last loss."""

    model: weakref.ref[Any]
    stayed: frozenset[int]
    loss: float


def clear() -> None:
    """Forget what was seen."""
    _FACTS.clear()
    _BEGUN.clear()
    _LAST.clear()


def facts(generation: int) -> Iterator[Observed]:
    """What was found with models of this generation."""
    yield from (fact for (found, _), fact in _FACTS.items() if found == generation)


def begins(training: Training) -> None:
    """A call of `fit` begins."""
    _BEGUN[id(training.model)] = {id(layer): _digest(layer) for layer in _normalizing(training.model)}


def ends(training: Training, losses: tuple[float, ...]) -> None:
    """A call of `fit` is over."""
    model = training.model
    before = _BEGUN.pop(id(model), {})
    layers = _normalizing(model)
    if not layers or not losses:
        return
    moved = [layer for layer in layers if before.get(id(layer)) not in (None, _digest(layer))]
    last = _LAST.get(id(model))
    if last is not None and last.model() is model and moved and losses[0] > _WORSE * last.loss > 0:
        freed = [layer for layer in moved if id(layer) in last.stayed]
        if freed:
            fact = _fact(freed, training, last.loss, losses[0])
            if fact is not None:
                _FACTS[packages.generation_of(model), training.at] = fact
    stayed = frozenset(id(each) for each in layers if not each.trainable and each not in moved)
    _LAST[id(model)] = _Fitted(weakref.ref(model), stayed, losses[-1])


def _normalizing(model: Any) -> list[Any]:
    return [
        layer
        for layer in layers_of(model)
        if packages.native(layer) and all(getattr(layer, name, None) is not None for name in _STATISTICS)
    ]


def _digest(layer: Any) -> bytes:
    held = (getattr(layer, name) for name in _STATISTICS)
    return b"".join(variable_values.digest(getattr(each, "_value", each)) or b"" for each in held)


def _fact(layers: list[Any], training: Training, before: float, after: float) -> Observed | None:
    said = frozen.last_said(set().union(*(handles_of(layer, "variables") for layer in layers)), True)
    if said is None:
        return None
    kind, count = type(layers[0]).__name__, len(layers)
    own = f"the `{kind}` layer" if count == 1 else f"{count} `{kind}` layers"
    batches = f" of {training.size}" if training.size is not None else ""
    return Observed(
        slug="statistics-overwritten",
        message=f"this also unfreezes {own}: training now overwrites their statistics, and the loss rose from "
        f"{before:.3g} to {after:.3g}",
        label="unfreezes batch normalization too",
        location=locations.resolve(*said.place),
        related=(Marked.at(training.at, f"trained on batches{batches}, which the layers normalize with", "trained"),),
        severity="warning",
        certainty="likely",
        notes=(f"frozen in the training before, {'it' if count == 1 else 'they'} kept the statistics",),
        fixes=(
            Fix(
                summary=f"freeze these layers again after the line: `layer.trainable = False` for each `{kind}`, then "
                "compile",
                caveat="unless the statistics should adapt to other data; then train with larger batches",
            ),
        ),
    )
