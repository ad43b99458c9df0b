"""The only place that wires the stages: adapters observe, reasons explain, and a report comes out.

The user's program is never disturbed: whatever fails in here costs coverage, which the report names. Three ways lead
through the rooms:

- An operation: while it runs, a hook in `adapters` writes a row of `recording`. At the end `adapters` ask `lineage` for
  the breaks, as facts; `diagnosis` asks `reasons`; `rendering` shows the report.
- An exception: while its frames are alive, `adapters` read them (probes and refusal) and what `source` says there.
  The rest is the same.
- A checked file: `checks` read it on `source`. The rest is the same.
"""

from __future__ import annotations

from tensorwhy.pipeline.observation import Observation
from tensorwhy.pipeline.observers import history, observations, running, unobserved

__all__ = ["Observation", "history", "observations", "running", "unobserved"]
