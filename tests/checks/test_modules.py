"""Which things of the frameworks the names of a file stand for."""

from __future__ import annotations

import ast

import pytest

from tensorwhy.checks.text.modules import Module
from tensorwhy.source.files import Sources


def _named(text: str) -> str:
    """The full name of what the last line of a text names."""
    module = Module("program.py", ast.parse(text), Sources())
    last = module.tree.body[-1]
    assert isinstance(last, ast.Expr)
    return module.named(last.value, module.scopes[0])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import tensorflow as tf\ntf.GradientTape", "tensorflow.GradientTape"),
        ("import tensorflow.compat.v2 as tf\ntf.GradientTape", "tensorflow.GradientTape"),
        ("import tensorflow.compat.v1 as tf\ntf.gradients", "tensorflow.compat.v1.gradients"),
        ("import tensorflow as tf\ntf.keras.layers.Dense", "keras.layers.Dense"),
        ("from tensorflow import keras\nkeras.Input", "keras.Input"),
        ("from tensorflow.keras import layers as L\nL.Dense", "keras.layers.Dense"),
        ("from tf_keras.layers import Dense\nDense", "keras.layers.Dense"),
        ("import tensorflow.keras.layers\ntensorflow.keras.layers.Dense", "keras.layers.Dense"),
        ("from .layers import Dense\nDense", ".layers.Dense"),
    ],
)
def test_a_name_is_told_from_its_import_on(text: str, name: str):
    assert _named(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "tf.GradientTape",
        "import tensorflow as tf\ntf = other\ntf.GradientTape",
        "import tensorflow as tf\nimport torch as tf\ntf.GradientTape",
        "import tensorflow as tf\ntf().GradientTape",
    ],
)
def test_a_name_that_may_stand_for_something_else_has_none(text: str):
    assert _named(text) == ""


def test_a_name_is_told_although_it_is_none_where_the_import_fails():
    text = "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\ntf.function"
    assert _named(text) == "tensorflow.function"


def test_a_function_does_not_see_what_another_one_imports():
    text = "def f():\n    from tensorflow import range\nrange(3)"
    module = Module("program.py", ast.parse(text), Sources())
    assert module.called(module.tree.body[1].value, module.scopes[0]) == ""


def test_a_parameter_hides_an_import():
    module = Module("program.py", ast.parse("import tensorflow as tf\ndef f(tf):\n    tf.function"), Sources())
    inner = module.scopes[1]
    assert isinstance(inner.steps[0].statement, ast.Expr)
    assert module.named(inner.steps[0].statement.value, inner) == ""
