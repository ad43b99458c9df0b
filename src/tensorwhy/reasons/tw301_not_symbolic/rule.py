"""TW301 not-symbolic: a tensor with values (or an array, a variable) stands where Keras assembles symbolic ones."""

from __future__ import annotations

import ast

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.refusal import RefusedObject
from tensorwhy.model.facts.symbolic import NotSymbolic
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import keras_words as words

META = about(__name__, summary="An eager tensor, array or variable was passed where a symbolic Keras tensor is needed.")


_HISTORY = "_keras_history"


def match(case: Case) -> Evidence | None:
    """Holds when a live value without symbolic history reached a functional model, or was asked for that history."""
    fact = case.fact
    if isinstance(fact, RefusedObject):
        return _history(fact)
    return _model(fact, words.given(fact.given, case.sources), case) if isinstance(fact, NotSymbolic) else None


def _history(fact: RefusedObject) -> Evidence | None:
    """A value was asked for what only symbolic Keras tensors have."""
    if fact.call != f"the attribute `{_HISTORY}`":
        return None
    name, kind = words.code(fact.thing.text) if fact.thing.text else "it", words.article(fact.thing.what)
    return Evidence(
        message=f"{name} is {kind} with values, and only symbolic Keras tensors have `{_HISTORY}`",
        primary=Marked.at(fact.used, f"requests the Keras history of {kind}", "used"),
        related=words.marks((fact.thing.made, f"{fact.thing.what} created here", "made"), primary=fact.used),
        source=TensorRef(name=fact.thing.text, kind="tensor", location=fact.thing.made),
        notes=(
            "`keras.Input` creates a symbolic tensor, and so do layers called on it; layers called on values "
            "return values",
        ),
        fixes=(
            Fix(
                summary="take the layer from the model: `model.layers[-1]`, or `model.get_layer(name)`",
                caveat=f"`model.outputs` has symbolic tensors, but `{_HISTORY}` is private",
            ),
        ),
    )


def only_given(fact: NotSymbolic, case: Case) -> bool:
    """Return whether the file reads what was given only where the model gets it: no layer is called on it."""
    written, name = fact.given.written, words.given(fact.given, case.sources).strip("`")
    nodes = case.sources.nodes(written.file) if written is not None else ()
    kinds = (ast.Name, ast.Attribute)
    read = [each for each in nodes if isinstance(each, kinds) and isinstance(each.ctx, ast.Load)]
    return sum(ast.unparse(each) == name for each in read) == 1


def _model(fact: NotSymbolic, name: str, case: Case) -> Evidence:
    given = fact.given
    primary = given.made or given.written or fact.used
    call = words.code(fact.needed_by)
    label = f"{given.sort}: it has values but no Keras history"
    if given.parameter == "inputs" and only_given(fact, case):
        repair = f"remove {name} from the inputs, and from the data of each call: no layer is called on it"
    elif given.parameter == "inputs":
        repair = f"use `keras.Input(shape=...)` without the batch axis, and pass {name} to the finished model"
        repair += " as data"
    else:
        repair = "call the layers on the result of `keras.Input`, and pass their output here"
    also = tuple(words.given(other, case.sources) for other in fact.others)
    more = f" (and so {'is' if len(also) == 1 else 'are'} {', '.join(also)})" if also else ""
    return Evidence(
        message=f"{name} is {words.article(given.sort)}{more}, but the {given.parameter} of {call} must be symbolic"
        " Keras tensors",
        primary=Marked.at(primary, label, "made" if primary is given.made else "used"),
        related=words.marks(
            (given.written or fact.used, f"used as {given.parameter} here", "used"),
            *((other.made, f"also {other.sort}", "made") for other in fact.others),
            (fact.used, "needs symbolic Keras tensors", "model"),
            primary=primary,
        ),
        source=given.tensor,
        fixes=(Fix(summary=repair),),
    )
