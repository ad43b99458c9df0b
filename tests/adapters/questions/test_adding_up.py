"""Which softmaxes of a graph are only added up again: those of which no gradient comes back."""

from __future__ import annotations

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.questions.adding_up import adding_up  # noqa: E402

LOGITS = np.array([[0.2, -1.0, 0.7], [1.5, 0.1, -0.4]], "float32")
RETURNS = np.array([[0.3], [-2.0]], "float32")
Q = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]], "float32")


def probabilities(z):
    return tf.nn.softmax(z)


def summed(z):
    return tf.reduce_sum(tf.nn.softmax(z), axis=-1)


def scaled_before_the_sum(z):
    return tf.reduce_mean(-tf.nn.softmax(z) * RETURNS / 4.0, axis=1)


def score(z):
    return tf.reduce_sum(tf.stop_gradient(tf.nn.softmax(z)) * tf.nn.log_softmax(z), axis=-1)


def score_by_exponents(z):
    logs = tf.nn.log_softmax(z)
    return tf.reduce_sum(logs * tf.stop_gradient(tf.exp(logs)), axis=-1)


def weighed(z):
    return tf.reduce_sum(tf.nn.softmax(z) * Q, axis=-1)


def over_the_batch(z):
    return tf.reduce_sum(tf.nn.softmax(z), axis=0)


def entropy(z):
    return tf.reduce_sum(tf.nn.softmax(z) * tf.nn.log_softmax(z), axis=-1)


def unweighed_score(z):
    return tf.reduce_sum(tf.nn.log_softmax(z), axis=-1)


def also_used_otherwise(z):
    p = tf.nn.softmax(z)
    return tf.reduce_sum(p, axis=-1) + p[:, 0]


def score_of_another_policy(z):
    return tf.reduce_sum(tf.stop_gradient(tf.nn.softmax(2.0 * z)) * tf.nn.log_softmax(z), axis=-1)


@pytest.mark.parametrize(
    ("loss", "cancels"),
    [
        *((each, True) for each in (summed, scaled_before_the_sum, score, score_by_exponents)),
        *((each, False) for each in (probabilities, weighed, over_the_batch, entropy, unweighed_score)),
        *((each, False) for each in (also_used_otherwise, score_of_another_policy)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_it_is_found_where_the_gradient_cancels_and_only_there(loss, cancels: bool) -> None:
    with tf.Graph().as_default() as graph:
        z = tf.constant(LOGITS)
        value = loss(z)
        weights = Q if value.shape.rank == 2 else Q.reshape(-1)[: value.shape[0]]
        target = tf.reduce_sum(value * weights)
        gradient = tf.gradients(target, z)[0]
        found = {
            op.type for op in graph.get_operations() for each in op.outputs if each._id in adding_up(graph, [target])
        }
        with tf.compat.v1.Session(graph=graph) as session:
            size = np.abs(session.run(gradient)).max()
    # In the score by its entropy, the part that comes back by the logarithm cancels, and the other does not.
    assert bool(found - ({"LogSoftmax"} if loss is entropy else set())) == cancels == bool(size < 1e-6)
