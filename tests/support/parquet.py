"""Whether Parquet files can be read and written here: pyarrow may be missing, or refuse the NumPy that it finds."""

from __future__ import annotations

import pytest

try:
    import pyarrow  # noqa: F401

    REASON = ""
except ImportError as error:
    REASON = f"no usable pyarrow: {error}"

needed = pytest.mark.skipif(bool(REASON), reason=REASON)
