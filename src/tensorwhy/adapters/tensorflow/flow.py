"""Asks which gradients arrive: one forward and backward pass of a model or function, for asserts and summaries."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.arrivals import Arrival
from tensorwhy.adapters.keras_common import nodes, packages
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name

_SEED = (20, 26)


@contextlib.contextmanager
def eagerly() -> Iterator[None]:
    """Run what is compiled as plain Python, also functions that were traced before."""
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


def of_model(
    model: Any,
    inputs: Any,
    sources: Sequence[Any] | None,
    *,
    allow_none: bool = False,
    also: Callable[[], Sequence[Any]] = tuple,
    **options: Any,
) -> list[Arrival]:
    """The gradients of a Keras model's output with respect to its trainable variables, or to `sources`.

    The output is weighted with fixed random numbers, so that nothing cancels (a softmax sums up to one). With
    `allow_none`, a model without anything to train is fine too. `also` is asked for more sources after the call.
    """

    def choose() -> Sequence[Any]:
        return sources or [*model.trainable_variables, *also()]

    return _gradients(lambda: model(inputs, **options), choose, (), _weighted, allow_none)


def of_loss(model: Any, x: Any, y: Any) -> list[Arrival]:
    """The gradients of a compiled model's own loss on one batch. Metrics are left as they were."""
    metrics = [variable for metric in model.metrics for variable in metric.variables]
    values = [tf.convert_to_tensor(variable) for variable in metrics]

    def loss(outputs: Any) -> Any:
        return model.compute_loss(x=x, y=tf.convert_to_tensor(y), y_pred=outputs)

    try:
        return _gradients(lambda: model(x, training=False), lambda: model.trainable_variables, (), loss)
    finally:
        for variable, value in zip(metrics, values):
            variable.assign(value)


def of_function(function: Callable[..., Any], inputs: Any, sources: Sequence[Any] | None) -> list[Arrival]:
    """The same for a function of tensors; a tuple of inputs is its positional arguments.

    Without `sources` they are the floating-point inputs, which may be variables.
    """
    given = [tf.convert_to_tensor(each) if _is_array(each) else each for each in _arguments(inputs)]
    watched = [
        leaf for leaf, _ in nodes.flat(given) if isinstance(leaf, (tf.Tensor, tf.Variable)) and leaf.dtype.is_floating
    ]
    return _gradients(lambda: function(*given), lambda: sources or watched, watched, _weighted)


def is_model(thing: Any) -> bool:
    """Return whether this is a Keras model or layer."""
    return packages.kind_of(thing) in ("model", "layer")


def name_of(source: Any, position: int, model: Any = None) -> str:
    """A variable's name, with its layer; the position of a tensor."""
    name = getattr(source, "path", None) or (getattr(source, "name", "") if isinstance(source, tf.Variable) else "")
    return str(name).removesuffix(":0") or f"input {position + 1}"


def write_norms(writer: Any, norms: dict[str, float], step: int) -> None:
    """One scalar for each layer, for TensorBoard."""
    with writer.as_default():
        for name, norm in norms.items():
            tf.summary.scalar(f"gradient_norm/{name}", norm, step=step)
    writer.flush()


def write_text(writer: Any, name: str, markdown: str, step: int) -> None:
    """A text with links, for TensorBoard."""
    with writer.as_default():
        tf.summary.text(name, markdown, step=step)
    writer.flush()


def writer(folder: str) -> Any:
    """Where TensorBoard reads from."""
    return tf.summary.create_file_writer(folder)


def _arguments(inputs: Any) -> tuple[Any, ...]:
    return inputs if isinstance(inputs, tuple) else (inputs,)


def _is_array(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "dtype")


def _gradients(
    call: Callable[[], Any],
    choose: Callable[[], Sequence[Any]],
    watched: Sequence[Any],
    loss: Callable[[Any], Any],
    allow_none: bool = False,
) -> list[Arrival]:
    with tf.GradientTape() as tape:
        for tensor in watched:
            tape.watch(tensor)
        outputs = call()
        target = loss(outputs)
    sources = list(choose())
    if not sources and allow_none:
        return []
    if not sources:
        raise ValueError("there is nothing to differentiate: no trainable variable and no floating-point input")
    gradients = tape.gradient(target, sources)
    return [_arrival(*pair, position) for position, pair in enumerate(zip(sources, gradients))]


def _weighted(outputs: Any) -> Any:
    leaves = [leaf for leaf, _ in nodes.flat(outputs) if hasattr(leaf, "dtype") and leaf.dtype.is_floating]
    if not leaves:
        raise ValueError("it returns no floating-point output, so there is no gradient")
    parts = []
    for index, leaf in enumerate(leaves):
        weights = tf.random.stateless_uniform(
            tf.shape(leaf), seed=(*_SEED[:1], _SEED[1] + index), minval=0.5, maxval=1.5
        )
        parts.append(tf.reduce_sum(tf.cast(leaf, tf.float32) * weights))
    return tf.add_n(parts)


def _arrival(source: Any, gradient: Any, position: int) -> Arrival:
    norm = None if gradient is None else float(tf.linalg.global_norm([tf.convert_to_tensor(gradient)]))
    return Arrival.of(source, name_of(source, position), norm, dtype_name(source), nodes.shape(source))
