"""TW123 modified-in-place: what the backward pass needs is not there any more."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.told import observed

META = about(__name__, summary="A value that the backward pass needs was changed in place after it was used.")


def match(case: Case) -> Evidence | None:
    """Holds where an adapter saw it."""
    return observed(case, META)
