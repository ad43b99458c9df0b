"""Words for what was made eagerly and met a plain `tf.Graph`."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Evidence
from tensorwhy.model.facts.graph import EagerInGraph
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix, TensorRef
from tensorwhy.reasons import _leaks

_NOUNS = {
    "tensor": "an eager tensor",
    "variable": "a variable created eagerly",
    "layer": "a layer or model whose weights were created eagerly",
    "table": "a table created eagerly",
    "resource": "a resource (a variable or table) created eagerly",
}


def evidence(fact: EagerInGraph) -> Evidence:
    noun = _NOUNS[fact.what]
    name = f"`{fact.text}`" if fact.text else noun
    met = f"{name} is {noun}, which a plain `tf.Graph` does not accept"
    return Evidence(
        message=met if fact.text else f"{noun} was used with a plain `tf.Graph`, which does not accept it",
        primary=Marked.at(fact.used, f"a graph is being built here, but {name} is outside all graphs", "used"),
        related=_leaks.elsewhere(fact.used, Marked.at(fact.made, "created here, eagerly", "made"))
        if fact.made is not None
        else (),
        target=TensorRef(name=fact.text, kind="tensor", dtype=fact.dtype, shape=fact.shape, location=fact.made),
        notes=("a `tf.function` may use eager values; a graph of TensorFlow 1 may not",),
        fixes=tuple(_fixes(fact)),
    )


def _fixes(fact: EagerInGraph) -> list[Fix]:
    inside = "create it in the graph: in the function that builds the graph (`model_fn`, `input_fn`), or under the same"
    fixes = [Fix(summary=f"{inside} `with graph.as_default():`")]
    if fact.what == "tensor":
        array = f"`{fact.text}.numpy()`" if fact.text.isidentifier() else "`.numpy()`"
        fixes.insert(
            0,
            Fix(
                summary=f"pass its value, {array}: the graph turns an array into a constant",
                caveat="the constant keeps its current value, and no gradient flows back to its origin",
            ),
        )
    fixes.append(
        Fix(
            summary="to run an old program as it is: `import tensorflow.compat.v1 as tf`, then "
            "`tf.disable_eager_execution()` before anything else",
            caveat="this turns eager execution off for the whole process, Keras included",
        )
    )
    return fixes
