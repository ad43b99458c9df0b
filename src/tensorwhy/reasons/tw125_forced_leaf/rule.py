"""TW125 forced-leaf: the error is gone, and so is every gradient."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__, summary="A result without a graph was made a leaf, which only silences the error of the backward pass."
)
