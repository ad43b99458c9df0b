"""Keys of a dict, and lists of variables, that are given to an optimizer are told from what only looks like them."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.tensor_ids import handle_of  # noqa: E402
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


@pytest.mark.parametrize("form", ["both", "last"])
def test_a_list_of_variables_in_the_place_of_one(form: str) -> None:
    a, b, c = (tf.Variable(1.0) for _ in range(3))
    gradient = tf.constant(1.0)
    given = {
        "both": [([gradient, None], [b, c]), ([gradient], (a,))],
        "last": [(gradient, a), ([gradient, gradient], [b, c])],
    }[form]
    found = unpaired.among(given)
    assert found is not None and found.nested and found.handles == tuple(map(handle_of, (b, c)))


def test_pairs_of_one_variable_each_are_not_nested() -> None:
    gradient, variable = tf.constant(1.0), tf.Variable(1.0)
    assert unpaired.among([(gradient, variable), [gradient, variable]]) is None
    assert unpaired.among([([gradient], [object()])]) is None
