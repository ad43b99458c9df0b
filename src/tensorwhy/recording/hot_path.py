"""The compiled parts of recording, where they were built and are wanted."""

from __future__ import annotations

import importlib
import os
from typing import Any


def _built(name: str) -> Any:
    try:
        return importlib.import_module(f"tensorwhy.recording.{name}")
    except ImportError:
        return None


compiled: Any = _built("_fast")
"""The module; None where it was not built."""
mode: Any = _built("_mode")
"""The same of the function mode."""


def is_compiled() -> bool:
    """Return whether it is there and wanted."""
    return compiled is not None and is_wanted()


def is_wanted() -> bool:
    """Return whether compiled parts are wanted."""
    return not os.environ.get("TENSORWHY_PURE")
