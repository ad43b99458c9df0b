"""`tensorwhy run --ask`: answers about names and lines, from a program that is run as it is."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.runner import environment

pytest.importorskip("tensorflow")

PROGRAM = """\
import tensorflow as tf
kept = tf.Variable([1.0, 2.0], name="kept")
rounded = tf.Variable([1.0, 2.0], name="rounded")
optimizer = tf.keras.optimizers.SGD(0.1)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        hidden = kept * x
        loss = tf.reduce_sum(hidden * tf.round(rounded))
    gradients = tape.gradient(loss, [kept, rounded])
    optimizer.apply_gradients([(gradients[0], kept)])

for _ in range(4):
    step(tf.constant([1.0, 2.0]))
"""


@pytest.fixture
def run(python: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run(*arguments, folder=FOLDER)` runs the command there."""
    return lambda *arguments, folder: subprocess.run(
        [python, "-m", "tensorwhy", "run", *arguments],
        cwd=folder, env=environment(), capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip


def test_names_and_lines_are_answered_whether_all_is_well_or_not(tmp_path: Path, run) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    questions = ("kept", "rounded", "train.py:9", "train.py:11", "train.py:6", "keept")
    asked = [part for each in questions for part in ("--ask", each)]
    done = run(*asked, "--format", "json", "--output", "report.json", "train.py", folder=tmp_path)
    assert done.returncode == 0
    answers = json.loads((tmp_path / "report.json").read_text())["answers"]
    assert [each["question"] for each in answers] == list(questions)
    assert [each["state"] for each in answers] == ["holds", "broken", "holds", "broken", "unknown", "unknown"]
    kept, rounded, hidden, gradient, _, unknown = answers
    assert {link["name"]: link["state"] for link in kept["chains"][0]["links"]}["value"] == "holds"
    assert kept["chains"][0]["norms"][0] == pytest.approx(17**0.5)
    assert rounded["chains"][0]["diagnoses"]
    assert "stops at Round" in rounded["summary"]
    assert hidden["chains"][0]["subject"]["name"] == "hidden"
    assert [chain["state"] for chain in gradient["chains"]] == ["holds", "broken"]
    assert "kept" in unknown["near"]


def test_a_traced_function_is_answered_with_its_traces(tmp_path: Path, run) -> None:
    (tmp_path / "train.py").write_text(PROGRAM + "step(tf.constant([1.0, 2.0, 3.0])[:1])\n")
    done = run("--ask", "step", "--format", "json", "--output", "report.json", "train.py", folder=tmp_path)
    assert done.returncode == 0
    (answer,) = json.loads((tmp_path / "report.json").read_text())["answers"]
    (chain,) = answer["chains"]
    assert (chain["subject"]["kind"], chain["subject"]["location"]["line"]) == ("function", 7)
    assert answer["summary"] == "`step` was traced 2 times"
    told = [(link["text"], link["location"]["line"]) for link in chain["links"] if link["name"] == "trace"]
    assert told == [("1: the first call; ran 4 times", 15), ("2: `x` is (1,), and was (2,); ran once", 16)]


def test_a_question_without_a_line_is_refused_before_the_program_starts(tmp_path: Path, run) -> None:
    (tmp_path / "train.py").write_text("print('ran')\n")
    done = run("--ask", "train.py:end", "train.py", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pass FILE:LINE" in done.stderr
