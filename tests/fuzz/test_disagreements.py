"""Programs on which the prediction was wrong once, cut down to what they were about."""

from __future__ import annotations

import textwrap

import pytest

pytest.importorskip("tensorflow")

from fuzz import harness

CALLED_IN_A_GRAPH = """
    import tensorflow as tf

    def program():
        weight = tf.Variable([0.5, 0.2, 0.7])

        @tf.function
        def pair(x):
            y = tf.square(weight) + x
            return y, y * 2.0

        @tf.function
        def unused(x):
            tf.square(weight)
            return x, x

        @tf.function
        def step(x, y):
            QUESTION
            return x

        start = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(start)
            step(start, start + 1.0)
"""


@pytest.mark.parametrize(
    "question",
    [
        "made, beside = pair(y); graph_gradients(made, [beside, weight, x, y])",
        "made, beside = pair(y); graph_gradients(made, [beside], stops=[made])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made, [beside])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made, [beside, y])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made * 2.0, [beside, y], stops=[made])",
    ],
)
def test_an_output_beside_one_with_a_gradient_gets_zeros_in_a_graph(question: str, monkeypatch, tmp_path) -> None:
    outcome = asked(question, monkeypatch, tmp_path)
    assert outcome.pairs
    assert outcome.disagreements == []


def test_a_tape_around_a_graph_does_not_change_what_its_calls_pass_on(monkeypatch, tmp_path) -> None:
    outcome = asked("made, _ = unused(y); graph_gradients(made, [weight, y])", monkeypatch, tmp_path)
    assert (outcome.pairs, outcome.none) == (2, 1)
    assert outcome.disagreements == []


def asked(question: str, monkeypatch, tmp_path) -> harness.Outcome:
    """The outcome of a program that asks this inside of a traced function."""
    text = textwrap.dedent(CALLED_IN_A_GRAPH).replace("QUESTION", question)
    monkeypatch.setattr(harness.generator, "program", lambda seed: text)
    return harness.run(0, str(tmp_path))
