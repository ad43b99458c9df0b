"""A whole training script under `run --record auto`, against the same script alone; and what starting the tool costs.

    python benchmarks/whole.py [--pairs 40] [--steps 1000] [--keep]

Scripts run in forks of a process that has imported TensorFlow, so that only the training is compared: attaching,
recording, resting and the report at the end count. Starting is measured in processes of its own, on a script that does
nothing but import TensorFlow. All numbers are CPU time of the whole process, user and system.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from tensorwhy.pipeline import Observation

layers = tf.keras.layers
BATCH = 32


def _parts(steps: int):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(BATCH, 64)).astype("float32")
    y = rng.integers(10, size=BATCH)
    model = tf.keras.Sequential([layers.Dense(128, activation="relu"), layers.Dense(10)])
    return model, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), x, y


def loop(steps: int, compiled: bool = False) -> None:
    """A training loop as people write it."""
    model, loss_of, x, y = _parts(steps)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    inputs, labels = tf.constant(x), tf.constant(y)
    model(inputs)

    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(inputs, training=True))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    if compiled:
        optimizer.build(model.trainable_variables)
        step = tf.function(step)
    for _ in range(steps):
        step()


def fit(steps: int) -> None:
    model, loss_of, x, y = _parts(steps)
    model.compile("adam", loss_of)
    model.fit(np.tile(x, (steps, 1)), np.tile(y, steps), batch_size=BATCH, verbose=0)


SCRIPTS: dict[str, Callable[[int], None]] = {
    "custom loop": loop,
    "custom loop, tf.function": lambda steps: loop(steps, compiled=True),
    "model.fit": fit,
}


def forked(script: Callable[[int], None], steps: int, observed: bool) -> float:
    """CPU seconds of a child that runs the script."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        began = time.process_time()
        observation = Observation(record="auto", keep_steps=1000, experiments=True) if observed else None
        if observation is not None:
            observation.start()
        script(steps)
        if observation is not None:
            observation.finish()
        os.write(writing, str(time.process_time() - began).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        took = float(file.read())
    os.waitpid(child, 0)
    return took


def started(command: list[str]) -> float:
    """CPU seconds of a process of its own."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def pairs(variants: dict[str, Callable[[], float]], count: int) -> dict[str, list[float]]:
    """Samples of each variant; one round runs each once, in random order."""
    samples: dict[str, list[float]] = {name: [] for name in variants}
    order = list(variants)
    for _ in range(count):
        random.shuffle(order)
        for name in order:
            samples[name].append(variants[name]())
    return samples


def quartiles(values: list[float]) -> str:
    low, median, high = statistics.quantiles(values, n=4)
    return f"{median:.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    loaded = Observation(record="auto", keep_steps=1000, experiments=True)
    loaded.start()  # starting is measured apart, so nothing is left to import in the forks
    loaded.finish()
    raw: dict[str, dict[str, list[float]]] = {}
    lines = [
        f"Python {platform.python_version()}, TensorFlow {tf.__version__}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[1]:.1f}, {options.pairs} pairs, {options.steps} steps a script; CPU time of the process.",
        "",
        "| script | alone, s | control | `run --record auto` |",
        "| --- | --- | --- | --- |",
    ]
    for name, script in SCRIPTS.items():
        if options.only not in name:
            continue
        variants = {
            "alone": lambda script=script: forked(script, options.steps, False),
            "control": lambda script=script: forked(script, options.steps, False),
            "auto": lambda script=script: forked(script, options.steps, True),
        }
        samples = raw[name] = pairs(variants, options.pairs)
        cells = [quartiles([a / b for a, b in zip(samples[v], samples["alone"])]) for v in ("control", "auto")]
        lines.append(f"| {name} | {statistics.median(samples['alone']):.2f} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "imports.py")
        script.write_text("import tensorflow\n", encoding="utf-8")
        variants = {
            "alone": lambda: started([sys.executable, str(script)]),
            "control": lambda: started([sys.executable, str(script)]),
            "run": lambda: started([sys.executable, "-m", "tensorwhy", "run", str(script)]),
        }
        samples = raw["start"] = pairs(variants, options.pairs)
    lines += [
        "",
        "| start | alone, s | control, seconds more | `tensorwhy run`, seconds more |",
        "| --- | --- | --- | --- |",
    ]
    more = [quartiles([a - b for a, b in zip(samples[v], samples["alone"])]) for v in ("control", "run")]
    lines.append(f"| import tensorflow | {statistics.median(samples['alone']):.2f} | " + " | ".join(more) + " |")
    text = "\n".join(lines) + "\n"
    print(f"\n{text}")
    if options.keep:
        stem = Path(__file__).parent / "results" / f"whole-py{''.join(platform.python_version_tuple()[:2])}"
        stem.with_suffix(".md").write_text(text, encoding="utf-8")
        stem.with_suffix(".json").write_text(json.dumps(raw), encoding="utf-8")


if __name__ == "__main__":
    main()
