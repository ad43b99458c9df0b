"""Edits of single nodes: what they change, that all other text stays, and when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.edits import Written, after, line
from tensorwhy.fixes import (
    attributes,
    frozen,
    hoisting,
    keras_ops,
    layers,
    leaks,
    rounding,
    state,
    symbolic,
    syntax,
)
from tensorwhy.model.facts.symbolic import Given, RawOp
from tensorwhy.model.report import TensorRef
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("tf.matmul(q, k, transpose_b=True)", "ops.matmul(q, ops.swapaxes(k, -1, -2))"),
        ("tf.matmul(a=q, b=k, transpose_a=True)", "ops.matmul(x1=ops.swapaxes(q, -1, -2), x2=k)"),
        ("tf.reduce_sum(input_tensor=q, axis=1, name='total')", "ops.sum(x=q, axis=1)"),
        ("tf.concat(values=[q, k], axis=-1)", "ops.concatenate(xs=[q, k], axis=-1)"),
        ("tf.clip_by_value(q, clip_value_min=0.0, clip_value_max=1.0)", "ops.clip(q, x_min=0.0, x_max=1.0)"),
        ("tf.transpose(q, perm=[0, 2, 1])", "ops.transpose(q, axes=[0, 2, 1])"),
        ("tf.gather(q, chosen)", "ops.take(q, chosen, axis=0)"),
        ("tf.argmax(q, 1)", "ops.argmax(q, 1)"),
        ("tf.split(q, 2, axis=1)", "ops.split(q, 2, axis=1)"),
    ],
)
def test_a_function_becomes_the_operation_of_keras(before: str, wanted: str, written: Written) -> None:
    file = written(f"import tensorflow as tf\nfrom keras import ops\n\ny = {before}\n")
    fact = RawOp(
        function="tf.f", kind="tensorflow", used=line(file, 4), tensor=TensorRef(), equivalents=("keras.ops.f",)
    )
    assert after(file, keras_ops.operations(fact, Sources())).endswith(f"\ny = {wanted}\n")


@pytest.mark.parametrize("call", ["tf.split(q, [1, 2], axis=1)", "tf.math.l2_normalize(q)"])
def test_a_function_that_keras_understands_otherwise_stays(call: str, written: Written) -> None:
    file = written(f"import tensorflow as tf\nfrom keras import ops\n\ny = {call}\n")
    fact = RawOp(
        function="tf.f", kind="tensorflow", used=line(file, 4), tensor=TensorRef(), equivalents=("keras.ops.f",)
    )
    assert keras_ops.operations(fact, Sources()) == ()


ARRAYS = """\
import keras


def build(data, width):
    \"\"\"A model.\"\"\"
    # first
    x = keras.layers.Dense(width)(data)
    return keras.Model(inputs=data, outputs=x)
"""


def test_an_argument_that_is_data_gets_an_input_in_the_function_that_builds_on_it(written: Written) -> None:
    file = written(ARRAYS)
    given = Given(sort="array", name="data", made=line(file, 1), written=line(file, 8))
    assert after(file, symbolic.with_input(given, line(file, 8), Sources())) == ARRAYS.replace(
        "    # first\n    x = keras.layers.Dense(width)(data)\n    return keras.Model(inputs=data",
        "    data_input = keras.Input(shape=data.shape[1:], dtype=data.dtype)\n"
        "    # first\n    x = keras.layers.Dense(width)(data_input)\n    return keras.Model(inputs=data_input",
    )


def test_data_that_came_with_something_else_gets_an_input_behind_it(written: Written) -> None:
    file = written("import keras\n\ndata, labels = load()\nx = layer(data)\nmodel = keras.Model(data, x)\n")
    given = Given(sort="array", name="data", made=line(file, 3), written=line(file, 5))
    assert after(file, symbolic.with_input(given, line(file, 5), Sources())) == (
        "import keras\n\ndata, labels = load()\n"
        "data_input = keras.Input(shape=data.shape[1:], dtype=data.dtype)\n"
        "x = layer(data_input)\nmodel = keras.Model(data_input, x)\n"
    )


TOWER = "def tower(x):\n    x = Dense(4)(x)\n    Dense(1)(x)\n"


@pytest.mark.parametrize(
    ("imported", "call"), [("from blocks import tower", "tower"), ("import blocks as b", "b.tower")]
)
def test_a_function_of_another_file_gets_the_return_that_it_lacks(
    imported: str, call: str, written: Written, tmp_path: Path
) -> None:
    file = written(f"{imported}\n\noutputs = {call}(x)\nmodel = Model(x, outputs)\n")
    (tmp_path / "blocks.py").write_text(TOWER, encoding="utf-8")
    given = Given(sort="nothing", name="outputs", made=line(file, 3), written=line(file, 4))
    found = symbolic.returned(given, Sources())
    assert after(str(tmp_path / "blocks.py"), found) == TOWER.replace("    Dense(1)", "    return Dense(1)")


VIEWS = """\
def views(m, other):
    ends = [m.get_layer("a").output, other.output, m.output]
    return Model([m.input], ends)


