"""TW307 output-not-from-layer: no layer and no Keras operation produced what was named as a model's output."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.keras import OutputNotFromLayer
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW307",
    slug="output-not-from-layer",
    family="keras-history",
    summary="An output of a functional model was not produced by a layer or a Keras operation.",
)


def match(case: Case) -> Evidence | None:
    """Holds when an output is a variable, a graph tensor, a number or nothing at all."""
    fact = case.fact
    if not isinstance(fact, OutputNotFromLayer):
        return None
    given = fact.given
    nothing = given.sort == "NoneType"
    name = words.given(given, case.sources)
    primary = given.made or given.written or fact.used
    what = "None" if nothing else words.article(given.sort)
    return Evidence(
        message=f"an output of {words.code(fact.needed_by)} is {what}"
        + ("" if nothing and name == "`None`" else f" ({name})")
        + ", which no layer produced from the inputs",
        primary=Marked.at(primary, f"{'nothing' if nothing else given.sort} here, not the result of a layer", "output"),
        related=words.marks(
            (given.written, "named as an output", "given"),
            (fact.used, "every output must come from the inputs through layers", "model"),
            primary=primary,
        ),
        source=given.tensor,
        fixes=(Fix(summary=_fix(given.sort)),),
    )


def _fix(sort: str) -> str:
    if sort == "variable":
        return (
            "give the variable to a layer (`self.add_weight(...)`), use it in that layer's `call`, and take the"
            " layer's output"
        )
    if sort == "NoneType":
        return "return the last tensor from the function that builds the outputs"
    return "compute the output with layers or Keras operations from the model's inputs"
