"""TW613 statistics-never-moved: a layer is trained, and was never called in training mode."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks, refs
from tensorwhy.model.facts.training import UnmovedStatistics
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="The statistics of a trained layer keep their initial values: no step moves them.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold for statistics that only training mode moves, and that no training step moved."""
    fact = case.fact
    primary = (fact.called or fact.asked) if isinstance(fact, UnmovedStatistics) else None
    if not isinstance(fact, UnmovedStatistics) or primary is None:
        return None
    found = refs(case, fact)
    more = len(fact.layers) - 1
    rest = f" and {more} more layer{'s' if more > 1 else ''}" if more else ""
    own = " and ".join(f"`{each.name.split(':')[0].rpartition('/')[2]}`" for each in fact.variables[:2])
    return Evidence(
        message=f"{own} of layer `{fact.layers[0]}`{rest} kept "
        f"{'the values from before' if fact.loaded else 'their initial values'} in {fact.steps} training steps: "
        "the layer never ran in training mode",
        primary=Marked.at(primary, "called without `training=True`" if fact.called else "trained here"),
        related=marks(
            primary,
            (fact.made, "the layer created here", "made"),
            (fact.asked, "the gradients are computed here", "asked"),
        ),
        source=found[0] if found else None,
        also=found[1:],
        notes=(
            f"tried with a copy of the `{fact.of_class}`: a call with `training=True` moves them, one without does not",
        ),
        fixes=(
            Fix(
                summary="call the model with `training=True` in the training step",
                caveat="if the statistics are meant to stay fixed, pass `training=False` to say so",
            ),
        ),
    )
