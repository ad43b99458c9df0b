"""How long the tool holds up single steps of a training, whatever is lost in them.

    python benchmarks/pauses.py [--only WORD ...] [--variables 2000 10000] [--rounds 3] [--steps 12] [--keep]

Each program times its own steps, by the processor time of the training's thread and by the clock. A round runs it
under plain Python, `tensorwhy run`, and `tensorwhy run --trace DIR`, in processes of their own. The pause of a step is
what it took beyond the median of the same step under plain Python. The table has the pause of the first step, and the
longest and the median of the others, each the median of the rounds, in milliseconds; `control` is plain Python's own
longest step beyond that median. A collection of garbage may start in any step, so programs switch it off.

TensorFlow's programs need `.venv`, PyTorch's `.venv-torch`: those whose framework is not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from keeping import keep, kept, rows, setting

CLOCK = """
import gc, json, os, time
gc.disable()
_taken, _last = [], None

def tick():
    global _last
    now = (time.thread_time(), time.perf_counter())
    if _last is not None:
        _taken.append([now[0] - _last[0], now[1] - _last[1]])
    _last = now

"""

TOLD = """
_file = os.open(os.environ["PAUSES"], os.O_WRONLY | os.O_CREAT)
os.write(_file, json.dumps(_taken).encode())
os.close(_file)
"""

TF_HEAD = """
import tensorflow as tf

tf.random.set_seed(0)
weights = [tf.Variable([1.0 + n / {count}, 2.0], name=f"w{{n}}") for n in range({count})]
third = {count} // 3
optimizer = tf.keras.optimizers.SGD(0.001)
"""

TF_LOSSES = {
    "healthy": "tf.add_n([tf.reduce_sum(w * w) for w in weights])",
    "lost": """tf.add_n(
            [tf.reduce_sum(w * w) for w in weights[:third]]
            + [tf.reduce_sum(tf.round(w) * 2.0) for w in weights[third : 2 * third]]
            + [tf.reduce_sum(tf.stop_gradient(w) * 2.0) for w in weights[2 * third : -9]])""",
    "zero": "tf.add_n([tf.reduce_sum(tf.nn.relu(-tf.abs(w) - 1.0)) for w in weights])",
    "NaN": "tf.add_n([tf.reduce_sum(tf.sqrt(w * 0.0) * w) for w in weights])",
}

TF_EAGER = """
def step():
    with tf.GradientTape() as tape:
        loss = {loss}
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients((g, w) for g, w in zip(gradients, weights) if g is not None)

"""

LOOP = """
tick()
for _ in range({steps}):
    step()
    tick()
"""

TF_SITES = """
def step():
    with tf.GradientTape(persistent=True) as tape:
        total = tf.add_n([tf.reduce_sum(w * w) for w in weights])
        losses = [total * 1.0 for _ in range(12)]
        others = [tf.reduce_sum(tf.round(w)) for w in weights[:12]]
{sites}
    optimizer.apply_gradients(zip(gradients, weights))

