"""TW126 not-retained: gradients of results are not kept."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__,
    summary="The gradient of a tensor that is not a leaf was read, but only those of leaves are kept.",
    severity="warning",
)
