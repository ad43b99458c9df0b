"""Steps of optimizers after which values are not finite."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.replays.signals import largest
from tensorwhy.adapters.torch.training.readings import rate_of

_DIVISORS = ("exp_avg_sq", "square_avg", "exp_inf", "sum")
"""What optimizers call the mean square that they divide by the root of."""


class Update(NamedTuple):
    """A step whose gradients and values were finite, and whose results were not: so many numbers of them.

    `eps` is what the optimizer adds to a divisor, where that is 0 in `dtype`, and each lost number was divided by it.
    """

    step: int
    numbers: frozenset[int]
    elements: int
    dtype: str
    rate: float
    eps: float | None


def not_finite(values: dict[int, Any]) -> frozenset[int]:
    """The numbers of tensors that are NaN or infinite somewhere."""
    return frozenset(number for number, size in zip(values, largest(values)) if not math.isfinite(size))


def broken_by(optimizer: Any, looked: dict[int, int], step: int) -> Update | None:
    """What a step has made of finite values and gradients that were `looked` at, where that is not finite."""
    pairs = {
        number: (parameter, group)
        for group in optimizer.param_groups
        for parameter in group["params"]
        if (number := looked.get(id(parameter))) is not None
    }
    broken = not_finite({number: parameter.detach() for number, (parameter, _) in pairs.items()})
    if not broken:
        return None
    found = [pairs[number] for number in pairs if number in broken]
    parameter, group = found[0]
    eps = group.get("eps")
    divided = isinstance(eps, float) and all(_is_divided_by_nothing(optimizer, each, eps) for each, _ in found)
    count = sum(int((~torch.isfinite(each.detach())).sum()) for each, _ in found)
    dtype = str(parameter.dtype).removeprefix("torch.")
    return Update(step, broken, count, dtype, rate_of(group, 0.0), eps if divided else None)


def _is_divided_by_nothing(optimizer: Any, parameter: Any, eps: float) -> bool:
    """Whether all that was lost had a divisor of 0, and `eps` is 0 among numbers of this kind."""
    if float(torch.tensor(eps, dtype=parameter.dtype)) != 0.0:
        return False
    kept = optimizer.state.get(parameter) or {}
    divisor = next((kept[name] for name in _DIVISORS if isinstance(kept.get(name), torch.Tensor)), None)
    if divisor is None or divisor.shape != parameter.shape or divisor.dtype != parameter.dtype:
        return False
    return not bool(divisor[~torch.isfinite(parameter.detach())].any())
