"""The history of Keras 2 tensors, layers and models."""

from __future__ import annotations

from typing import Any

from tensorwhy.adapters.keras_common import ancestry as common
from tensorwhy.model.history import History
from tensorwhy.recording.locations import UserCode


def ancestry(thing: Any, session: Any, user: UserCode, limit: int) -> History | None:
    """The history of a symbolic tensor, layer or model of Keras 2; None for anything else."""
    return common.of_tensor(thing, 2, limit) or common.of_model(thing, 2)
