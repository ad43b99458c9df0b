"""For Keras, 2 and 3: `tensorwhy.keras.GradientFlow`, a callback of `fit`."""

from __future__ import annotations

from tensorwhy.integrations.keras_callback import GradientFlow, GradientFlowWarning

__all__ = ["GradientFlow", "GradientFlowWarning"]
