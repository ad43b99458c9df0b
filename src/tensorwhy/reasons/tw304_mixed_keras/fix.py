"""Imports from one Keras package."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import MixedPackages, PackagedObject
from tensorwhy.model.report import Edit, Fix

_WRONG = "unless you need something that only the private module has; then build the whole model with it"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The import of the private or the second package, from the other one; and the other way round."""
    fact = case.fact
    if not isinstance(fact, MixedPackages):
        return
    odd, rest = fact.stranger, fact.receiver
    if fact.receiver.private and not fact.stranger.private:
        odd, rest = rest, odd
    yield from worded(evidence, _imported(odd, rest, case), caveat=_WRONG)
    other = _imported(rest, odd, case) if not odd.private else ()
    if other:
        caveat = f"unless other code needs {rest.package}; then keep that one"
        yield Fix(summary=f"or take all from {odd.package}", edits=other, caveat=caveat)


def _imported(odd: PackagedObject, rest: PackagedObject, case: Case) -> tuple[Edit, ...]:
    package = rest.package if rest.package in ("tf_keras", "keras") else "tensorflow.keras"
    return symbolic.one_package(odd.imported, package, case.sources)
