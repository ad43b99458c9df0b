"""TW124 checkpoint-input: reentrant checkpointing looks at its inputs alone."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__, summary="No input of a reentrant checkpoint requires a gradient, and the checkpoint keeps no graph."
)
