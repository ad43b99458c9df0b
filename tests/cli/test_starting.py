"""What the program pays for being started by the tool, where that can be counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.runner import environment

CALLS_AT_MANY_DEPTHS = """
import resource

def leaf():  # its frame is larger than one of `faults`: at some depth, the end of a chunk of memory falls into it
    a = b = c = d = e = f = g = h = i = j = k = l = m = n = o = p = q = r = s = t = u = v = w = x = y = z = 0

def faults(depth):
    if depth:
        return faults(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(1000):
        leaf()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(max(map(faults, range(500))))
"""


def printed(program: str, tmp_path: Path) -> list[str]:
    file = tmp_path / "program.py"
    file.write_text(program)
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", "run", str(file)],
        env=environment(), stdout=subprocess.PIPE, text=True, timeout=180, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_no_depth_of_the_stack_is_one_where_each_call_gets_new_memory(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    assert int(printed(CALLS_AT_MANY_DEPTHS, tmp_path)[0]) < 1000


HEALTHY = """
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.001)  # slow: a loss of exactly 0 has gradients of 0, which are looked into
x, y = tf.ones((4, 2)), tf.ones((4, 1))
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
FOR_FINDINGS = {
    "tensorwhy.adapters.tensorflow.gradients.tables",
    "tensorwhy.diagnosis.engine",
    "tensorwhy.experiments",
    "tensorwhy.fixes",
    "tensorwhy.model.history",
    "tensorwhy.reasons",
}


def test_a_healthy_training_loads_nothing_of_what_explains_findings(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(HEALTHY)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tensorwhy", "run", str(file)],
        env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=180, check=True,
    )  # fmt: skip
    assert "no problems found" in done.stderr
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "tensorwhy.adapters.tensorflow.session" in loaded
    assert sorted(loaded & FOR_FINDINGS) == []
