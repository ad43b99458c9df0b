"""The exit code is the program's own, unless the user asked for a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runner import Runner

FINE = "import tensorflow as tf\nprint(float(tf.reduce_sum(tf.ones(3))))\n"
# The encoder's part of the loss is computed before the tape opens; the program handles nothing and goes on.
LOST = """
import tensorflow as tf
x = tf.Variable(2.0)
y = x * x
with tf.GradientTape() as tape:
    loss = y * 3.0
gradient = tape.gradient(loss, x)
optimizer = tf.keras.optimizers.SGD()
optimizer.apply_gradients([(gradient, x)])
"""

GIVES_UP = """
import sys
import tensorflow as tf
kept = []
@tf.function
def doubled(x):
    kept.append(x * 2.0)
    return kept[-1]
def main():
    doubled(tf.ones([2]))
    print(kept[0] + 1.0)
try:
    main()
except Exception as error:
    sys.exit(CODE)
"""


@pytest.mark.parametrize(
    ("source", "options", "code"),
    [
        (FINE, (), 0),
        (FINE, ("--fail-on", "warning"), 0),
        (FINE + "raise SystemExit(5)\n", ("--fail-on", "warning"), 5),
        ("try:" + LOST.replace("\n", "\n    ") + "\nexcept ValueError: pass\n", (), 0),
        ("try:" + LOST.replace("\n", "\n    ") + "\nexcept ValueError: pass\n", ("--fail-on", "warning"), 1),
        (LOST, (), 1),
        (LOST, ("--fail-on", "error"), 1),
    ],
)
def test_the_exit_code_is_the_programs_own_unless_asked_otherwise(
    source: str, options: tuple[str, ...], code: int, runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(source)
    result = runner.run(program, options=options)
    assert result.exit_code == code, result.account()


@pytest.mark.parametrize("record", ["auto", "full", "off"])
def test_every_way_of_recording_leaves_the_program_alone(record: str, runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(FINE)
    result = runner.run(program, options=("--record", record))
    assert (result.exit_code, result.stdout) == (0, "3.0\n"), result.account()
    assert result.grave() == ()


@pytest.mark.parametrize(("code", "told"), [("str(error)", ("TW403",)), ("3", ("TW403",)), ("0", ())])
def test_a_program_that_catches_its_failure_and_gives_up_is_told_why(
    code: str, told: tuple[str, ...], runner: Runner, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(GIVES_UP.replace("CODE", code))
    result = runner.run(program)
    assert result.report is not None, result.account()
    assert tuple(each.code for each in result.report.diagnoses) == told
