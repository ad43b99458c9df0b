"""A layer that gives one tensor, where the program takes apart what it gives."""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.keras_common import packages

_BY_CONSTRUCTOR = "return_state"
_BY_CALL = "return_attention_scores"


def told(layer: Any) -> str:
    """How a layer of Keras's own is told to give more than one tensor, where it was not; "" where there is no way."""
    name = type(layer).__name__
    if getattr(layer, _BY_CONSTRUCTOR, None) is False:
        return f"{name}(..., {_BY_CONSTRUCTOR}=True)"
    code = getattr(getattr(layer, "call", None), "__code__", None)
    taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code is not None else ()
    return f"{name}(...)(..., {_BY_CALL}=True)" if _BY_CALL in taken and not of_the_user(layer) else ""


def of_the_user(layer: Any) -> bool:
    """Return whether this is a layer or model of a class of the user's own."""
    return packages.kind_of(layer) in ("layer", "model") and not packages.is_keras_module(type(layer).__module__)
