"""TW112 variable-overwritten: the name of a variable was bound to a tensor computed from it."""

from __future__ import annotations

from tensorwhy.diagnosis.gradient import evidence, marked, source_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks, names, refs, verb
from tensorwhy.model.facts.gradient import NotWatched
from tensorwhy.model.facts.refusal import Rebound, RefusedObject
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="The name was rebound from a Variable to a Tensor, and tapes do not watch plain tensors automatically.",
    keeps_value=True,
)


def match(case: Case) -> Evidence | None:
    """Holds when a plain tensor took over the name of a variable it was computed from: a source, or an update."""
    fact = case.fact
    if isinstance(fact, NotHanded):
        return _lost(case, fact)
    if isinstance(fact, RefusedObject):
        return _assigned(fact, fact.rebound) if fact.rebound is not None else None
    if not isinstance(fact, NotWatched) or fact.kind != "not-watched" or fact.was is None:
        return None
    name, recorder = source_of(case, fact), fact.question.recorder_noun
    now, those = "a plain tensor computed from the variable", "plain tensors"
    label = f"here {name} becomes a plain tensor"
    if fact.stored is not None:
        now, those = "the result of an assignment to the variable", "that"
        label = f"{name} becomes the result of the assignment here, which is not the variable"
    return evidence(
        case,
        fact,
        location=fact.rebound,
        why=f"{name} is now {now}, and {recorder}s do not watch {those} automatically",
        label=label,
        related=marked(fact.was.created, "the variable is created here", "variable"),
    )


def _assigned(fact: RefusedObject, rebound: Rebound) -> Evidence | None:
    """Something that only variables have was asked of a tensor, under the name of a variable."""
    if rebound.was != "variable" or "`assign" not in fact.call:
        return None
    return Evidence(
        message=f"`{rebound.name}` was a variable but is now a {_plain(rebound.now)}, which has no"
        f" {fact.call.removeprefix('the attribute ')}",
        primary=Marked.at(rebound.at, f"`{rebound.name}` becomes a tensor here"),
        related=marks(
            rebound.at,
            (rebound.made, "the variable comes from here", "variable"),
            (fact.used, "assigned to here", "used"),
        ),
        fixes=(
            Fix(summary="change the variable in place, with `assign`, `assign_add` or `assign_sub`"),
            Fix(summary="or give the computed value another name"),
        ),
    )


def _plain(kind: str) -> str:
    return "plain tensor" if kind == "tensor" else kind


def _lost(case: Case, fact: NotHanded) -> Evidence | None:
    """An update of a variable that only got a name, in every step."""
    if fact.problem != "rebound" or fact.applied is None:
        return None
    found = refs(case, fact)
    bound = case.sources.names(fact.applied)
    name = f"`{bound[0]}`" if len(bound) == 1 else "the name"
    done, kept = "the update is computed", "the variable"
    fix = Fix(summary="change the variable in place, with `assign`, `assign_add` or `assign_sub`")
    if fact.summed:
        done, kept = "gradients are added up", "what the optimizer is given"
        fix = Fix(
            summary="store the sums where the optimizer reads them: create a new list, `[total + gradient for "
            "total, gradient in zip(totals, gradients)]`, or add to variables with `assign_add`"
        )
    return Evidence(
        message=f"{names(case, fact)} never {verb(fact, 'changes', 'change')}: in {fact.steps} steps {done}, "
        f"and {name} is only given to the result",
        primary=Marked.at(fact.applied, f"{name} becomes a new tensor here, and {kept} stays as it was"),
        related=marks(fact.applied, (fact.asked, "the gradient is computed here", "asked")),
        certainty="likely",
        severity="warning",
        source=found[0],
        also=found[1:],
        fixes=(fix,),
    )
