"""What the rows of traces tell at the end: functions traced again and again, and Python values that they froze."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.tensorflow.tracing import frozen
from tensorwhy.diagnosis import tracing
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    for watch in frozen.CURRENT:
        yield from watch.stale()
        yield from watch.drawn()
        yield from tracing.retraced(watch.traces())
