"""Weights from a table that has none of the keys: the look-up is what gives zeros, and not its keys or its default."""

from __future__ import annotations

import pytest

from support.runner import Runner

PROGRAM = """
import tensorflow as tf

known = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1.0, 2.0]))
table = tf.lookup.StaticHashTable(known, default_value=0.0)
labels = tf.constant({labels})
v = tf.Variable([[1.0], [2.0]])
for _ in range(6):
    with tf.GradientTape() as tape:
        losses = tf.square(tf.ones([2, 2]) @ v)[:, 0]
        loss = tf.reduce_sum(losses * table.lookup(labels))
    v.assign_sub(0.01 * tape.gradient(loss, v))
"""


@pytest.fixture(scope="module")
def diagnose(runner: Runner, tmp_path_factory: pytest.TempPathFactory):
    pytest.importorskip("tensorflow")

    def run(labels: list[str]):
        program = tmp_path_factory.mktemp("table") / "table.py"
        program.write_text(PROGRAM.format(labels=labels))
        result = runner.run(program)
        assert result.report is not None, result.stderr
        return result.report.diagnoses

    return run


def test_a_look_up_that_finds_nothing_is_the_mask(diagnose) -> None:
    (found,) = diagnose(["0", "1"])
    assert (found.code, found.primary.line) == ("TW204", 11)
    assert "`table.lookup(labels)`, which is zero" in found.message


def test_a_look_up_that_finds_its_keys_is_not_told_of(diagnose) -> None:
    assert diagnose(["a", "b"]) == ()
