"""Provide `GradientFlow`, a callback for `fit`, for Keras 2 and Keras 3."""

from __future__ import annotations

from tensorwhy.integrations.keras_callback import GradientFlow, GradientFlowWarning

__all__ = ["GradientFlow", "GradientFlowWarning"]
