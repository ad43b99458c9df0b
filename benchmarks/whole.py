"""A whole training script under `run --record auto`, against the same script alone; and what starting the tool costs.

    python benchmarks/whole.py [--pairs 40] [--steps 1000] [--keep]

Each script runs in a process of its own, which counts from when TensorFlow and the tool are imported: attaching,
recording, resting and the report at the end count. TensorFlow's Debugger V2 stands beside it, in fewer rounds.
Starting is measured on a script that does nothing but import TensorFlow, and with the bytecode that an installed
package has. The control is the script alone against itself in the next round. All numbers are CPU time of the whole
process, user and system.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
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
from keeping import keep, rows, setting, short_python, shown

from tensorwhy.adapters.protocol import RecordMode
from tensorwhy.pipeline import Observation

layers = tf.keras.layers
BATCH = 32


def _parts(steps: int):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(BATCH, 64)).astype("float32")
    y = rng.integers(10, size=BATCH)
    model = tf.keras.Sequential([layers.Dense(128, activation="relu"), layers.Dense(10)])
    return model, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), x, y


def _images(steps: int):
    """A batch of small images: a short step for a real training."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(BATCH, 28, 28, 3)).astype("float32"), rng.integers(10, size=BATCH)
    model = tf.keras.Sequential(
        [layers.Conv2D(16, 3, activation="relu"), layers.Conv2D(32, 3, strides=2, activation="relu"),
         layers.GlobalAveragePooling2D(), layers.Dense(10)]
    )  # fmt: skip
    return model, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), x, y


def _pictures(steps: int):
    """A batch of pictures of 64 by 64 pixels: an ordinary step for a processor."""
    model, loss_of, _, y = _images(steps)
    return model, loss_of, np.random.default_rng(0).normal(size=(BATCH, 64, 64, 3)).astype("float32"), y


def loop(steps: int, compiled: bool = False, parts: Callable[[int], tuple] = _parts) -> None:
    """A training loop as people write it."""
    model, loss_of, x, y = parts(steps)
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
    "pictures, custom loop": lambda steps: loop(steps, parts=_pictures),
    "model.fit": fit,
    "small images, tf.function": lambda steps: loop(steps, compiled=True, parts=_images),
}


def auto(script: Callable[[int], None], steps: int, record: RecordMode = "auto") -> None:
    observation = Observation(record=record, keep_steps=1000, experiments=True)
    observation.start()
    script(steps)
    observation.finish()


def debugged(script: Callable[[int], None], steps: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tf.debugging.experimental.enable_dump_debug_info(folder, "NO_TENSOR")
        script(steps)
        tf.debugging.experimental.disable_dump_debug_info()


def alone(script: Callable[[int], None], steps: int) -> None:
    script(steps)


WAYS: dict[str, Callable[..., None]] = {"alone": alone, "auto": auto, "debugger": debugged}


def load() -> None:
    """Import all that the tool needs: starting is measured apart."""
    loaded = Observation(record="auto", keep_steps=1000, experiments=True)
    loaded.start()
    loaded.finish()
    gc.collect()


def child(way: str, script: str, steps: int) -> None:
    """Print the CPU seconds of this process that a script takes, once all is imported."""
    load()  # no `gc.freeze`: full collections would come often then, each dearer by what the tool remembers
    began = time.process_time()
    WAYS[way](SCRIPTS[script], steps)
    print(time.process_time() - began)


def measured(way: str, script: str, steps: int) -> float:
    command = [sys.executable, __file__, "--child", way, script, "--steps", str(steps)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(done.stdout.split()[-1])


def started(command: list[str]) -> float:
    """CPU seconds of a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = os.times()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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


def control(alone: list[float], of: Callable[[float, float], float]) -> list[float]:
    """The same work against itself, one round later."""
    return [of(later, sooner) for sooner, later in itertools.pairwise(alone)]


IMPORTS = {
    "import tensorflow": "import tensorflow\n",
    # A full collection of garbage takes 0.2 s then, and is due when so many objects are there: see docs/performance.md.
    "the same without collections": "import gc\ngc.disable()\nimport tensorflow\n",
}


def starting(count: int) -> dict[str, dict[str, list[float]]]:
    raw = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text) in enumerate(IMPORTS.items()):
            script = Path(folder, f"imports{number}.py")
            script.write_text(text, encoding="utf-8")
            plain, tool = [sys.executable, str(script)], [sys.executable, "-m", "tensorwhy", "run", str(script)]
            started(plain), started(tool)  # they leave their bytecode
            raw[name] = pairs({"alone": lambda c=plain: started(c), "run": lambda c=tool: started(c)}, count)
    return raw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--peer-pairs", type=int, default=3, help="rounds of Debugger V2")
    parser.add_argument("--start-pairs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--only", default="", help="scripts with these words in their names")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child, options.steps)
    raw: dict[str, dict[str, list[float]]] = {}
    lines = []
    for name in SCRIPTS:
        if options.only not in name:
            continue
        variants = {way: lambda way=way, name=name: measured(way, name, options.steps) for way in WAYS}
        both = {key: variants[key] for key in ("alone", "auto")}
        samples = raw[name] = pairs(both, options.pairs)
        samples["debugger"] = [variants["debugger"]() for _ in range(options.peer_pairs)]
        own = statistics.median(samples["alone"])
        cells = [
            f"{own:.2f}",
            shown(control(samples["alone"], lambda a, b: a / b), ".3f"),
            shown([a / b for a, b in zip(samples["auto"], samples["alone"])], ".3f"),
            f"{statistics.median(samples['debugger']) / own:.1f}" if samples["debugger"] else "",
        ]
        lines.append([name, *cells])
        print(*lines[-1], sep=" | ", flush=True)
    scripts = rows(["script", "alone, s", "control", "`run --record auto`", "Debugger V2 NO_TENSOR"], lines)
    lines = []
    for name, samples in starting(options.start_pairs).items() if options.start_pairs else ():
        raw[name] = samples
        cells = [
            f"{statistics.median(samples['alone']):.2f}",
            shown(control(samples["alone"], lambda a, b: a - b), ".3f"),
            shown([a - b for a, b in zip(samples["run"], samples["alone"])], ".3f"),
        ]
        lines.append([name, *cells])
    starts = rows(["start", "alone, s", "control, seconds more", "`tensorwhy run`, seconds more"], lines)
    text = (
        f"Whole scripts. {setting('tensorflow')}, {options.pairs} pairs ({options.peer_pairs} of the debugger, "
        f"{options.start_pairs} of the start), {options.steps} steps a script; CPU time of the process, median "
        f"(quartiles).\n\n{scripts}\n\n{starts}\n"
    )
    print(f"\n{text}")
    if options.keep:
        keep(f"whole-{short_python()}", text, raw)
    return None


if __name__ == "__main__":
    main()
