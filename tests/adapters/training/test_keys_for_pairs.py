"""Keys of a dict that are given to an optimizer are told from gradients, and from what only looks like keys."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.variables import unpaired  # noqa: E402


@pytest.mark.parametrize("form", ["keys", "both", "gradients", "variables", "items"])
def test_keys_on_either_side(form: str) -> None:
    variables = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
    gradients = {"a": tf.constant(1.0), "b": None}
    given = {
        "keys": list(gradients),
        "both": list(zip(gradients, variables)),
        "gradients": list(zip(gradients, variables.values())),
        "variables": list(zip(gradients.values(), variables)),
        "items": list(gradients.items()),
    }[form]
    assert unpaired.among(given) == unpaired.Unpaired(keys=True)


def test_texts_among_other_values_are_no_keys() -> None:
    assert unpaired.among([("a", 1), ("b", 2)]) is None
    assert unpaired.among([("a", tf.Variable(1.0), 3)]) is None
    assert unpaired.among([(tf.constant(1.0), tf.Variable(1.0)), "a"]) is None
