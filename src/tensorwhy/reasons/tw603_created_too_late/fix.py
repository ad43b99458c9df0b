"""Makes the layer in `__init__`, and calls it where it was made."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import hoisting
from tensorwhy.model.report import Fix

_WRONG = "wrong where each call needs a layer of its own"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`Layer(...)(x)` in `call` as `self.layer(x)`, with `self.layer = Layer(...)` in `__init__`."""
    return worded(evidence, hoisting.made_once(evidence.primary, case.sources), caveat=_WRONG)
