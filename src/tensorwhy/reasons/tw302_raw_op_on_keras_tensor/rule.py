"""TW302 raw-op-on-keras-tensor: an operation that cannot become a part of a Keras model was used to assemble one."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.keras import RawOp
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = ReasonMeta(
    code="TW302",
    slug="raw-op-on-keras-tensor",
    family="keras-history",
    summary="A TensorFlow, NumPy or Python operation was used on a symbolic Keras tensor.",
)

_WHOSE = {
    "tensorflow": "a TensorFlow function",
    "numpy": "a NumPy function",
    "backend": "a function of Keras' old backend, which takes what TensorFlow takes",
}


def match(case: Case) -> Evidence | None:
    """Holds when a symbolic Keras tensor reached an operation that only takes values, while a model is assembled."""
    fact = case.fact
    if not isinstance(fact, RawOp):
        return None
    name = words.tensor(fact.tensor, case.sources)
    primary = fact.used
    return Evidence(
        message=_message(fact, name),
        primary=Marked.at(primary, _label(fact), "operation"),
        related=words.marks((fact.tensor.location, "symbolic Keras tensor made here", "source"), primary=primary),
        source=fact.tensor,
        notes=_notes(fact),
        fixes=tuple(_fixes(fact)),
    )


def _label(fact: RawOp) -> str:
    if fact.kind == "unpacking":
        return "takes several, and gets one tensor"
    if fact.kind == "membership":
        return "asks whether two tensors are equal"
    if fact.kind == "assignment":
        return "assigns to a part of a tensor"
    return "needs values, and a symbolic Keras tensor has none"


def _message(fact: RawOp, name: str) -> str:
    if fact.kind == "truth":
        return f"`{fact.function}` asks for the truth of {name}, a symbolic Keras tensor, which has no value yet"
    if fact.kind == "iteration":
        return f"Python iterates over {name}, a symbolic Keras tensor, which has no elements yet"
    if fact.kind == "assignment":
        return f"a part of {name} is to be overwritten, and a symbolic Keras tensor never changes"
    if fact.kind == "unpacking":
        why = "its layer gives nothing beside it" if fact.function else "it has no parts yet"
        return f"Python takes {name} apart, which is one symbolic Keras tensor: {why}"
    if fact.kind == "conversion":
        return f"`{fact.function}` needs a value, and {name} is a symbolic Keras tensor"
    if not fact.function:
        return f"{name} is a symbolic Keras tensor, and this operation takes values only"
    if fact.kind == "method":
        return f"tensors with values have `.{fact.function}`, and {name} is a symbolic Keras tensor, which has not"
    if fact.kind == "decorated":
        return (
            f"{words.code(fact.function)} runs in TensorFlow, by its decorator, and {name} is a symbolic Keras tensor"
        )
    if fact.kind == "membership":
        return f"{words.code(fact.function)} compares by `==`, which has no truth value for symbolic Keras tensors"
    if fact.kind == "variable":
        return f"a variable starts from a value, and {name} is a symbolic Keras tensor"
    if fact.kind not in _WHOSE:
        return f"{words.code(fact.function)} computes with values, and {name} is a symbolic Keras tensor"
    return f"{words.code(fact.function)} is {_WHOSE[fact.kind]}, and {name} is a symbolic Keras tensor"


def _notes(fact: RawOp) -> tuple[str, ...]:
    if fact.generation >= 3 and fact.kind == "tensorflow":
        return ("Keras 2 turned TensorFlow functions on Keras tensors into layers by itself; Keras 3 does not",)
    return ()


_UNKNOWN = (
    "any other, such as the batch's, is None there: what computes with that belongs into a layer's `call`, where"
    " `keras.ops.shape` gives all of them"
)


def _of_unknown_sizes(fact: RawOp) -> bool:
    """A shape is asked for, and some of it is not known before there are values."""
    return fact.equivalents[0] == "keras.ops.shape" and None in (fact.tensor.shape or (None,))


def _fixes(fact: RawOp) -> list[Fix]:
    fixes = []
    if fact.kind == "unpacking":
        return _for_unpacking(fact)
    if fact.equivalents:
        same = words.code(fact.equivalents[0])
        if _of_unknown_sizes(fact):
            summary, caveat = f"use {same}, which gives the sizes that are known", _UNKNOWN
        else:
            summary, caveat = f"use {same}, which means the same", "check the names of further arguments"
        fixes.append(Fix(summary=summary, caveat=caveat))
    if fact.kind == "iteration":
        unstack = "keras.ops.unstack" if fact.generation >= 3 else "tf.unstack"
        return [
            Fix(
                summary=f"take its parts along an axis of known size, `{unstack}(x, axis=...)`, or compute on all of"
                " them at once",
            ),
            Fix(summary="where the size is unknown, loop in a layer's `call`"),
        ]
    if fact.kind == "membership":
        return [
            Fix(
                summary="compare by identity, as in `any(x is each for each in xs)` and"
                " `xs = [each for each in xs if each is not x]`"
            )
        ]
    if fact.kind == "assignment":
        of = "keras.ops" if fact.generation >= 3 else "tf"
        return [
            Fix(
                summary=f"compute a new tensor from the parts: `{of}.where(mask, new, x)`,"
                f" or `{of}.{'concatenate' if fact.generation >= 3 else 'concat'}` of slices",
            )
        ]
    if fact.kind == "variable":
        return [
            Fix(
                summary="make the variable in a layer, `self.add_weight(...)` in its `build`, and assign to it in its"
                " `call`, where there are values",
            )
        ]
    if fact.kind in ("truth", "conversion"):
        fixes.append(
            Fix(
                summary="decide in a layer's `call`, with operations on tensors (`where`, slices, reductions), or from"
                " the static `shape`"
            )
        )
    elif fact.kind == "numpy" and not fact.equivalents:
        fixes.append(Fix(summary="use TensorFlow operations in a layer's `call`: NumPy computes on values only"))
    elif fact.kind != "numpy" and not (fact.kind == "method" and fact.equivalents):
        what = words.code(fact.function) if fact.function else "the operation"
        fixes.append(
            Fix(
                summary=f"call {what} inside a layer: the `call` of a `keras.layers.Layer` subclass, or"
                " `keras.layers.Lambda`",
                caveat="a Lambda cannot be saved portably, and hides variables that its function uses",
            )
        )
    return fixes


def _for_unpacking(fact: RawOp) -> list[Fix]:
    if fact.function:
        return [Fix(summary=f"let the layer give the rest, too: `{fact.function}`")]
    split = "keras.ops.split" if fact.generation >= 3 else "tf.split"
    parts = Fix(summary=f"where it was to be divided, say along which axis: `{split}(x, n, axis=-1)`")
    if not fact.own:
        return [parts]
    layer = words.code(fact.tensor.layer) if fact.tensor.layer else "the layer"
    return [Fix(summary=f"where {layer} was to give several, return all of them from its `call`"), parts]
