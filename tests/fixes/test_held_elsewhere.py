"""Edits for tensors and variables that another object, file or list holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.edits import Written, after, line
from tensorwhy.fixes import hoisting, layers, leaks, symbolic, syntax, twins
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def test_what_another_file_keeps_is_handed_to_it_by_the_caller(written: Written, tmp_path: Path) -> None:
    kept = tmp_path / "monitor.py"
    kept.write_text(
        "class Monitor:\n    def see(self, value):\n        '''Keeps it.'''\n"
        "        self.last = value\n        return value\n"
    )
    file = written(
        "monitor = Monitor()\n\n\n@tf.function\ndef f(x):\n    h = monitor.see(x * 2)  # hidden\n    return h + 1\n\n\n"
        "y = f(one)\n"
    )
    edits = leaks.handed_back(line(str(kept), 4), "f", line(file, 6), Sources())
    assert after(file, edits) == (
        "monitor = Monitor()\n\n\n@tf.function\ndef f(x):\n    h = x * 2  # hidden\n    return h + 1, h\n\n\n"
        "y, kept = f(one)\nmonitor.see(kept)\n"
    )


def test_what_does_more_than_keep_a_tensor_is_left_where_it_is(written: Written, tmp_path: Path) -> None:
    kept = tmp_path / "monitor.py"
    kept.write_text("class Monitor:\n    def see(self, value):\n        self.last = value\n        return value * 2\n")
    file = written("@tf.function\ndef f(x):\n    h = monitor.see(x * 2)\n    return h + 1\n\n\ny = f(one)\n")
    assert leaks.handed_back(line(str(kept), 3), "f", line(file, 3), Sources()) == ()


@pytest.mark.parametrize(
    ("foreign", "expected"),
    [
        (
            True,
            "        self.parts = Parts(\n"
            '            scale=self.add_weight(name="scale", shape=(), '
            "initializer=tf.keras.initializers.Constant(1.5)),  # t\n"
            "            tags=[],\n"
            "        )\n",
        ),
        (
            False,
            "        self.parts = Parts(\n"
            "            scale=tf.Variable(1.5),  # t\n"
            "            tags=[],\n"
            "        )\n"
            "        self.parts_kept = list(vars(self.parts).values())\n",
        ),
    ],
)
def test_what_an_object_of_another_class_is_given_counts_in_the_layer(
    written: Written, foreign: bool, expected: str
) -> None:
    start = "import tensorflow as tf\n\n\nclass L(tf.keras.layers.Layer):\n    def __init__(self):\n"
    file = written(
        f"{start}        self.parts = Parts(\n            scale=tf.Variable(1.5),  # t\n            tags=[],\n"
        "        )\n"
    )
    tree = syntax.tree(file, Sources())
    assert tree is not None
    (statement,) = tree.statements_at(line(file, 6))
    assert after(file, layers.of_parts(tree, statement, foreign)) == start + expected


def test_one_more_input_is_added_to_those_that_have_one_name(written: Written) -> None:
    file = written("model = keras.Model(\n    inputs=towers,  # both\n    outputs=out)\n")
    whole = Location(file=file, line=1, column=8, end_line=3, end_column=16)
    assert after(file, symbolic.more_inputs(whole, "side", Sources())) == (
        "model = keras.Model(\n    inputs=[*towers, side],  # both\n    outputs=out)\n"
    )


def test_a_variable_that_a_method_makes_for_itself_is_kept_from_its_first_call(written: Written) -> None:
    start = "import tensorflow as tf\n\n\nclass Lin:\n    @tf.function\n    def __call__(self, x):\n"
    file = written(f"{start}        w = tf.Variable(tf.ones([x.shape[-1], 2]))  # weights\n        return x @ w\n")
    assert after(file, hoisting.guarded(line(file, 7), Sources())) == (
        f'{start}        if not hasattr(self, "w"):\n'
        "            self.w = tf.Variable(tf.ones([x.shape[-1], 2]))  # weights\n"
        "        w = self.w\n        return x @ w\n"
    )


def test_a_name_that_the_class_uses_for_something_else_is_not_taken(written: Written) -> None:
    file = written(
        "class Lin:\n    def f(self, x):\n        w = tf.Variable(x)\n        return w\n\n"
        "    def g(self):\n        return self.w\n"
    )
    assert hoisting.guarded(line(file, 3), Sources()) == ()


@pytest.mark.parametrize(
    "made",
    [
        "np.std(x, ddof=1)",
        "x.std(ddof=1)",
        "np.mean(x, dtype=np.float64)",
        "np.clip(x, a_min=0, a_max=1)",
        "np.sum(x, initial=1)",
    ],
)
def test_a_call_with_a_keyword_that_only_numpy_knows_has_no_twin(written: Written, made: str) -> None:
    file = written(
        f"import numpy as np\nimport tensorflow as tf\n\n\ndef f(t):\n    x = t.numpy()\n    return {made}\n"
    )
    assert twins.kept(line(file, 7), None, Sources()) == ()
