"""TW802 missing-result-name: a callback waits for a metric that no epoch has, and never acts, or always does."""

from __future__ import annotations

import difflib

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.data import MissingName
from tensorwhy.model.location import Marked
from tensorwhy.model.messages import counted
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="A callback looks up a name in the results of each epoch, and no epoch has a result of that name.",
    severity="warning",
)
_TEST = "val_"
_OTHER = "unless another metric was meant; then add it in `compile`"


def match(case: Case) -> Evidence | None:
    """Hold for a name that a callback was made with."""
    fact = case.fact
    place = (fact.used or fact.made or fact.trained) if isinstance(fact, MissingName) else None
    if not isinstance(fact, MissingName) or place is None:
        return None
    tested = any(name.startswith(_TEST) for name in fact.names)
    other = near(fact)
    missing = f"no result of {counted(fact.epochs, 'epoch')} has that name" if fact.epochs else "none has that name"
    validation = Fix(summary="give `fit` data for validation: `validation_data=(x_val, y_val)`")
    return Evidence(
        message=f"`{fact.callback}` looks for `{fact.name}`, but {missing}"
        if fact.callback
        else f"`{fact.name}` is looked up in the results of `fit`, but {missing}",
        primary=Marked.at(place, f"waits for `{fact.name}`" if fact.callback else "looked up here"),
        related=marks(place, (fact.trained, "trained here", "trained")),
        severity=None if fact.callback else "error",
        notes=("the results have these names: " + ", ".join(f"`{name}`" for name in sorted(fact.names)),),
        fixes=(
            *(() if tested or not fact.name.startswith(_TEST) else (validation,)),
            *((Fix(summary=f"let it look for `{other}`", caveat=_OTHER),) if other else ()),
        ),
    )


def near(fact: MissingName) -> str:
    """Return the name that is most like the one that is missing; of results of the same kind of data only."""
    kind = fact.name.startswith(_TEST)
    names = {name.lower(): name for name in fact.names if name.startswith(_TEST) == kind}
    if not names:
        plain = fact.name.removeprefix(_TEST)
        return plain if plain in fact.names else ""
    found = difflib.get_close_matches(fact.name.lower(), names, n=1, cutoff=0.5)
    return names[found[0]] if found else ""
