"""What is told of a source that the target does not use: which call, loss, shape, vector or earlier step used it."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")


def uses(session: Any) -> list[Any]:
    facts = [fact for group in session.facts() for fact in group.facts]
    assert {fact.kind for fact in facts} == {"unused"}
    return [fact.use for fact in facts]


@pytest.mark.parametrize("linked", [True, False])
def test_two_results_of_one_traced_call_are_told_with_whether_one_was_computed_from_the_other(
    session, linked: bool
) -> None:
    @tf.function
    def both(x: Any) -> Any:
        hidden = tf.tanh(x)
        return hidden, tf.reduce_sum(hidden if linked else x)

    with tf.GradientTape() as tape:
        hidden, score = both(tf.constant([1.0, 2.0]))
        tape.watch(hidden)
    assert tape.gradient(score, hidden) is None
    [use] = uses(session)
    assert (use.how, use.linked) == ("shared-call", linked)


def test_an_operation_that_takes_the_shape_alone_is_told(session) -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.ones_like(v * 2.0) * tf.Variable(3.0))
    assert tape.gradient(loss, v) is None
    [use] = uses(session)
    assert use.how == "shape"
    assert use.op in ("OnesLike", "Shape")  # of older TensorFlows the second


def test_a_variable_that_was_used_only_before_the_step_is_told_with_its_last_use(session) -> None:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        first = v * w
    tape.gradient(first, v)
    with tf.GradientTape() as tape:
        second = w * 2.0
    assert tape.gradient(second, [v, w])[0] is None
    [use] = uses(session)
    assert use.how == "earlier"


def test_a_vector_of_all_variables_that_is_unpacked_again_is_no_way_for_a_gradient(session) -> None:
    used, spare = tf.Variable([0.5, 0.5]), tf.Variable([0.5])
    for _ in range(2):
        vector = tf.concat([used, spare], 0).numpy()
        for variable, part in zip((used, spare), tf.split(tf.constant(vector), [2, 1])):
            variable.assign(part)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(used**2)
        assert tape.gradient(loss, [used, spare])[1] is None
    assert {use.how for use in uses(session)} == {"packed"}


def test_a_weight_that_is_copied_from_another_one_before_the_step_is_not_taken_for_packed(session) -> None:
    encoder, decoder = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0])
    decoder.assign(encoder * 2.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(decoder**2)
    assert tape.gradient(loss, [encoder, decoder])[0] is None
    assert "unused" not in {fact.kind for group in session.facts() for fact in group.facts}
