"""A variable of a layer is called as its Keras calls it."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
import tensorflow as tf

import tensorwhy
from tensorwhy.adapters.tensorflow.variables.described import variables
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable


class Network(tf.keras.Model):
    """Built by its first call, in whose name scope TensorFlow names both kernels the same."""

    def __init__(self) -> None:
        super().__init__(name="network")
        self.body = tf.keras.layers.Dense(3, name="body")
        self.head = tf.keras.layers.Dense(1, name="head")

    def call(self, x):
        return self.head(tf.stop_gradient(self.body(x)))


def test_a_source_has_the_name_of_its_layer_in_it() -> None:
    with tensorwhy.record(show=False) as recording:
        network = Network()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(network(tf.ones([2, 4])))
        tape.gradient(loss, network.trainable_variables)
    (diagnosis,) = recording.report.diagnoses
    assert diagnosis.source is not None
    assert {diagnosis.source.name, *(each.name for each in diagnosis.also)} == {
        "network/body/kernel",
        "network/body/bias",
    }


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python tells of whole lines only")
def test_the_page_of_the_model_calls_a_variable_without_a_name_as_its_diagnosis_does() -> None:
    with tensorwhy.record(show=False) as recording:
        for _ in range(2):
            used, left = tf.Variable(1.0), tf.Variable(2.0)
            with tf.GradientTape() as tape:
                loss = used * 3.0
            variables = [used, left]
            tape.gradient(loss, variables)
    (diagnosis,) = recording.report.diagnoses
    named = {view.name: view.diagnoses for view in recording.report.variables}
    assert named == {"used": (), "left": (diagnosis.id,)}


def test_where_a_variable_was_made_while_the_recording_rested_is_not_forgotten() -> None:
    made = Location(file="net.py", line=7)
    tapes = SimpleNamespace(
        layers=SimpleNamespace(by_handle={}),
        variables={5: Variable(tensor=5, name="scale:0", created=made)},
    )
    session = SimpleNamespace(
        tapes=tapes,
        journal=SimpleNamespace(location=lambda place: None),
        lineage=lambda: SimpleNamespace(makers=lambda handle: ()),
    )
    (found,) = variables(session, [5])
    assert found.created == made
