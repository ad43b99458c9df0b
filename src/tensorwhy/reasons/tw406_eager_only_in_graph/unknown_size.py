"""The words for a dimension that is None, as it is not known while tracing, and was taken for a number."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.model.facts.graph import UnknownSize
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _leaks


def evidence(fact: UnknownSize) -> Evidence:
    """Which dimension is None, where it was read, and what needs a number."""
    here = fact.read.line == fact.used.line and fact.read.file == fact.used.file
    known = fact.tensor.graph.kind != "unknown"
    when = f"while {_leaks.graph_words(fact.tensor.graph)} is traced" if known else "before there is data"
    whose = f"`{fact.tensor_text}`" if fact.tensor_text else "the input"
    said = "" if fact.given == fact.size else f", which is `{fact.size}`,"
    numbers, is_none = ("numbers", "holds None") if fact.whole else ("a number", "is None")
    return Evidence(
        message=f"`{fact.by}` needs {numbers}, but `{fact.given}`{said} {is_none}: this dimension of {whose} is not "
        f"known {when}",
        primary=Marked.at(fact.used, f"`{fact.given}` {is_none}", "used"),
        related=() if here else (Marked.at(fact.read, "an unknown dimension was read here", "source"),),
        target=TensorRef(
            name=fact.tensor_text,
            kind="keras-tensor" if fact.layered else "symbolic",
            dtype=fact.tensor.dtype,
            shape=fact.tensor.shape,
            location=fact.tensor.created,
        ),
        fixes=tuple(_fixes(fact)),
    )


def dynamic(fact: UnknownSize) -> str:
    """The same as a tensor, which has its value when the graph runs; beside an operator, of the other side's dtype."""
    tensor, axis = fact.tensor_text or "x", "..." if fact.axis is None else str(fact.axis)
    size = f"tf.shape({tensor})" if fact.whole else f"tf.shape({tensor})[{axis}]"
    return size if fact.by.replace(".", "").isidentifier() or fact.python else f"tf.cast({size}, {tensor}.dtype)"


def _fixes(fact: UnknownSize) -> list[Fix]:
    known = Fix(
        summary="or make the dimension known: in `Input(shape=...)` or the signature; a batch by `batch_size` in "
        "`Input` and `drop_remainder=True` in `batch`",
        caveat="the size is then the same for all batches",
    )
    if fact.method == "compute_output_shape":
        given = "" if fact.whole else f", `None if {fact.given} is None else ...`"
        return [Fix(summary=f"an unknown dimension stays unknown: pass None for values computed from it{given}")]
    if fact.method == "build":
        weights = "weights have one shape for all batches: use only known dimensions"
        return [Fix(summary=f"{weights}, as a rule the last one"), known]
    if fact.by == "range":
        loop = "loop over it in the graph: `tf.map_fn(function, x)`, or `for i in tf.range(tf.shape(x)[0])` "
        return [Fix(summary=f"{loop}in a function decorated with `@tf.function`"), known]
    if fact.layered:
        layer = f"take it in the `call` of a layer, as `{dynamic(fact)}` (`keras.ops.shape` in Keras 3)"
        return [Fix(summary=f"{layer}: a tensor that has a value when the model runs"), known]
    taken = f"use the size as a tensor, which has a value when the graph runs: `{dynamic(fact)}`"
    if fact.python:
        taken += ", and use TensorFlow functions from there: Python and NumPy run only once, while tracing"
    return [Fix(summary=taken), known]
