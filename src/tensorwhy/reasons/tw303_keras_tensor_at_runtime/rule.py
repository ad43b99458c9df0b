"""TW303 keras-tensor-at-runtime: a symbolic Keras tensor came into code that runs on values."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.symbolic import AtRuntime
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = about(
    __name__,
    summary="A symbolic Keras tensor was used where values are needed: in a loss, a callback, a training step.",
)


def match(case: Case) -> Evidence | None:
    """Holds when code that runs on values got a tensor that is only a plan of a value."""
    fact = case.fact
    if not isinstance(fact, AtRuntime):
        return None
    name = words.tensor(fact.tensor, case.sources)
    primary = fact.used
    return Evidence(
        message=_message(fact, name),
        primary=Marked.at(primary, "a symbolic Keras tensor never has a value", "used"),
        related=words.marks(
            (fact.tensor.location, "symbolic Keras tensor created here, as a part of the model", "source"),
            (fact.called, _called(fact), "called"),
            primary=primary,
        ),
        source=fact.tensor,
        fixes=tuple(Fix(summary=summary) for summary in _fix(fact, name)),
    )


def _called(fact: AtRuntime) -> str:
    if fact.configured:
        return "the configuration is saved here"
    return f"{fact.context or 'the code'} runs from here"


def _message(fact: AtRuntime, name: str) -> str:
    if fact.configured:
        owner = words.code(fact.configured) if fact.configured != "a layer" else fact.configured
        return (
            f"the configuration of {owner} contains {name}, a symbolic Keras tensor, but only plain data can be saved"
        )
    where = f" in {fact.context}" if fact.context else ""
    asked = f"{words.code(fact.asked)} needs a value" if fact.asked else "values are needed"
    if fact.asked == "a gradient":
        asked = "a gradient needs values"
    return f"{name} is a symbolic Keras tensor, and{where} {asked}"


def _fix(fact: AtRuntime, name: str) -> list[str]:
    if fact.configured or not _is_training(fact):
        return [_other(fact)]
    return [
        f"move the term, with its factor, from the loss function into a layer that passes {name} on: "
        "`class Penalty(keras.layers.Layer)` "
        "with `def call(self, x): self.add_loss(...); return x`",
        f"or make {name} one more output of the model, and give that output a loss in `compile`",
    ]


def _is_training(fact: AtRuntime) -> bool:
    return "loss" in fact.context or fact.context in ("`fit`", "`train_step`", "`train_on_batch`")


def _other(fact: AtRuntime) -> str:
    if fact.configured:
        return (
            "pass the tensor to the layer when it is called, as another input: `layer([x, other])` or"
            " `layer(x, other)`; `__init__` and `get_config` are for numbers, names and layers"
        )
    if "layer" in fact.context:
        return "pass the tensor to the layer as another input: `layer([x, other])`, and use that input in `call`"
    if fact.context == "a gradient tape":
        return "call the model on data inside the tape (`outputs = model(x, training=True)`), and use that result"
    return "call the model (or a model from its inputs to this tensor) on data, and use that result"
