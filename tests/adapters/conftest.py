"""A session that records this process, for tests of what it remembers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def session() -> Iterator[Any]:
    """Recording, from before the test to its end; no hook may have failed by then."""
    pytest.importorskip("tensorflow")

    from tensorwhy.adapters.tensorflow.session import TensorFlowSession
    from tensorwhy.recording.locations import UserCode

    session = TensorFlowSession(UserCode(), "auto")
    session.start()
    yield session
    session.close()
    assert session.recorder.failure is None
