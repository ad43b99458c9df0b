"""TW805 loss-misfit: a loss function gets something else than it takes, and says nothing."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__,
    summary="A loss function gets probabilities where it takes scores, or where it takes their logarithms.",
    severity="warning",
)
