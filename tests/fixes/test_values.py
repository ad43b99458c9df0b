"""Edits of what is computed with values: NumPy's functions as TensorFlow's, and roundings that get a slope."""

from __future__ import annotations

import pytest

from support.edits import Written, after, line
from tensorwhy.fixes import rounding, syntax, twins
from tensorwhy.source.files import Sources


def test_a_chain_through_numpy_becomes_one_of_tensorflow(written: Written) -> None:
    file = written(
        "import numpy as np\n"
        "import tensorflow as tf\n"
        "values = logits.numpy()  # from the model\n"
        "other = np.zeros(3)\n"
        "shares = np.exp(values) / np.exp(values).sum()\n"
        "loss = tf.reduce_sum(tf.constant(shares))\n"
    )
    found = twins.kept(line(file, 3), line(file, 6), Sources())
    assert after(file, found).splitlines()[2:] == [
        "values = logits  # from the model",
        "other = np.zeros(3)",
        "shares = tf.exp(values) / tf.reduce_sum(tf.exp(values))",
        "loss = tf.reduce_sum(tf.convert_to_tensor(shares))",
    ]


def test_a_name_that_only_stood_for_the_values_is_dropped(written: Written) -> None:
    file = written("import tensorflow as tf\n\n\ndef f(x):\n    x = x.numpy()\n    return tf.exp(x)\n")
    assert after(file, twins.kept(line(file, 5), None, Sources())).endswith("def f(x):\n    return tf.exp(x)\n")


def test_parentheses_stay_only_where_an_operator_could_split_what_is_in_them(written: Written) -> None:
    file = written("import tensorflow as tf\ny = (a + b).numpy() * (a - b).mean()\nz = tf.exp(y)\n")
    changed = after(file, twins.kept(line(file, 2), None, Sources()))
    assert changed.splitlines()[1] == "y = (a + b) * tf.reduce_mean(a - b)"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("np.cumsum(x)", "tf.math.cumsum(tf.reshape(x, [-1]))"),
        ("np.cumsum(x, 0)", "tf.math.cumsum(x, 0)"),
        ("np.argmax(x, axis=1)", "tf.argmax(x, axis=1)"),
        ("np.take(x, i)", "tf.gather(tf.reshape(x, [-1]), i)"),
        ("np.round(x)", "tf.round(x)"),
        ("np.round(x, 2)", "np.round(x, 2)"),
        ("np.where(x)", "np.where(x)"),
        ("np.where(x > 0, x, 0)", "tf.where(x > 0, x, 0)"),
        ("sum(x)", "tf.reduce_sum(x, axis=0)"),
    ],
)
def test_a_twin_gives_the_same_for_every_shape(written: Written, before: str, expected: str) -> None:
    file = written(f"import numpy as np\nimport tensorflow as tf\ny = {before}\n")
    assert after(file, twins.kept(line(file, 3), None, Sources())).splitlines()[-1] == f"y = {expected}"


def test_a_call_without_a_twin_leaves_everything_as_it_is(written: Written) -> None:
    file = written("import numpy as np\nimport tensorflow as tf\ny = np.interp(np.exp(x), a, b)\n")
    assert twins.kept(line(file, 3), None, Sources()) == ()


def test_a_module_that_only_knows_numpy_gets_the_import(written: Written) -> None:
    file = written("import numpy as np\n\n\ndef f(p):\n    return np.sum(np.log(p))\n")
    found = after(file, twins.kept(line(file, 5), None, Sources()))
    assert found.startswith("import numpy as np\nimport tensorflow as tf\n")
    assert found.endswith("return tf.reduce_sum(tf.math.log(p))\n")


def test_a_cast_that_only_rebinds_a_name_is_left_out_with_its_statement(written: Written) -> None:
    file = written("import tensorflow as tf\n\n\ndef f(x):\n    x = tf.cast(x, tf.int32)\n    return x + 1\n")
    found = rounding.cast(line(file, 5), Sources())
    assert found is not None
    assert after(file, rounding.left_out(*found)).endswith("def f(x):\n    return x + 1\n")


def test_a_whole_quotient_keeps_its_value_and_gets_a_slope(written: Written) -> None:
    file = written("import tensorflow as tf\ny = (x // 2) * a\n")
    assert after(file, rounding.floored(line(file, 2), Sources())).endswith(
        "y = (x / 2 + tf.stop_gradient(x // 2 - x / 2)) * a\n"
    )


def test_a_quotient_of_something_that_is_computed_stays(written: Written) -> None:
    file = written("import tensorflow as tf\ny = f(x) // 2\n")
    assert rounding.floored(line(file, 2), Sources()) == ()


def test_a_step_function_keeps_its_value_and_gets_a_slope(written: Written) -> None:
    file = written("import tensorflow as tf\ny = 2.0 * tf.round(x)\n")
    found = rounding.step(line(file, 2), Sources())
    assert found is not None
    assert after(file, rounding.straight_through(*found)).endswith(
        "y = 2.0 * (x + tf.stop_gradient(tf.round(x) - x))\n"
    )


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("tf.cast(p > 0.5, tf.float32)", "p + tf.stop_gradient(tf.cast(p > 0.5, tf.float32) - p)"),
        ("tf.cast(tf.greater(p, t), 'float32')", "p + tf.stop_gradient(tf.cast(tf.greater(p, t), 'float32') - p)"),
        ("tf.cast(p < 0.5, tf.float32)", None),  # it falls where p rises
        ("tf.cast(p > 0.5, tf.int32)", None),
        ("tf.cast(tf.exp(p) > 0.5, tf.float32)", None),
        ("tf.where(p > 0.5, p, 0.0)", None),
    ],
)
def test_a_threshold_lets_the_gradient_pass_where_it_is_made_a_number(
    written: Written, before: str, expected: str | None
) -> None:
    file = written(f"import tensorflow as tf\nmask = {before}\n")
    found = rounding.threshold(line(file, 2), Sources())
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert after(file, rounding.straight_through(*found)).endswith(f"\nmask = {expected}\n")


@pytest.mark.parametrize("named", ["import tensorflow.compat.v1 as tf", "from tensorflow.compat import v1 as tf"])
def test_the_first_version_of_tensorflow_is_called_as_the_file_calls_it(written: Written, named: str) -> None:
    file = written(f"import numpy as np\n{named}\n\nvalues = np.exp(logits.numpy())\nloss = tf.reduce_sum(values)\n")
    changed = after(file, twins.kept(line(file, 4), line(file, 5), Sources()))
    assert changed.splitlines()[1:4] == [named, "", "values = tf.exp(logits)"]


def test_nothing_is_rewritten_where_the_name_of_tensorflow_means_something_else(written: Written) -> None:
    file = written("import tempfile as tf\n\nvalues = float(logits.numpy())\nloss = reduce(values)\n")
    assert twins.kept(line(file, 3), line(file, 4), Sources()) == ()


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("if np.abs(x).max() > 3:", "if tf.reduce_max(tf.abs(x)) > 3:"),
        ("while np.sum(x) > 3 and ready:", "while tf.reduce_sum(x) > 3 and ready:"),
        ("if np.isreal(x).all():", "if np.isreal(x).all():"),
    ],
)
def test_a_condition_of_numpy_becomes_one_of_tensorflow(written: Written, before: str, expected: str) -> None:
    file = written(f"import numpy as np\nimport tensorflow as tf\n{before}\n    x = np.abs(x)\n")
    tree = syntax.tree(file, Sources())
    assert tree is not None
    assert after(file, twins.of_condition(tree, line(file, 3))).splitlines()[2] == expected
