"""The hooks on each operation are put in once, and stay out while the recorder rests."""

from __future__ import annotations


def test_a_recorder_that_is_armed_twice_sees_each_operation_once(session) -> None:
    import tensorflow as tf

    session.recorder.arm()
    before = session.journal.operations(0, session.journal.position)
    tf.abs(tf.ones(2))
    again = session.journal.operations(0, session.journal.position)
    session.recorder.disarm()
    session.recorder.arm()
    tf.abs(tf.ones(2))
    assert again - before == session.journal.operations(0, session.journal.position) - again > 0
