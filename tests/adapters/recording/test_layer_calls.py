"""Which layer gave out an eager tensor is known of the last ones."""

from __future__ import annotations

import pytest

import tensorwhy
from tensorwhy.adapters.keras_common.learning import calls

tf = pytest.importorskip("tensorflow")


def test_what_layers_gave_out_is_forgotten_in_the_order_in_which_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_MOST", 5)
    layer, given = tf.keras.layers.Dense(2), tf.ones((1, 3))
    with tensorwhy.record(show=False):
        outputs = [layer(given) for _ in range(30)]
    known = [calls.made_in(output._id) is not None for output in outputs]
    assert known == sorted(known)
    assert 5 <= sum(known) <= 11


def test_an_output_in_a_structure_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    class Split(tf.keras.layers.Layer):
        def call(self, given, scale=None):
            return {"half": given * scale, "rest": [given * 2.0]}

    split, given, scale = Split(name="split"), tf.ones((1, 3)), tf.constant(0.5)
    with tensorwhy.record(show=False):
        found = split(given, scale=scale)
    for output in (found["half"], found["rest"][0]):
        call = calls.made_in(output._id)
        assert call is not None and call.layer == "split"
        assert call.inputs == {given._id, scale._id}
