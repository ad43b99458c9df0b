"""Python values that were frozen into a graph while tracing, and had changed when the graph ran again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.tensorflow.graphs import frozen
from tensorwhy.model.facts import Fact


def audit(session: Any) -> Iterable[Fact]:
    return [fact for watch in frozen.CURRENT for fact in (*watch.stale(), *watch.drawn())]
