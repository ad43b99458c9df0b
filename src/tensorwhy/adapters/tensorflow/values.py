"""Has the value of a variable changed? Fingerprints of values, read outside of every tape and graph."""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.tensorflow.flow import name_of
from tensorwhy.adapters.variable_values import digest


def known(model: Any) -> bool:
    """Return whether the model has its variables already."""
    return bool(_variables(model))


def digests(model: Any) -> dict[str, bytes | None]:
    """Name → fingerprint of every trainable variable. Variables of one name are told apart by their position."""
    found: dict[str, bytes | None] = {}
    for position, variable in enumerate(_variables(model)):
        name = name_of(variable, position)
        found[name if name not in found else f"{name} ({position + 1})"] = digest(variable)
    return found


def _variables(model: Any) -> list[Any]:
    try:
        return list(model.trainable_variables)
    except (AttributeError, ValueError):  # Keras 2 refuses for a model that is not built
        return []
