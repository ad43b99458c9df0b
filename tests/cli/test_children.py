"""`tensorwhy run --children`: the processes that a program starts are told of in one report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.runner import environment

pytest.importorskip("tensorflow")

PROGRAM = """\
import multiprocessing, subprocess, sys

def train():
    import tensorflow as tf
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(tape.gradient(y, x))

if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=train)
    child.start()
    child.join()
    subprocess.run([sys.executable, "-c", "print('no framework')"])
"""


@pytest.mark.parametrize("observed", [True, False])
def test_children_are_observed_where_it_was_asked_for_and_counted_otherwise(tmp_path: Path, observed: bool) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "run", *(["--children"] if observed else []),
         "--format", "json", "--output", "report.json", "train.py"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=180, check=True,
    )  # fmt: skip
    assert done.stdout == "None\nno framework\n"
    report = json.loads((tmp_path / "report.json").read_text())
    assert [each["code"] for each in report["diagnoses"]] == (["TW101"] if observed else [])
    counted = "1 child process was not observed" if observed else "2 child processes were not observed"
    assert any(counted in each for each in report["coverage"]["unobserved"])


POOL = """\
import multiprocessing

def train(_):
    import tensorflow as tf
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(train, [1]))
"""


def test_a_worker_that_its_pool_ends_is_explained(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(POOL)
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "run", "--children", "--format", "concise", "train.py"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=180, check=True,
    )  # fmt: skip
    assert done.stdout == "[None]\n"
    assert "TW101" in done.stderr and "did not end" not in done.stderr
