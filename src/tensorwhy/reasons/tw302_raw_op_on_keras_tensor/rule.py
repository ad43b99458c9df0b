"""TW302 raw-op-on-keras-tensor: an operation that cannot become a part of a Keras model was used to assemble one."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, ReasonMeta
from tensorwhy.model.facts.symbolic import RawOp
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
    "framework": "a TensorFlow function",
    "numpy": "a NumPy function",
    "backend": "a function of Keras's old backend, which accepts what TensorFlow accepts",
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
        related=words.marks((fact.tensor.location, "symbolic Keras tensor created here", "source"), primary=primary),
        source=fact.tensor,
        notes=_notes(fact),
        fixes=tuple(_fixes(fact)),
    )


def _label(fact: RawOp) -> str:
    if fact.kind == "unpacking":
        return "unpacks several values, but gets one tensor"
    if fact.kind == "membership":
        return "compares two tensors"
    if fact.kind == "assignment":
        return "assigns to a part of a tensor"
    return "needs values, but a symbolic Keras tensor has none"


def _message(fact: RawOp, name: str) -> str:
    if fact.kind == "truth":
        return f"`{fact.function}` needs the truth value of {name}, a symbolic Keras tensor without a value"
    if fact.kind == "iteration":
        return f"Python iterates over {name}, a symbolic Keras tensor without elements"
    if fact.kind == "assignment":
        return f"{name} is a symbolic Keras tensor, which does not support item assignment"
    if fact.kind == "unpacking":
        why = "its layer returns nothing else" if fact.function else "it has no elements yet"
        return f"Python unpacks {name}, which is one symbolic Keras tensor: {why}"
    if fact.kind == "conversion":
        return f"`{fact.function}` needs a value, but {name} is a symbolic Keras tensor"
    if not fact.function:
        return f"{name} is a symbolic Keras tensor, but this operation needs values"
    if fact.kind == "method":
        return f"{name} is a symbolic Keras tensor, and only tensors with values have `.{fact.function}`"
    if fact.kind == "decorated":
        return f"{words.code(fact.function)} runs in TensorFlow because of its decorator, but {name} is a "
        "symbolic Keras tensor"
    if fact.kind == "membership":
        return f"{words.code(fact.function)} compares with `==`, which has no truth value for symbolic Keras tensors"
    if fact.kind == "variable":
        return f"a variable needs an initial value, but {name} is a symbolic Keras tensor"
    if fact.kind not in _WHOSE:
        return f"{words.code(fact.function)} needs values, but {name} is a symbolic Keras tensor"
    return f"{words.code(fact.function)} is {_WHOSE[fact.kind]}, but {name} is a symbolic Keras tensor"


def _notes(fact: RawOp) -> tuple[str, ...]:
    if fact.generation >= 3 and fact.kind == "framework":
        return ("Keras 2 wrapped TensorFlow functions on Keras tensors in layers automatically; Keras 3 does not",)
    return ()


_UNKNOWN = (
    "other dimensions, such as the batch size, are None there: use them in a layer's `call`, where "
    "`keras.ops.shape` returns all of them"
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
            summary, caveat = f"use {same}, which returns the known sizes", _UNKNOWN
        else:
            summary, caveat = f"use {same}, which does the same", "its other arguments may have other names"
        fixes.append(Fix(summary=summary, caveat=caveat))
    if fact.kind == "iteration":
        unstack = "keras.ops.unstack" if fact.generation >= 3 else "tf.unstack"
        return [
            Fix(
                summary=f"split it along an axis of known size, `{unstack}(x, axis=...)`, or compute on all"
                " elements at once",
            ),
            Fix(summary="if the size is unknown, loop in a layer's `call`"),
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
                summary=f"compute a new tensor: `{of}.where(mask, new, x)`,"
                f" or `{of}.{'concatenate' if fact.generation >= 3 else 'concat'}` of slices",
            )
        ]
    if fact.kind == "variable":
        return [
            Fix(
                summary="create the variable in a layer, `self.add_weight(...)` in its `build`, and assign to it in "
                "its `call`, where values exist",
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
        fixes.append(Fix(summary="use TensorFlow operations in a layer's `call`: NumPy needs values"))
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
        return [Fix(summary=f"let the layer return the rest as well: `{fact.function}`")]
    split = "keras.ops.split" if fact.generation >= 3 else "tf.split"
    parts = Fix(summary=f"to split it, name the axis: `{split}(x, n, axis=-1)`")
    if not fact.own:
        return [parts]
    layer = words.code(fact.tensor.layer) if fact.tensor.layer else "the layer"
    return [Fix(summary=f"if {layer} should return several tensors, return all of them from its `call`"), parts]
