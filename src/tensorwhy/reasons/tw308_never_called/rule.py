"""TW308 never-called: a layer was asked for its symbolic input or output, and no Keras tensor ever entered it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import NeverCalled
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words

META = about(
    __name__,
    summary="A layer was asked for its symbolic input or output before it was called on a symbolic Keras tensor.",
)


def match(case: Case) -> Evidence | None:
    """Holds when the layer has no node: never called, called only on values, or only within another `call`."""
    fact = case.fact
    if not isinstance(fact, NeverCalled):
        return None
    name = words.given(fact.given, case.sources) if fact.given.name else words.code(fact.layer)
    if fact.calls:
        return _too_late(fact, name)
    return Evidence(
        message=f"{name} has no `{fact.attribute}`: it exists only after {name} was called on a symbolic Keras tensor",
        primary=Marked.at(fact.used, f"`{fact.attribute}` of this {fact.sort} was never set", "asked"),
        related=words.marks((fact.given.made, "created here", "made"), primary=fact.used),
        source=TensorRef(name=fact.given.name or fact.layer, kind="other", location=fact.given.made),
        notes=tuple(_notes(fact)),
        fixes=tuple(Fix(summary=summary) for summary in _fixes(fact, name.strip("`"))),
    )


def _too_late(fact: NeverCalled, name: str) -> Evidence:
    """`get_output_at(1)` of a layer that was called once: the calls are counted from 0."""
    times = "once" if len(fact.calls) == 1 else f"{len(fact.calls)} times"
    return Evidence(
        message=f"{name} was called on symbolic Keras tensors {times}, but `{fact.attribute}` refers to a later call",
        primary=Marked.at(fact.used, "there is no such call", "asked"),
        related=words.marks(
            (fact.given.made, "created here", "made"),
            *((call, f"call {index}", "called") for index, call in enumerate(fact.calls)),
            primary=fact.used,
        ),
        source=TensorRef(name=fact.given.name or fact.layer, kind="other", location=fact.given.made),
        notes=("calls are counted from 0, in the order they were made",),
        fixes=(Fix(summary="assign the result of each call to its own name and use that, instead of a number"),),
    )


def _notes(fact: NeverCalled) -> list[str]:
    if fact.sort == "sequential model" and fact.graph:
        return ["the symbolic tensors of a sequential model's own layers are in its `inputs` and `outputs`"]
    if fact.ran:
        return [
            "it may have been built or called on values, but only a call on a symbolic Keras tensor leaves a record"
        ]
    return []


def _fixes(fact: NeverCalled, name: str) -> list[str]:
    side = "inputs" if "input" in fact.attribute else "outputs"
    called = f"call it on a `keras.Input(...)`: `x = keras.Input(shape)`, `y = {name}(x)`, and use `x` and `y`"
    if fact.sort == "sequential model":
        return [f"use `{name}.{side}[0]`, the symbolic tensor of the model's own layers"] if fact.graph else [called]
    if fact.sort == "subclassed model":
        return [called, "to reach tensors inside it, return them from its `call` as more outputs"]
    return [
        called,
        "where a subclassed model calls it: return its result from the model's `call`, or assemble the model from"
        " `keras.Input` with the functional API",
    ]
