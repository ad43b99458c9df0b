"""TW123 modified-in-place: what the backward pass needs is not there any more."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(__name__, summary="A value that the backward pass needs was changed in place after it was used.")
