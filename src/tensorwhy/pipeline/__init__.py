"""The only place that wires the stages: adapters observe, reasons explain, and a report comes out.

The user's program is never disturbed: whatever fails in here costs coverage, which the report names.
"""

from __future__ import annotations

from tensorwhy.pipeline.observation import Observation
from tensorwhy.pipeline.observers import history, observations, running, unobserved

__all__ = ["Observation", "history", "observations", "running", "unobserved"]
