"""What asks for a value while tracing, in words, and what does the same in the graph: one row for each operation."""

from __future__ import annotations

from typing import NamedTuple

from tensorwhy.diagnosis.rows import filled
from tensorwhy.fixes import twins
from tensorwhy.model.facts.graph import EagerOnlyInGraph
from tensorwhy.model.report import Fix


class Words(NamedTuple):
    """`asked` begins the message, `unnamed` where what asks has no name. `last`: a value outside the graph is a fix."""

    asked: str
    unnamed: str = ""
    fixes: tuple[Fix, ...] = ()
    last: bool = False


def asked(fact: EagerOnlyInGraph, subject: str) -> str:
    """Return what needs a value, in words."""
    row = _ROWS.get(_key(fact), _OTHER)
    text = row.asked if fact.name or not row.unnamed else row.unnamed
    return text.format(name=fact.name, subject=subject)


def in_the_graph(fact: EagerOnlyInGraph) -> list[Fix]:
    """Return what does the same in the graph, and how to get the value outside of it."""
    row = _ROWS.get(_key(fact), _OTHER)
    fixes = (*row.fixes, *((_OUTSIDE.get(fact.tensor.graph.kind, _RETURN),) if row.last else ()))
    same = twin(fact)
    if same and not row.fixes:
        fixes = (_TWIN, *fixes)
    return list(filled(fixes, {"name": fact.name, "twin": same}))


def twin(fact: EagerOnlyInGraph) -> str:
    """Return the function of TensorFlow that does the same to tensors; empty where none is known."""
    name = fact.name.rpartition(".")[2]
    if fact.operation == "method" and fact.tensor.dtype == "string":
        return f"tf.strings.{_OF_TEXT.get(name, name)}" if name in _OF_TEXT.keys() | _SAME_OF_TEXT else ""
    return twins.named(name)


def _key(fact: EagerOnlyInGraph) -> str:
    """The operation; of methods and shapes the group that the name is in."""
    if fact.operation == "method":
        value = fact.name.strip("_") in ("numpy", "int", "float", "index", "array_interface", "item", "tolist")
        return "value" if value else "string method" if fact.tensor.dtype == "string" else "array method"
    if fact.operation == "dimension":
        last = fact.name.rpartition(".")[2]
        return "declaration" if last in ("TensorShape", "TensorSpec", "set_shape", "ensure_shape") else "dimension"
    return fact.operation


_OF_TEXT = {"replace": "regex_replace"}
_SAME_OF_TEXT = {"join", "lower", "split", "strip", "upper"}
_TWIN = Fix(summary="use `{twin}` instead of `{name}`")
_RETURN = Fix(
    summary="return the tensor, and take its value outside; to look at it, use `tf.print`; `run_eagerly=True` (or "
    "`tf.config.run_functions_eagerly(True)`) is for debugging"
)
_OUTSIDE = {
    "dataset": Fix(
        summary="call the Python code through `tf.py_function`, which passes values to it",
        caveat="this is slow, and it is not saved with the model",
    ),
    "plain": Fix(summary="get the value from a session, `session.run(tensor)`, and use that"),
}
_STATIC = Fix(summary="use a static size: `x.shape[...]`, or `input_shape[...]` in the `build` of a layer")
_SHAPE, _ANY_SHAPE = (
    "the shape for `{name}` must be computed from numbers",
    "a static shape must be computed from numbers",
)
_OTHER = Words("`{name}` needs a value", last=True)
_ROWS = {
    "value": Words("`.{name}()` needs a value", last=True),
    "string method": Words("`.{name}()` is for strings", last=True),
    "array method": Words("`.{name}()` is for NumPy arrays", last=True),
    "truth": Words("`{name}` needs the truth value of {subject}", "Python needs the truth value of {subject}"),
    "iteration": Words("`{name}` iterates over {subject}", "Python iterates over {subject}"),
    "elements": Words(
        "Python iterates over a dataset",
        fixes=(
            Fix(
                summary="get the next element from a session, `session.run(element)`, with `element = "
                "tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()`"
            ),
        ),
    ),
    "length": Words(
        "`len` needs the number of elements of {subject}",
        fixes=(Fix(summary="use the static `x.shape[0]` if it is known, otherwise `tf.shape(x)[0]`"),),
    ),
    "index": Words(
        "{subject} is used as a Python index",
        fixes=(Fix(summary="convert the list to a tensor, and index it with `tf.gather`"),),
    ),
    "key": Words(
        "{subject} is looked up in `{name}`",
        "{subject} is used as a key",
        (
            Fix(
                summary="create a lookup table: `tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer("
                "keys, values), default)`, and look up with `table.lookup(...)`"
            ),
        ),
        last=True,
    ),
    "format": Words("a format string needs the value of {subject}", last=True),
    "dimension": Words(_SHAPE, _ANY_SHAPE, (_STATIC,)),
    "declaration": Words(
        _SHAPE, _ANY_SHAPE, (Fix(summary="use None instead: it means not known while tracing"), _STATIC)
    ),
    "numpy": Words("`{name}` is NumPy", "NumPy needs a value", last=True),
}
