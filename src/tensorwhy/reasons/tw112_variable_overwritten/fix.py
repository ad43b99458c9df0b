"""Changes the variable in place."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import rebinding
from tensorwhy.model.facts.gradient import NotWatched
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.report import Edit, Fix


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`w = w - x` as `w.assign_sub(x)`."""
    fact = case.fact
    rebound = fact.applied if isinstance(fact, NotHanded) else None
    if isinstance(fact, NotWatched):
        rebound = fact.rebound
    if rebound is None or (isinstance(fact, NotHanded) and fact.summed):  # no variable: nothing to assign to
        return
    edits = rebinding.all_in_place(rebound, case.sources)
    yield Fix(
        summary="change the variable in place: "
        + " and ".join(f"`{edit.replacement}`" for edit in sorted(edits, key=_at))
        if edits
        else "change the variable in place, with `assign`, `assign_add` or `assign_sub`",
        edits=edits,
        caveat="unless the gradient should pass through this update; then call `tape.watch` on the tensor",
    )


def _at(edit: Edit) -> int:
    return edit.start.line
