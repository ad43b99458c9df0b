"""TW117 cloned-or-rebuilt: the target was computed with another copy of the weights."""

from __future__ import annotations

from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.gradient import evidence, marked, source_made, target_of
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.source.answers.calls import shadowed

META = about(
    __name__, summary="The loss uses a different copy of the weights than the one whose gradient is requested."
)


def match(case: Case) -> Evidence | None:
    """Holds when the target depends on variables like the source, which nobody asked about, and not on the source."""
    fact = case.fact
    if not isinstance(fact, Unused) or not fact.instead or fact.kind not in ("copied", "unused"):
        return None
    if fact.use is not None and fact.use.how == "made-again":
        return None  # TW606
    if fact.kind == "unused" and shadowed(case.sources, fact):
        return None
    other = fact.instead[0]
    name = variable_name(case.sources, other.name, other.created)
    copied = fact.kind == "copied"
    if copied or fact.entry is not None:
        label = "the other copy is used here"
    elif other.created is not None:
        label = f"`{name}`, the one that is used, is created here"
    else:
        label = f"requested here, but `{name}` is the one that is used"
    own, its = fact.sources[0].layer_made or fact.made.source, other.created
    names = [case.sources.names(at) if at is not None else () for at in (own, its)]
    called = [each[0] for each in names if len(each) == 1]
    apart = len(called) == 2 and called[0] != called[1] and "/" in name
    instead = f"another variable{_alike(case, fact, name)}" + (", whose value was copied from it" if copied else "")
    if apart:
        instead = f"`{called[1]}`, {'a copy of' if copied else 'and not with'} `{called[0]}`"
    return evidence(
        case,
        fact,
        location=fact.location if copied else fact.entry or other.created,
        why=f"{target_of(case, fact)} was computed with {instead}",
        label=f"`{called[1]}` is used here" if apart and (copied or fact.entry is not None) else label,
        related=[
            *(marked(own, f"creates `{called[0]}`", "source") if apart else source_made(case, fact)),
            *marked(fact.entry if copied else None, "and gets the values here", "copied"),
            *marked(
                other.created if fact.entry is not None else None,
                f"creates `{called[1]}`" if apart else f"`{name}` is created here",
                "other",
            ),
        ],
    )


def _alike(case: Case, fact: Unused, name: str) -> str:
    same = name == variable_name(case.sources, fact.sources[0].name, fact.made.source)
    return " of the same name and shape" if same else f" of the same shape, `{name}`"
