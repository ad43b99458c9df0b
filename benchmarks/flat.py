"""Does a program under the tool grow with its length? Samples its memory at points, with and without `--trace`.

    python benchmarks/flat.py [--steps 20000] [--points 10] [--only WORD] [--keep]

Each program trains for so many steps, and reads its own resident memory at points that are evenly apart. It runs under
plain Python, `tensorwhy run`, and `tensorwhy run --trace DIR`, in processes of their own. What grew is the last point
less the one in the middle. The programs are those of the framework that this Python has: TensorFlow's, else PyTorch's.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from keeping import keep, kept, rows, setting

SAMPLED = """
import json, os

_sizes = []

def sample():
    with open("/proc/self/statm", encoding="ascii") as file:
        _sizes.append(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))

def run(step):
    for number in range({steps}):
        step()
        if (number + 1) % {every} == 0:
            sample()
    with open(os.environ["SIZES"], "w", encoding="ascii") as file:
        json.dump(_sizes, file)

"""

TENSORFLOW = """
import tensorflow as tf

w = tf.Variable(tf.random.normal((8, 8)))
lost = tf.Variable(1.0)
x = tf.random.normal((4, 8))

def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) - x)){more}
    gradient, _ = tape.gradient(loss, [w, {other}])
    w.assign_sub(0.01 * gradient)

run({step})
"""

TORCH = """
import torch

torch.set_num_threads(1)
w = torch.nn.Parameter(torch.randn(8, 8))
lost = torch.nn.Parameter(torch.ones(()))
optimizer = torch.optim.SGD([w{other}], lr=0.01)
x = torch.randn(4, 8)

def step():
    optimizer.zero_grad()
    (((torch.tanh(x @ w) - x) ** 2).mean(){more}).backward()
    optimizer.step()

run(step)
"""

WAYS = {"plain": [], "run": ["-m", "tensorwhy", "run"], "run --trace": ["-m", "tensorwhy", "run", "--trace", "trace"]}


def programs(steps: int, points: int) -> dict[str, str]:
    """The text of each program, by its name."""
    if importlib.util.find_spec("tensorflow") is None:
        texts = {
            "PyTorch": TORCH.format(other="", more=""),
            "PyTorch, one lost": TORCH.format(other=", lost", more=" + lost.detach()"),
        }
    else:
        texts = {
            "eager": TENSORFLOW.format(other="x", more="", step="step"),
            "eager, one lost": TENSORFLOW.format(other="lost", more=" + tf.stop_gradient(lost)", step="step"),
            "tf.function": TENSORFLOW.format(other="x", more="", step="tf.function(step)"),
        }
    head = SAMPLED.format(steps=steps, every=max(1, steps // points))
    return {name: head + text for name, text in texts.items()}


def sampled(text: str, way: list[str]) -> list[int]:
    """Bytes of resident memory of a program, at its points."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "program.py").write_text(text, encoding="utf-8")
        environment = {**os.environ, "SIZES": str(folder / "sizes"), "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [sys.executable, *way, "program.py"]
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return list(json.loads((folder / "sizes").read_text(encoding="ascii")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--points", type=int, default=10)
    parser.add_argument("--only", help="programs with this in their name")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    raw: dict[str, list[int]] = {}
    for name, text in programs(options.steps, options.points).items():
        for way, command in WAYS.items():
            if options.only is None or options.only in name:
                raw[f"{name}/{way}"] = sizes = sampled(text, command)
                print(name, way, *(f"{size / 2**20:.1f}" for size in sizes), sep="  ", flush=True)
    if options.keep:
        raw = kept("flat") | raw
    table = rows(
        ["program", "way", "MB at each point", "grown in the second half, MB"],
        (
            [
                *name.split("/"),
                " ".join(f"{size / 2**20:.0f}" for size in sizes),
                f"{(sizes[-1] - sizes[len(sizes) // 2]) / 2**20:.1f}",
            ]
            for name, sizes in raw.items()
        ),
    )
    text = f"{setting('tensorflow', 'torch')}; {options.steps} steps\n\n{table}\n"
    print(text)
    if options.keep:
        keep("flat", text, raw)


if __name__ == "__main__":
    main()
