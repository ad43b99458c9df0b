"""With TensorFlow in it, the program still writes what it writes under plain python: a sample of the programs."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from cli.surfaces import KINDS, compare
from support.marks import runs_here
from support.runner import Runner
from support.streams import scrubbed

PROGRAMS = Path(__file__).parents[1] / "programs"
CHOSEN = (
    "broken/distributed/mirrored_rounded_scores.py",  # AutoGraph writes a stack into the message
    "healthy/graph/error_text_of_py_function.py",
    "broken/loops/ragged_map_fn_positions/main.py",
)


def sample() -> list[Path]:
    found = sorted(path for path in PROGRAMS.rglob("*.py") if path.parts[len(PROGRAMS.parts)] in ("broken", "healthy"))
    programs = [path for path in found if path.name == "main.py" or not (path.parent / "main.py").exists()]
    # By name, so that a new program does not change which others are run.
    drawn = [path for path in programs if zlib.crc32(path.relative_to(PROGRAMS).as_posix().encode()) % 40 == 0]
    return [path for path in dict.fromkeys([*drawn, *(PROGRAMS / name for name in CHOSEN)]) if runs_here(path)]


@pytest.mark.parametrize("program", sample(), ids=lambda path: str(path.relative_to(PROGRAMS)))
def test_a_training_program_does_what_it_does_under_plain_python(program: Path, runner: Runner) -> None:
    plain, explained = runner.run(program, plain=True), runner.run(program)
    assert scrubbed(explained.stdout) == scrubbed(plain.stdout)
    assert scrubbed(explained.stderr) == scrubbed(plain.stderr)
    assert explained.exit_code == plain.exit_code


TRAINING = """
import tensorflow as tf

def train():
    weights = tf.Variable([1.0, 2.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((weights - 1.0) ** 2) + tf.reduce_sum(tf.stop_gradient(weights))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return round(float(loss), 4)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_does_what_it_does_however_it_is_started(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    if kind == "ipython":
        pytest.importorskip("IPython")
    compare(kind, TRAINING, tmp_path)
