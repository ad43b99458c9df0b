"""TW803 reshuffled-split: what is tested with was trained on, because the split is another one in each pass."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.data import ReshuffledSplit
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="Training and test data are parts of one dataset that is reshuffled for each pass, and mix.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold for two parts of one dataset."""
    fact = case.fact
    if not isinstance(fact, ReshuffledSplit):
        return None
    first, second = fact.operations
    return Evidence(
        message="the model is tested with data that it was trained on: both parts come from a dataset that is"
        " reshuffled for each pass",
        primary=Marked.at(fact.shuffled, "a new order for each pass"),
        related=marks(
            fact.shuffled,
            (fact.cuts[0], f"`{first}`: the training part", "trained on"),
            (fact.cuts[1], f"`{second}`: the part for validation", "tested with"),
            (fact.used, "tested here" if fact.used != fact.trained else "trained and tested here", "used"),
        ),
        fixes=(
            Fix(
                summary="keep one order: `shuffle(..., reshuffle_each_iteration=False)`, and shuffle the training part"
                " again after the split",
                caveat="unless validation may use samples that the model was trained on",
            ),
        ),
    )
