"""TW302 raw-op-on-keras-tensor: an operation that cannot become a part of a Keras model was used to assemble one."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.rows import Row
from tensorwhy.model.facts.symbolic import RawOp
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons import keras_words as words

META = about(__name__, summary="A TensorFlow, NumPy or Python operation was used on a symbolic Keras tensor.")


def match(case: Case) -> Evidence | None:
    """Holds when a symbolic Keras tensor reached an operation that only takes values, while a model is assembled."""
    fact = case.fact
    if not isinstance(fact, RawOp):
        return None
    name = words.tensor(fact.tensor, case.sources)
    primary, row = fact.used, _row(fact, name)
    return Evidence(
        message=row.message,
        primary=Marked.at(primary, row.label, "operation"),
        related=words.marks((fact.tensor.location, "symbolic Keras tensor created here", "source"), primary=primary),
        source=fact.tensor,
        notes=_notes(fact),
        fixes=row.fixes,
    )


def _row(fact: RawOp, name: str) -> Row:
    """What is said of the kind of operation; of one that has no name, no more than that it needs values."""
    row = _ROWS.get(fact.kind, _OTHER)
    if not fact.function and fact.kind not in _WITHOUT_NAME:
        row = row._replace(message="{name} is a symbolic Keras tensor, but this operation needs values")
    new = fact.generation >= 3
    names = {
        "name": name,
        "function": fact.function,
        "code": words.code(fact.function) if fact.function else "the operation",
        "why": "its layer returns nothing else" if fact.function else "it has no elements yet",
        "unstack": "keras.ops.unstack" if new else "tf.unstack",
        "where": "keras.ops.where" if new else "tf.where",
        "join": "keras.ops.concatenate" if new else "tf.concat",
    }
    said = row.filled(names)
    return said._replace(fixes=tuple(_fixes(fact, said.fixes)))


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


def _fixes(fact: RawOp, fixes: tuple[Fix, ...]) -> list[Fix]:
    if fact.kind == "unpacking":
        return _for_unpacking(fact)
    if not fact.equivalents or fact.kind in _NO_EQUIVALENT:
        return list(fixes)
    same = words.code(fact.equivalents[0])
    if _of_unknown_sizes(fact):
        found = Fix(summary=f"use {same}, which returns the known sizes", caveat=_UNKNOWN)
    else:
        found = Fix(summary=f"use {same}, which does the same", caveat="its other arguments may have other names")
    return [found] if fact.kind in _EQUIVALENT_ALONE else [found, *fixes]


def _for_unpacking(fact: RawOp) -> list[Fix]:
    if fact.function:
        return [Fix(summary=f"let the layer return the rest as well: `{fact.function}`")]
    split = "keras.ops.split" if fact.generation >= 3 else "tf.split"
    parts = Fix(summary=f"to split it, name the axis: `{split}(x, n, axis=-1)`")
    if not fact.own:
        return [parts]
    layer = words.code(fact.tensor.layer) if fact.tensor.layer else "the layer"
    return [Fix(summary=f"if {layer} should return several tensors, return all of them from its `call`"), parts]


_NO_EQUIVALENT = ("iteration", "membership", "assignment", "variable")
_EQUIVALENT_ALONE = ("numpy", "method")
_WITHOUT_NAME = ("truth", "iteration", "assignment", "unpacking", "conversion")
_VALUES = "needs values, but a symbolic Keras tensor has none"
_IN_LAYER = Fix(
    summary="call {code} inside a layer: the `call` of a `keras.layers.Layer` subclass, or `keras.layers.Lambda`",
    caveat="a Lambda cannot be saved portably, and hides variables that its function uses",
)
_DECIDE = Fix(
    summary="decide in a layer's `call`, with operations on tensors (`where`, slices, reductions), or from the static "
    "`shape`"
)
_OTHER = Row("{code} needs values, but {name} is a symbolic Keras tensor", _VALUES, (_IN_LAYER,))
_ROWS = {
    "framework": Row("{code} is a TensorFlow function, but {name} is a symbolic Keras tensor", _VALUES, (_IN_LAYER,)),
    "backend": Row(
        "{code} is a function of Keras's old backend, which accepts what TensorFlow accepts, but {name} is a symbolic "
        "Keras tensor",
        _VALUES,
        (_IN_LAYER,),
    ),
    "numpy": Row(
        "{code} is a NumPy function, but {name} is a symbolic Keras tensor",
        _VALUES,
        (Fix(summary="use TensorFlow operations in a layer's `call`: NumPy needs values"),),
    ),
    "decorated": Row(
        "{code} runs in TensorFlow because of its decorator, but {name} is a symbolic Keras tensor",
        _VALUES,
        (_IN_LAYER,),
    ),
    "method": Row(
        "{name} is a symbolic Keras tensor, and only tensors with values have `.{function}`", _VALUES, (_IN_LAYER,)
    ),
    "truth": Row(
        "`{function}` needs the truth value of {name}, a symbolic Keras tensor without a value", _VALUES, (_DECIDE,)
    ),
    "conversion": Row("`{function}` needs a value, but {name} is a symbolic Keras tensor", _VALUES, (_DECIDE,)),
    "iteration": Row(
        "Python iterates over {name}, a symbolic Keras tensor without elements",
        _VALUES,
        (
            Fix(
                summary="split it along an axis of known size, `{unstack}(x, axis=...)`, or compute on all elements "
                "at once"
            ),
            Fix(summary="if the size is unknown, loop in a layer's `call`"),
        ),
    ),
    "unpacking": Row(
        "Python unpacks {name}, which is one symbolic Keras tensor: {why}",
        "unpacks several values, but gets one tensor",
    ),
    "membership": Row(
        "{code} compares with `==`, which has no truth value for symbolic Keras tensors",
        "compares two tensors",
        (
            Fix(
                summary="compare by identity, as in `any(x is each for each in xs)` and "
                "`xs = [each for each in xs if each is not x]`"
            ),
        ),
    ),
    "assignment": Row(
        "{name} is a symbolic Keras tensor, which does not support item assignment",
        "assigns to a part of a tensor",
        (Fix(summary="compute a new tensor: `{where}(mask, new, x)`, or `{join}` of slices"),),
    ),
    "variable": Row(
        "a variable needs an initial value, but {name} is a symbolic Keras tensor",
        _VALUES,
        (
            Fix(
                summary="create the variable in a layer, `self.add_weight(...)` in its `build`, and assign to it in "
                "its `call`, where values exist"
            ),
        ),
    ),
}