"""

TF_FIT = """
class Many(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.all = weights

    def call(self, x):
        return x * {loss}

class Ticks(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        tick()

    def on_train_batch_end(self, batch, logs=None):
        tick()

model = Many()
model.compile(optimizer, lambda y, p: tf.reduce_mean(p - y), run_eagerly={eager})
x = tf.ones(({steps}, 1))
model.fit(x, x, batch_size=1, verbose=0, callbacks=[Ticks()])
"""

TORCH_HEAD = """
import torch

torch.manual_seed(0)
torch.set_num_threads(1)
weights = [torch.nn.Parameter(torch.tensor([1.0 + n / {count}, 2.0])) for n in range({count})]
third = {count} // 3
optimizer = torch.optim.SGD(weights, 0.001)
"""

TORCH_LOSSES = {
    "healthy": "torch.stack([(w * w).sum() for w in weights]).sum()",
    "lost": """torch.stack(
        [(w * w).sum() for w in weights[:third]]
        + [(w.detach() * 2.0).sum() for w in weights[third : 2 * third]]
        + [torch.tensor(w.tolist()).sum() for w in weights[2 * third : -9]]).sum()""",
    "zero": "torch.stack([torch.relu(-w.abs() - 1.0).sum() for w in weights]).sum()",
    "NaN": "torch.stack([((w * 0.0).sqrt() * w).sum() for w in weights]).sum()",
    "NaN later": "torch.stack([((w * (step.number != 5)).sqrt() * w).sum() for w in weights]).sum()",
}

TORCH_EAGER = """
def step():
    step.number += 1
    optimizer.zero_grad()
    loss = {loss}
    loss.backward()
    optimizer.step()

step.number = 0
"""


def programs(counts: list[int], steps: int) -> dict[str, tuple[str, str]]:
    """The framework and the text of each program, by its name."""
    texts: dict[str, tuple[str, str]] = {}
    for count in counts:
        head, loop = TF_HEAD.format(count=count), LOOP.format(steps=steps)
        for state, loss in TF_LOSSES.items():
            step = TF_EAGER.format(loss=loss)
            texts[f"eager, {count} variables, {state}"] = "tensorflow", head + step + loop
            traced = step.replace("def step", "@tf.function\ndef step")
            texts[f"tf.function, {count} variables, {state}"] = "tensorflow", head + traced + loop
            for eager, name in ((False, "fit"), (True, "fit, eager")):
                fit = TF_FIT.format(loss=loss.replace("weights", "self.all"), steps=steps, eager=eager)
                texts[f"{name}, {count} variables, {state}"] = "tensorflow", head + fit
        torch_head = TORCH_HEAD.format(count=count)
        for state, loss in TORCH_LOSSES.items():
            texts[f"PyTorch, {count} parameters, {state}"] = "torch", torch_head + TORCH_EAGER.format(loss=loss) + loop
    lines = [f"    lost{n} = tape.gradient(others[{n}], weights[{n}])" for n in range(12)]
    lines.append("    gradients = tape.gradient(total, weights)")
    sites = TF_SITES.format(sites="\n".join(lines))
    texts["eager, 20 variables, 12 lost sites"] = "tensorflow", TF_HEAD.format(count=20) + sites + loop
    return {name: (framework, CLOCK + text + TOLD) for name, (framework, text) in texts.items()}


def taken(text: str, tool: list[str]) -> list[list[float]]:
    """Processor and wall seconds of each step of a program."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "program.py").write_text(text, encoding="utf-8")
        command = [sys.executable, *(part.replace("DIR", str(folder / "trace")) for part in tool), "program.py"]
        environment = {**os.environ, "PAUSES": str(folder / "steps"), "TF_CPP_MIN_LOG_LEVEL": "3"}
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return list(json.loads((folder / "steps").read_text(encoding="utf-8")))


WAYS = {"plain": [], "run": ["-m", "tensorwhy", "run"], "trace": ["-m", "tensorwhy", "run", "--trace", "DIR"]}


def shown(runs: dict[str, list[list[list[float]]]], way: str) -> list[str]:
    """The cells of a way: milliseconds of the processor, and of the clock, beyond the median of the same plain step."""
    cells = []
    for clock in (0, 1):
        plain = [statistics.median(step[clock] for step in same) for same in zip(*runs["plain"])]
        beyond = [[(step[clock] - own) * 1e3 for step, own in zip(steps, plain)] for steps in runs[way]]
        first = statistics.median(pauses[0] for pauses in beyond)
        most = statistics.median(max(pauses[1:]) for pauses in beyond)
        usual = statistics.median(statistics.median(pauses[1:]) for pauses in beyond)
        cells.append(f"{first:.0f} / {most:.0f} / {usual:.0f}")
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", help="programs with all of these words in their name")
    parser.add_argument("--variables", nargs="+", type=int, default=[2_000, 10_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--ways", nargs="+", default=["run", "trace"])
    parser.add_argument("--each", action="store_true", help="print the pause of every step")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    raw: dict[str, dict[str, list[list[list[float]]]]] = {}
    for name, (framework, text) in programs(options.variables, options.steps).items():
        if importlib.util.find_spec(framework) is None:
            continue
        if options.only and not all(word in name for word in options.only):
            continue
        runs: dict[str, list[list[list[float]]]] = {way: [] for way in ("plain", *options.ways)}
        for _ in range(options.rounds):
            for way, steps in runs.items():
                steps.append(taken(text, WAYS[way]))
        raw[name] = runs
        print(name, *(f"{way}: " + ", by the clock ".join(shown(runs, way)) for way in runs), sep="\n    ", flush=True)
        if options.each:
            plain = [statistics.median(step[0] for step in same) for same in zip(*runs["plain"])]
            print("    plain", " ".join(f"{own * 1e3:.0f}" for own in plain))
            for way in options.ways:
                for steps in runs[way]:
                    print("   ", way, " ".join(f"{(step[0] - own) * 1e3:.0f}" for step, own in zip(steps, plain)))
    if options.keep:
        raw = kept("pauses") | raw
    table = rows(
        ["program", "ms a step", "way", "first / longest / median, processor", "by the clock"],
        (
            [
                name,
                f"{statistics.median(s[0] for steps in runs['plain'] for s in steps) * 1e3:.0f}",
                shown_way,
                *shown(runs, way),
            ]
            for name, runs in raw.items()
            for way, shown_way in (("plain", "control"), ("run", "run"), ("trace", "run --trace"))
            if way in runs
        ),
    )
    text = f"{setting('tensorflow', 'torch')}; {options.rounds} rounds of {options.steps} steps\n\n{table}\n"
    print(text)
    if options.keep:
        keep("pauses", text, raw)


if __name__ == "__main__":
    main()
