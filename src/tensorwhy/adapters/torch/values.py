"""Has the value of a parameter changed? Fingerprints of values, read where no graph is kept."""

from __future__ import annotations

import hashlib
from typing import Any

import torch


def known(model: Any) -> bool:
    """Return whether the module has its parameters already: a lazy one gets them in its first call."""
    parameters = list(model.parameters()) if isinstance(model, torch.nn.Module) else []
    lazy = any(isinstance(each, torch.nn.parameter.UninitializedTensorMixin) for each in parameters)
    return bool(parameters) and not lazy


def digests(model: Any) -> dict[str, bytes | None]:
    """Name → fingerprint of every parameter that requires a gradient."""
    if not isinstance(model, torch.nn.Module):
        return {}
    return {name: _digest(each) for name, each in model.named_parameters() if each.requires_grad}


def _digest(parameter: Any) -> bytes | None:
    if parameter.device.type == "meta":
        return None
    with torch.no_grad():
        whole = parameter.detach().cpu().reshape(-1).contiguous().view(torch.uint8) if parameter.numel() else None
    return None if whole is None else hashlib.blake2b(whole.numpy().tobytes(), digest_size=16).digest()