last = m.output
"""


def test_a_sequential_model_is_asked_for_the_tensors_that_it_has(written: Written) -> None:
    file = written(VIEWS)
    assert after(file, symbolic.own_tensors("output", "m", line(file, 2), Sources())) == VIEWS.replace(
        "other.output, m.output", "other.output, m.outputs[0]"
    ).replace("m.input]", "m.inputs[0]]")


def test_a_model_is_called_on_an_input_before_it_is_asked_for_its_tensors(written: Written) -> None:
    file = written("import keras\n\n# views\nends = net.output\n")
    assert after(file, symbolic.called_once("net", (8, 3), line(file, 4), Sources())) == (
        "import keras\n\nnet(keras.Input((8, 3)))\n# views\nends = net.output\n"
    )


def test_of_several_models_without_a_name_none_is_chosen(written: Written) -> None:
    assert symbolic.own_tensors("output", "", line(written(VIEWS), 2), Sources()) == ()


SCALE = """\
import tensorflow as tf
from tensorflow import keras


class Scale:
    def __init__(self, width):
        # one for each feature
        self.factor = tf.Variable(tf.ones((width,)), name="factor")
        self.width = width

    def __call__(self, x):
        return x * self.factor
"""


def test_a_plain_class_becomes_a_layer_with_weights(written: Written) -> None:
    file = written(SCALE)
    tree = syntax.tree(file, Sources())
    assert tree is not None
    (owner,) = tree.inside(tree.module, cst.ClassDef)
    assert after(file, layers.of_plain_class(tree, owner)) == SCALE.replace(
        "Scale:", "Scale(keras.layers.Layer):"
    ).replace("        # one", "        super().__init__()\n        # one").replace(
        'tf.Variable(tf.ones((width,)), name="factor")',
        'self.add_weight(name="factor", shape=(width,), initializer="ones")',
    ).replace("__call__", "call")


def test_a_layer_made_in_a_traced_function_is_made_before_it(written: Written) -> None:
    file = written(
        "import keras\n\n\n@function\ndef score(x):\n    y = gather(x)\n    dense = keras.layers.Dense(1)  # one\n"
        "    return dense(y)\n"
    )
    assert after(file, hoisting.made_once(line(file, 7), Sources())) == (
        "import keras\n\n\ndense = keras.layers.Dense(1)  # one\n\n\n@function\ndef score(x):\n    y = gather(x)\n"
        "    return dense(y)\n"
    )


def test_a_variable_that_depends_on_an_argument_is_made_in_the_first_call(written: Written) -> None:
    file = written("class A:\n    def __call__(self, x):\n        # late\n        self.w = Variable(x.shape)  # w\n")
    assert after(file, hoisting.guarded(line(file, 4), Sources())) == (
        "class A:\n    def __call__(self, x):\n        # late\n"
        '        if not hasattr(self, "w"):\n            self.w = Variable(x.shape)  # w\n'
    )


def test_what_is_guarded_already_gets_no_second_guard(written: Written) -> None:
    file = written("class A:\n    def f(self, x):\n        if x.ok:\n            self.w = Variable(x.shape)\n")
    assert hoisting.guarded(line(file, 4), Sources()) == ()


def test_a_layer_that_depends_on_an_argument_is_not_moved(written: Written) -> None:
    file = written("def score(x, units):\n    dense = Dense(units)\n    return dense(x)\n")
    assert hoisting.made_once(line(file, 2), Sources()) == ()


def test_a_layer_made_in_call_is_made_in_init(written: Written) -> None:
    file = written(
        "class Encoder(Layer):\n    def __init__(self):\n        super().__init__()\n\n"
        "    def call(self, x):\n        return Dense(8)(x)\n"
    )
    assert after(file, hoisting.made_once(line(file, 6), Sources())) == (
        "class Encoder(Layer):\n    def __init__(self):\n        super().__init__()\n        self.dense = Dense(8)\n\n"
        "    def call(self, x):\n        return self.dense(x)\n"
    )


UNITS = """\
class Block(Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def call(self, x):
        # project
        y = Dense(self.units)(x)
        return relu(y)
"""


def test_a_layer_made_in_call_of_what_init_was_given_is_made_in_init(written: Written) -> None:
    file = written(UNITS)
    assert after(file, hoisting.made_once(line(file, 8), Sources())) == UNITS.replace(
        "        self.units = units\n", "        self.units = units\n        self.dense = Dense(self.units)\n"
    ).replace("y = Dense(self.units)(x)", "y = self.dense(x)")


@pytest.mark.parametrize("change", [("self.units =", "self.width ="), ("Dense(self.units)", "Dense(self)")])
def test_a_layer_made_of_what_init_does_not_know_stays(change: tuple[str, str], written: Written) -> None:
    file = written(UNITS.replace(*change))
    assert hoisting.made_once(line(file, 8), Sources()) == ()


GUARDED = """\
class A:
    def call(self, x):
        if self.m is None:
            self.m = f(x)
        return self.m * x
"""


def test_an_attribute_kept_by_the_first_call_becomes_a_local_name(written: Written) -> None:
    file = written(GUARDED)
    assert "        m = f(x)\n        return m * x\n" in after(file, attributes.localised(line(file, 4), Sources()))


def test_an_attribute_that_is_read_elsewhere_stays(written: Written) -> None:
    file = written(GUARDED + "\n    def other(self):\n        return self.m\n")
    assert attributes.localised(line(file, 4), Sources()) == ()


def test_a_value_that_a_trace_froze_becomes_a_variable(written: Written) -> None:
    file = written("import tensorflow as tf\nrate = 0.1\n\n\ndef step():\n    return rate\n\n\nrate *= 0.5\n")
    assert after(file, frozen.as_variable("rate", line(file, 6), Sources())) == (
        "import tensorflow as tf\nrate = tf.Variable(0.1, trainable=False)\n\n\ndef step():\n    return rate\n\n\n"
        "rate.assign(rate * 0.5)\n"
    )


def test_a_kept_tensor_is_returned_and_kept_by_the_caller(written: Written) -> None:
    file = written(
        "kept = []\n\n\n@function\ndef step(x):\n    y = f(x)\n    kept.append(y)\n    return x\n\n\nz = step(1)\n"
    )
    assert after(file, leaks.returned(line(file, 7), Sources())) == (
        "kept = []\n\n\n@function\ndef step(x):\n    y = f(x)\n    return x, y\n\n\nz, kept_ = step(1)\n"
        "kept.append(kept_)\n"
    )


def test_a_function_whose_call_is_part_of_something_else_is_left_alone(written: Written) -> None:
    file = written(
        "kept = []\n\n\ndef step(x):\n    kept.append(x)\n    return x\n\n\nall = [step(i) for i in range(3)]\n"
    )
    assert leaks.returned(line(file, 5), Sources()) == ()


@pytest.mark.parametrize(
    ("before", "package", "wanted"),
    [
        ("from tensorflow.python.keras import layers", "tensorflow.keras", "from tensorflow.keras import layers"),
        ("import tf_keras as keras", "tensorflow.keras", "from tensorflow import keras"),
        ("import tf_keras", "keras", "import keras as tf_keras"),
        ("from tf_keras import layers as L", "keras", "from keras import layers as L"),
    ],
)
def test_an_import_is_taken_from_the_other_package(before: str, package: str, wanted: str, written: Written) -> None:
    file = written(before + "  # layers\n")
    assert after(file, symbolic.one_package(line(file, 1), package, Sources())) == wanted + "  # layers\n"


def test_a_file_that_cannot_be_parsed_gives_no_tree(written: Written) -> None:
    assert syntax.tree(written("def f(:\n"), Sources()) is None


def test_positions_count_code_points(written: Written) -> None:
    file = written("import tensorflow as tf\nü = tf.round(ä)  # größer\n")
    found = rounding.step(line(file, 2), Sources())
    assert found is not None and after(file, rounding.left_out(*found)).endswith("ü = ä  # größer\n")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('tf.Variable(start, name="t")', 'keras.Variable(start, name="t")'),
        ("tf.Variable(initial_value=start)", "keras.Variable(initializer=start)"),
        ("tf.Variable(start, False)", None),  # the second means something else there
        ("tf.Variable(start, constraint=positive)", None),
        ("make(start)", None),
    ],
)
def test_a_bare_variable_becomes_one_of_keras_where_both_are_told_the_same(
    written: Written, before: str, expected: str | None
) -> None:
    file = written(f"import keras\nimport tensorflow as tf\nself.t = {before}\n")
    found = layers.of_bare_variable(line(file, 3), Sources())
    assert after(file, found).splitlines()[2] == f"self.t = {expected or before}"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("new.append(tf.Variable(w - r * g))", "new.append(w - r * g)"),
        ("new = [tf.Variable(w - g, name='v') for w, g in pairs]", "new = [w - g for w, g in pairs]"),
        ("new.append(tf.Variable(w - g, dtype=d))", "new.append(tf.Variable(w - g, dtype=d))"),
        ("new.append(tf.Variable(w)); new[0].assign(1.0)", "new.append(tf.Variable(w)); new[0].assign(1.0)"),
    ],
)
def test_a_variable_among_others_gives_way_to_what_it_was_made_of(written: Written, before: str, expected: str) -> None:
    file = written(f"import tensorflow as tf\n{before}\n")
    assert after(file, state.beside(line(file, 2), Sources())).splitlines()[1] == expected


MADE_BY_A_HELPER = """\
import tensorflow as tf


def net(units):
    return tf.keras.Sequential([tf.keras.layers.Dense(units)])


@tf.function
def step(x, units):
    model = net({given})
    return model(x)
"""


def test_what_a_helper_makes_in_each_trace_is_made_before_the_function(written: Written) -> None:
    file = written(MADE_BY_A_HELPER.format(given="4"))
    changed = after(file, hoisting.made_once(line(file, 5), Sources(), traced="step"))
    assert "\n\nmodel = net(4)\n\n\n@tf.function\ndef step(x, units):\n    return model(x)\n" in changed


def test_what_a_helper_makes_of_an_argument_stays(written: Written) -> None:
    file = written(MADE_BY_A_HELPER.format(given="units"))
    assert not hoisting.made_once(line(file, 5), Sources(), traced="step")


def test_a_counter_that_decides_in_a_trace_is_kept_in_a_variable(written: Written) -> None:
    file = written(
        "import tensorflow as tf\n\n\nclass A:\n    def __init__(self, every):\n        self.seen = 0\n"
        "        self.every = every\n\n    def step(self):\n        self.seen += 1\n"
        "        if self.seen % self.every == 0:\n            self.apply()\n"
    )
    changed = after(file, frozen.of_condition(line(file, 11), Sources()))
    assert "self.seen = tf.Variable(0, trainable=False)\n" in changed
    assert "self.seen.assign(self.seen + 1)\n" in changed and "self.every = every\n" in changed
