"""The optimizers of a program, weakly, and one update of what they leave as it is, so that it can be computed again."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.patches import quietly
from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.adapters.tensorflow.variables import learning_rate
from tensorwhy.adapters.tensorflow.variables.arrays import array_of, variable_value
from tensorwhy.model.facts.training import Schedule
from tensorwhy.model.location import Location

_ELEMENTS = 1 << 20
_SAMPLES = 64
"""So many variables of so many elements are copied, of those that stand still."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One update of a variable that stands still.

    `gradient` is an array, or the values, indices and shape of a sparse one; None in a traced step. `step` is how many
    updates the optimizer had counted.
    """

    value: Any
    dtype: str
    gradient: Any = None
    constraint: Any = None
    step: int = 0


class Used(msgspec.Struct, kw_only=True):
    """An optimizer, weakly, and what is said of it when it is gone.

    `handles` are the variables that it was given gradients for, `made` is where it was made. `rate` is the learning
    rate that it had when it was last looked at, `scheduled` the function that computes it, and at which step. It
    changes the variables in every so many calls: `every`. `skips` says that it leaves out steps with gradients that
    are not finite, `updates` how many updates it has counted. `remade` makes one like it. `given` are the variables as
    it was given them, by their handles.
    """

    optimizer: weakref.ref[Any]
    handles: set[int]
    made: Location | None
    name: str
    every: int = 1
    rate: float | None = None
    scheduled: tuple[Any, int] | None = None
    skips: bool = False
    updates: int | None = None
    remade: Callable[[], Any] | None = None
    given: dict[int, weakref.ref[Any]] = {}
    samples: dict[int, Sample] = {}

    @classmethod
    def of(cls, optimizer: Any) -> Used:
        """What is known of an optimizer at its first use."""
        inner = _inner(optimizer)
        return cls(
            optimizer=weakref.ref(optimizer),
            handles=set(),
            made=creations.made(optimizer),
            name=type(inner).__name__,
            every=getattr(optimizer, "gradient_accumulation_steps", None) or 1,
            skips=inner is not optimizer,
        )

    def look(self, optimizer: Any) -> None:
        """Read its learning rate and how many updates it has counted."""
        self.rate = learning_rate.kept(optimizer)
        self.scheduled = learning_rate.scheduled(optimizer)
        self.updates = learning_rate.steps(_inner(optimizer))

    def look_again(self) -> None:
        """Look once more, at the end, where it is still there."""
        optimizer = self.optimizer()
        if optimizer is not None:
            self.look(optimizer)

    def learning_rate(self) -> tuple[float | None, Schedule | None]:
        """The learning rate as it is now, and the schedule that computes it.

        The rate is None when that is not known (a variable of another graph); of an optimizer that is gone, it is the
        last one that was seen.
        """
        optimizer = self.optimizer()
        if self.scheduled is not None:
            function, step = self.scheduled
            return learning_rate.at(function, step), learning_rate.described(function, step)
        return self.rate if optimizer is None else learning_rate.now(optimizer), None

    @property
    def skipped_all(self) -> bool:
        """Return whether an optimizer that leaves out steps was given gradients, and has counted no update."""
        return self.skips and self.updates == 0

    def take(self, optimizer: Any, still: Iterable[tuple[int, Any, Any]]) -> None:
        """Copy the gradients of variables that stand still; each is given by its handle."""
        inner = _inner(optimizer)
        scale = _scale(optimizer) if inner is not optimizer else 1.0
        for handle, gradient, variable in still:
            array = variable_value(getattr(variable, "_value", variable))
            if array is None or array.size > _ELEMENTS or len(self.samples) >= _SAMPLES:
                continue
            self.samples[handle] = Sample(
                value=np.array(array),
                dtype=str(array.dtype),
                gradient=_copied(gradient, scale),
                constraint=getattr(variable, "constraint", None),
                step=self.updates or 0,
            )
        if self.samples and self.remade is None:
            self.remade = _remaking(inner)

    def remember(self, optimizer: Any) -> None:
        """Keep how to make one like it."""
        self.remade = self.remade or _remaking(_inner(optimizer))

    def scale(self) -> float:
        """What a wrapping optimizer divides gradients by; 1 where it does not."""
        optimizer = self.optimizer()
        return _scale(optimizer) if optimizer is not None and _inner(optimizer) is not optimizer else 1.0


def _inner(optimizer: Any) -> Any:
    """The optimizer that another one wraps, which scales its loss."""
    return getattr(optimizer, "inner_optimizer", optimizer)


def _scale(optimizer: Any) -> float:
    """What the gradients are multiplied with that a wrapping optimizer is given; one that divides them itself."""
    held = getattr(optimizer, "dynamic_scale", None)
    value = variable_value(getattr(held, "_value", held)) if held is not None and hasattr(held, "_value") else None
    return 1.0 if value is None else float(value.item()) or 1.0


def _copied(gradient: Any, scale: float) -> Any:
    if gradient is None:
        return None
    values = array_of(values_of(gradient))
    if values is None:
        return None
    values = np.array(values).astype(np.float64) / scale
    if values_of(gradient) is gradient:
        return values
    indices, shape = array_of(gradient.indices), array_of(gradient.dense_shape)
    return None if indices is None or shape is None else (values, np.array(indices), np.array(shape))


def _remaking(optimizer: Any) -> Callable[[], Any] | None:
    """Make optimizers like this one; None where a single variable does not show what it does: it looks at all."""
    kind = type(optimizer)
    config = quietly(optimizer.get_config, None)
    if not isinstance(config, dict) or config.get("global_clipnorm") is not None:
        return None
    if "jit_compile" in config:
        config = {**config, "jit_compile": False}  # compiled code shows no intermediates
    return lambda: kind.from_config(dict(config))
