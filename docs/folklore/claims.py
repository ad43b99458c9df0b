"""Popular claims about lost gradients, histories and graphs, each put to the test by a small experiment.

    python docs/folklore/claims.py            show the verdicts on the TensorFlow that is installed
    python docs/folklore/claims.py --write    keep them, for the page of folklore

An experiment gives back whether the claim holds here, and what was seen, without numbers that chance decides.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

VERDICTS = Path(__file__).parent / "verdicts"
Verdict = tuple[bool, str]


class Claim(NamedTuple):
    """What is said, and what is so instead (for what holds: what follows from it). `see` is a code of the catalogue."""

    name: str
    said: str
    instead: str
    see: str
    experiment: Callable[[], Verdict]


CLAIMS: list[Claim] = []


def claim(said: str, instead: str, see: str = "") -> Callable[[Callable[[], Verdict]], Callable[[], Verdict]]:
    """Registers an experiment."""

    def register(experiment: Callable[[], Verdict]) -> Callable[[], Verdict]:
        CLAIMS.append(Claim(experiment.__name__.replace("_", "-"), said, instead, see, experiment))
        return experiment

    return register


def gradient(function: Callable[[Any], Any], value: Any = (1.0, 2.0, 3.0, 4.0)) -> Any:
    """The gradient of the sum of a function of one variable."""
    x = tf.Variable(value)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(function(x))
    return tape.gradient(y, x)


def numbers(tensor: Any) -> str:
    """A gradient in words."""
    if tensor is None:
        return "the gradient is None"
    return f"the gradient is {np.asarray(tf.convert_to_tensor(tensor)).tolist()}"


# -- slices, gathers, shapes ---------------------------------------------------------------------------------------


@claim(
    "Slicing a tensor detaches it: `x[1:3]` has no gradient.",
    "A slice passes the gradient on, with zeros for what was left out. Look for what ran outside the tape.",
    "TW102",
)
def slices_are_detached() -> Verdict:
    found = gradient(lambda x: x[1:3])
    return found is None, numbers(found)


@claim(
    "`tf.gather` is not differentiable.",
    "It is, in the values it picks from. In the indices it is not: those are integers.",
    "TW108",
)
def gather_is_not_differentiable() -> Verdict:
    found = gradient(lambda x: tf.gather(x, [0, 2]))
    return found is None, numbers(found)


@claim(
    "`validate_indices=True` makes `tf.gather` lose the gradient.",
    "`validate_indices` has no effect on the gradient, nor on the result.",
    "TW101",
)
def validate_indices_cuts_gradients() -> Verdict:
    found = [gradient(lambda x, on=on: tf.gather(x, [0, 2], validate_indices=on)) for on in (True, False)]
    return found[0] is None, f"with True and with False alike, {numbers(found[0])}"


@claim("`tf.reshape` breaks the graph.", "A reshape passes the gradient on, in the old shape.")
def reshape_breaks_the_graph() -> Verdict:
    found = gradient(lambda x: tf.reshape(x, [2, 2]) * [[1.0, 2.0], [3.0, 4.0]])
    return found is None, numbers(found)


@claim("`tf.concat` and `tf.stack` break the graph.", "Both pass the gradient on, to each of their parts.")
def concat_breaks_the_graph() -> Verdict:
    found = [gradient(lambda x: tf.concat([x, 2 * x], 0)), gradient(lambda x: tf.stack([x, 2 * x]))]
    return None in found, f"for both, {numbers(found[0])}"


@claim(
    "`tf.boolean_mask` cuts the gradient.",
    "It passes the gradient on to what it keeps. The mask itself gets none: it is Boolean.",
    "TW105",
)
def boolean_mask_cuts_gradients() -> Verdict:
    found = gradient(lambda x: tf.boolean_mask(x, x > 2))
    return found is None, numbers(found)


@claim(
    "`tf.sort` and `tf.math.top_k` are not differentiable.",
    "Their values are. Their indices, and `tf.argsort` and `tf.argmax`, are integers and are not.",
    "TW106",
)
def sort_is_not_differentiable() -> Verdict:
    found = [gradient(tf.sort), gradient(lambda x: tf.math.top_k(x, 2).values)]
    return None in found, f"of `tf.sort`, {numbers(found[0])}; of `top_k`, {numbers(found[1])}"


@claim(
    "`tf.cast` cuts the gradient.",
    "Between float types it passes. Through an integer or Boolean type nothing passes.",
    "TW105",
)
def cast_cuts_gradients() -> Verdict:
    floats = gradient(lambda x: tf.cast(x, tf.float64))
    integers = gradient(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32))
    return floats is None, f"through float64, {numbers(floats)}; through int32, {numbers(integers)}"


# -- control flow --------------------------------------------------------------------------------------------------


@claim("`tf.map_fn` has no gradient.", "It has one, eager and in a graph.", "TW501")
def map_fn_has_no_gradient() -> Verdict:
    eager = gradient(lambda x: tf.map_fn(lambda each: each * each, x))
    traced = gradient(tf.function(lambda x: tf.map_fn(lambda each: each * each, x + 0.0)))
    return eager is None or traced is None, f"eager and traced, {numbers(eager)}"


@claim("`tf.cond` blocks gradients.", "The branch that is taken passes the gradient on.", "TW114")
def cond_blocks_gradients() -> Verdict:
    branch = tf.function(lambda x: tf.cond(tf.reduce_sum(x) > 0, lambda: x * x, lambda: -x))
    found = gradient(lambda x: branch(x + 0.0))
    return found is None, numbers(found)


@claim("A `tf.while_loop` blocks gradients.", "It passes them on, in reverse order.", "TW503")
def while_loop_blocks_gradients() -> Verdict:
    @tf.function
    def doubled(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, 2.0 * y), (0, x))[1]

    found = gradient(lambda x: doubled(x + 0.0))
    return found is None, numbers(found)


@claim("A Python `if` or `for` inside the tape breaks the gradient.", "The tape records what runs, however it came to.")
def python_control_flow_breaks_gradients() -> Verdict:
    def function(x: Any) -> Any:
        for _ in range(2):
            x = x * x if float(x[0]) > 0 else -x
        return x

    found = gradient(function)
    return found is None, numbers(found)


@claim(
    "`tf.map_fn(tf.range, lengths)` fails in a custom layer because gradients cannot pass through it.",
    "It fails in the forward pass, without any tape or layer: the elements have different lengths.",
    "TW502",
)
def map_fn_of_range_fails_for_gradients() -> Verdict:
    try:
        tf.map_fn(tf.range, tf.constant([2, 3, 1]))
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        return False, f"without a tape or a layer it raises {type(error).__name__}"
    return True, "without a tape it runs"


# -- tapes and variables -------------------------------------------------------------------------------------------


@claim(
    "`persistent=True` makes a gradient that is None appear.",
    "It lets one tape be asked more than once, and nothing else.",
    "TW101",
)
def persistent_fixes_none() -> Verdict:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    found = tape.gradient(y, x)
    return found is not None, f"of a tensor that is not watched, {numbers(found)}"


@claim(
    "A `tf.constant` can never have a gradient; it must be a `tf.Variable`.",
    "Any float tensor can, once it is watched: `tape.watch(x)`.",
    "TW101",
)
def a_constant_can_never_be_watched() -> Verdict:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    found = tape.gradient(y, x)
    return found is None, numbers(found)


@claim(
    "Variables have to be watched with `tape.watch`.",
    "Trainable variables are watched as soon as they are read.",
    "TW101",
)
def variables_have_to_be_watched() -> Verdict:
    found = gradient(lambda x: x * x)
    return found is None, numbers(found)


@claim(
    "`tape.gradient` has to be called inside the `with`.",
    "After it is better: inside, the tape records the computation of the gradient too.",
    "TW102",
)
def gradient_has_to_be_called_inside() -> Verdict:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    found = tape.gradient(y, x)
    return found is None, f"called after the block, {numbers(found)}"


@claim(
    "Storing a value in a variable (`v.assign(...)`) keeps it connected to what it was computed from.",
    "A variable holds a value, without its history: what is read of it later starts anew.",
    "TW113",
)
def assign_keeps_the_gradient() -> Verdict:
    w, state = tf.Variable(2.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        state.assign(w * w)
        y = state * 3.0
    found = tape.gradient(y, w)
    return found is not None, numbers(found)


@claim(
    "`tf.constant(x.numpy())` and `tf.convert_to_tensor(x)` are the same thing.",
    "The first leaves TensorFlow and comes back as a constant; the second gives back the tensor itself.",
    "TW110",
)
def a_round_trip_through_numpy_is_harmless() -> Verdict:
    there, kept = gradient(lambda x: tf.constant(x.numpy()) * 2.0), gradient(lambda x: tf.convert_to_tensor(x) * 2.0)
    return there is not None, f"through NumPy, {numbers(there)}; by `convert_to_tensor`, {numbers(kept)}"


@claim(
    "`unconnected_gradients='zero'` repairs a None.",
    "It changes what is shown, not what is connected: the weight gets zeros and never learns.",
    "TW207",
)
def unconnected_gradients_zero_repairs() -> Verdict:
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.constant(3.0) * 2.0
    found = tape.gradient(y, w, unconnected_gradients="zero")
    return float(found) != 0.0, numbers(found)


@claim("`tf.py_function` cuts the gradient.", "It passes the gradient on, if its body uses TensorFlow only.", "TW111")
def py_function_cuts_gradients() -> Verdict:
    found = gradient(lambda x: tf.py_function(lambda v: v * v, [x], tf.float32))
    return found is None, numbers(found)


@claim(
    "`tf.numpy_function` cuts the gradient.",
    "It does: nothing is known of what NumPy computed. `tf.py_function` and `tf.custom_gradient` are the ways around.",
    "TW111",
)
def numpy_function_cuts_gradients() -> Verdict:
    function = tf.function(lambda x: tf.numpy_function(lambda v: v * v, [x], tf.float32))
    try:
        found = gradient(lambda x: function(x + 0.0))
    except LookupError:
        return True, "asking for the gradient raises LookupError"
    return found is None, numbers(found)


# -- functions, graphs, Keras --------------------------------------------------------------------------------------


@claim(
    "A tensor from outside cannot be used in a `tf.function`.",
    "An eager tensor is captured and used. The other way round fails: a symbolic tensor kept from inside.",
    "TW403",
)
def an_outside_tensor_cannot_be_used_in_a_function() -> Verdict:
    outside = tf.constant([1.0, 2.0])
    result = tf.function(lambda x: x + outside)(tf.constant([4.0, 5.0]))
    return False, f"the result is {result.numpy().tolist()}"


@claim(
    "A variable that was created outside the model or layer cannot be used in a `tf.function`.",
    "It can, and it gets a gradient. But no layer knows it, so nothing trains or saves it.",
    "TW601",
)
def an_outside_variable_cannot_be_used_in_a_function() -> Verdict:
    function = tf.function(lambda x: x * x)
    found = gradient(function, 3.0)
    return found is None, numbers(found)


@claim(
    "Gradients cannot be taken inside a `tf.function`.",
    "They can: that is how `fit` trains.",
)
def no_gradients_inside_a_function() -> Verdict:
    w = tf.Variable(3.0)

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            y = w * w
        return tape.gradient(y, w)

    return False, numbers(step())


@claim(
    "`tf.gather` takes the `_keras_history` from an eager tensor.",
    "Eager tensors never have one: not before the layer, not after it. It belongs to the symbolic tensors of `Input`.",
    "TW301",
)
def gather_removes_keras_history() -> Verdict:
    class Picking(tf.keras.layers.Layer):
        def call(self, inputs: Any) -> Any:
            return tf.gather(inputs, [0], validate_indices=True)

    before = tf.constant([[1.0, 2.0]])
    after = tf.keras.layers.Dense(2)(before)
    found = [hasattr(each, "_keras_history") for each in (before, after, Picking()(after))]
    return found[1] and not found[2], f"before, after a Dense layer, after the gather: {found}"


@claim(
    "A symbolic Keras tensor loses its history once the model is compiled.",
    "It keeps it. What was built stays connected to its inputs.",
    "TW305",
)
def compiling_removes_keras_history() -> Verdict:
    inputs = tf.keras.Input((3,))
    outputs = tf.keras.layers.Dense(2)(inputs)
    tf.keras.Model(inputs, outputs).compile("sgd", "mse")
    return not hasattr(outputs, "_keras_history"), f"has `_keras_history`: {hasattr(outputs, '_keras_history')}"


@claim(
    "A layer without a `build` method has no gradients.",
    "Variables that are made in `__init__` are tracked and trained as well.",
    "TW601",
)
def a_layer_without_build_has_no_gradients() -> Verdict:
    class Scale(tf.keras.layers.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.scale = self.add_weight(name="scale", shape=(), initializer="ones")

        def call(self, inputs: Any) -> Any:
            return inputs * self.scale

    layer = Scale()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.constant([1.0, 2.0])))
    found = tape.gradient(y, layer.trainable_variables)
    return found == [None], numbers(found[0])


def run() -> dict[str, dict[str, object]]:
    """The verdicts on this TensorFlow: whether each claim holds, and what was seen."""
    found = {}
    for each in CLAIMS:
        holds, seen = each.experiment()
        found[each.name] = {"holds": bool(holds), "seen": seen}
    return found


def version() -> str:
    """The installed TensorFlow, as the verdicts are kept: "2.21"."""
    return ".".join(tf.__version__.split(".")[:2])


if __name__ == "__main__":
    verdicts = run()
    for name, verdict in verdicts.items():
        print(f"{'holds' if verdict['holds'] else 'false':6} {name}: {verdict['seen']}")
    if "--write" in sys.argv:
        VERDICTS.mkdir(exist_ok=True)
        text = json.dumps(verdicts, indent=2, ensure_ascii=False) + "\n"
        (VERDICTS / f"tensorflow-{version()}.json").write_text(text, encoding="utf-8")
