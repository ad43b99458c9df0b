"""What a session of TensorFlow 1 gives leaves the graph, at the line of whoever had it run."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.recording import journal as j  # noqa: E402


def test_each_tensor_leaves_once_at_each_line_that_had_it_run(session) -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as running:
        value = tf.compat.v1.placeholder(tf.float32, [])
        double, half = value * 2.0, value / 2.0
        for _ in range(3):
            found = running.run({"double": double, "rest": [half, (double.name, half.op)]}, {value: 3.0})
        evaluated = double.eval({value: 3.0})
    assert (found["double"], found["rest"][0], found["rest"][1][0], evaluated) == (6.0, 1.5, 6.0, 6.0)
    exits = [event for event in session.journal.events(0, session.journal.position) if event.kind == j.EXIT]
    assert sorted(event.inputs[0] for event in exits) == sorted([double._id, half._id, double._id])
    assert len({event.place for event in exits}) == 2
