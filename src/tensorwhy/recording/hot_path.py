"""The compiled part of recording, where it was built and is wanted."""

from __future__ import annotations

import importlib
import os
from typing import Any

compiled: Any
"""The module; None where it was not built."""

try:
    compiled = importlib.import_module("tensorwhy.recording._fast")
except ImportError:
    compiled = None


def is_compiled() -> bool:
    """Return whether it is there and wanted."""
    return compiled is not None and not os.environ.get("TENSORWHY_PURE")
