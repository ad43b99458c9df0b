"""TW607 changed-though-frozen: to freeze parameters does not freeze state."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__,
    summary="The parameters of a layer are frozen, and its running statistics still change.",
    severity="warning",
)
