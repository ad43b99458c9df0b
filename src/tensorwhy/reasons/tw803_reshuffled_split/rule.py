"""TW803 reshuffled-split: what is tested with was trained on, because the split is another one in each pass."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.data import ReshuffledSplit
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix

META = ReasonMeta(
    code="TW803",
    slug="reshuffled-split",
    family="data",
    summary="Training and test data are parts of one dataset that is shuffled anew for each pass, and mix.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold for two parts of one dataset."""
    fact = case.fact
    if not isinstance(fact, ReshuffledSplit):
        return None
    first, second = fact.operations
    return Evidence(
        message="the model is tested with data that it was trained on: both parts are cut from a dataset that is"
        " shuffled anew for each pass",
        primary=Marked.at(fact.shuffled, "shuffled anew each time somebody goes through it"),
        related=marks(
            fact.shuffled,
            (fact.cuts[0], f"`{first}`: the part that is trained on", "trained on"),
            (fact.cuts[1], f"`{second}`: the part that is tested with", "tested with"),
            (fact.used, "tested here" if fact.used != fact.trained else "trained and tested here", "used"),
        ),
        fixes=(
            Fix(
                summary="keep one order: `shuffle(..., reshuffle_each_iteration=False)`, and shuffle the part that is"
                " trained on once more behind the split",
                caveat="unless parts that change are meant, and nothing is concluded from the test",
            ),
        ),
    )
