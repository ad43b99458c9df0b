"""The numbers of one tensor, as the signal walk takes them."""

from __future__ import annotations

from typing import Any

import torch

from tensorwhy.model.facts.signal import Numbers


def numbers(tensor: Any) -> Numbers:
    """Return what a tensor holds."""
    tensor = tensor.detach()
    digits, shape = str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape)
    if tensor.layout is not torch.strided:
        tensor = tensor.coalesce().values() if tensor.layout is torch.sparse_coo else tensor.to_dense()
    if tensor.is_complex():
        tensor = tensor.abs()
    size = tensor.numel()
    if not size:
        return Numbers(shape=shape, size=0, digits=digits)
    floating = tensor.is_floating_point()
    flat = tensor.reshape(-1).to(torch.float64 if tensor.dtype == torch.float64 else torch.float32)
    zeros = size - int(torch.count_nonzero(flat))
    finite = torch.isfinite(flat) if floating else None
    count = int(finite.sum()) if finite is not None else size
    nans = int(torch.isnan(flat).sum()) if count < size else 0
    known = flat[finite] if finite is not None and count < size else flat
    low, high = (float(known.min()), float(known.max())) if count else (0.0, 0.0)
    return Numbers(
        shape=shape, size=size, zeros=zeros, nans=nans, infinite=size - count - nans, low=low, high=high, digits=digits
    )


def constant(value: float) -> Numbers:
    """Return a number that stands among the arguments of a call."""
    return numbers(torch.tensor(float(value), dtype=torch.float64))
