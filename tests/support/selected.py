"""What a run of the tests takes: what every change needs, or `everything`, as `make test-matrix` does."""

from __future__ import annotations

import os


def everything() -> bool:
    """Return whether nothing is to be left out, and nothing to be taken from a cache or a fork server."""
    return os.environ.get("TENSORWHY_TESTS") == "everything"
