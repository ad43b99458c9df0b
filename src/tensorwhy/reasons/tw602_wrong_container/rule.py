"""TW602 wrong-container: layers or variables are kept where this Keras does not look, and are never trained."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW602",
    slug="wrong-container",
    family="variable",
    summary="Layers or variables are kept in a container or object that Keras does not look into.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when the way from the trained model to state that it read passes a thing that Keras does not look into."""
    fact = case.fact
    if not isinstance(fact, Untracked) or fact.holder != "container":
        return None
    primary = fact.held_at or fact.made or fact.trained_at
    if primary is None:
        return None
    name = words.code(fact.name) if fact.what == "variable" else f"layer {fact.name}"
    owner = words.code(fact.owner)
    weights = f" (and its {fact.weights} variables)" if fact.what == "layer" and fact.weights > 1 else ""
    return Evidence(
        message=f"{owner} keeps {name}{weights} in {words.article(fact.container)}, where Keras does not look: training"
        " never changes it",
        primary=Marked.at(primary, f"{fact.container}: what it holds is not tracked", "held"),
        related=words.marks(
            (fact.made, f"{fact.what} made here", "made"),
            (fact.trained_at, "trained here, without it", "trained"),
            primary=primary,
        ),
        certainty="proved" if fact.unchanged else "likely",
        notes=(f"the way to it: {fact.path}",),
        fixes=(
            Fix(
                summary="keep it in an attribute, a list or a dict of the layer itself, or make the object that holds"
                " it a `keras.layers.Layer`",
                caveat="a layer that is hidden on purpose (a teacher) is better marked by `trainable = False`",
            ),
        ),
    )
