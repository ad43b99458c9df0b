"""What large programs cost: the end of the run, and memory, where a program holds more than anyone writes by hand.

    python benchmarks/load.py [--scale 1.0] [--only NAME] [--formats terminal json html trace] [--show 20] [--keep]

Each program is generated, and runs once under plain Python and once under `tensorwhy run` for each format (`trace`:
with `--trace`), in processes of their own. The programs are those of the framework that this Python has: TensorFlow's,
else PyTorch's. The table has seconds of the processor and by the clock: of the whole process, and of what comes after
the program's last line, in which everything is explained; and the largest resident memory. A program that ends with
another exit code or output than under plain Python is told. `--keep` leaves the rows of other programs in the results
as they are.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from keeping import keep, kept, rows, setting

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

HEADER = """\
import tensorflow as tf

tf.random.set_seed(0)
"""

LAYERS = """
x = tf.random.normal((4, 8))


class Deep(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.all = [tf.keras.layers.Dense(8, activation="tanh") for _ in range({layers})]

    def call(self, value):
        for layer in self.all:
            value = value + layer(value)
        return value


model = Deep()
unused = tf.keras.layers.Dense(8)
unused.build((None, 8))
optimizer = tf.keras.optimizers.SGD(0.01)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    weights = model.trainable_variables + {extra}
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients((g, w) for g, w in zip(gradients, weights) if g is not None)
"""

VARIABLES = """
weights = [tf.Variable([1.0 + number], name=f"w{{number}}") for number in range({variables})]
for _ in range(3):
    with tf.GradientTape() as tape:
        used = [w * 2.0 for w in weights[: len(weights) - {lost}]]
        loss = tf.add_n(used)
    gradients = tape.gradient(loss, weights)
    for gradient, weight in zip(gradients, weights):
        if gradient is not None:
            weight.assign_sub(0.01 * gradient)
"""

GRAPH = """
w = tf.Variable(1.5)
lost = tf.Variable(2.0)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        value = x * w + {start}
        for number in range({operations} // 6):
            value = value + 0.0001 * tf.sin(value)
        loss = {end}
    return loss, tape.gradient(loss, [w, lost])


for _ in range(4):
    loss, gradients = step(tf.constant(0.5))
    for gradient, weight in zip(gradients, [w, lost]):
        if gradient is not None:
            weight.assign_sub(0.01 * gradient)
"""

EAGER = """
w = tf.Variable(1.5)
lost = tf.Variable(2.0)
x = tf.constant(0.5)
for _ in range(2):
    with tf.GradientTape() as tape:
        value = x * w + {start}
        for number in range({operations} // 3):
            value = value + 0.0001 * tf.sin(value)
        loss = {end}
    for gradient, weight in zip(tape.gradient(loss, [w, lost]), [w, lost]):
        if gradient is not None:
            weight.assign_sub(0.01 * gradient)
"""

THREADS = """
import threading

weights = [tf.Variable([1.0, 2.0]) for _ in range({threads})]
lost = tf.Variable([1.0, 2.0])
start = threading.Barrier({threads})


def work(weight):
    start.wait()
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weight * {factor})
        gradient, other = tape.gradient(loss, [weight, lost])
        weight.assign_sub(0.01 * gradient)
        if other is not None:
            lost.assign_sub(0.01 * other)


threads = [threading.Thread(target=work, args=(weight,)) for weight in weights]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

REST = """
w = tf.Variable(tf.random.normal((8, 8)))
x = tf.random.normal((4, 8))
for _ in range({steps}):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) - x))
    w.assign_sub(0.01 * tape.gradient(loss, w))
"""

QUESTIONS = """
w = tf.Variable(1.0)
lost = [tf.Variable(float(number)) for number in range(20)]
for number in range({steps}):
    with tf.GradientTape() as tape:
        loss = w * w + tf.stop_gradient(lost[number % 20])
    gradient, other = tape.gradient(loss, [w, lost[number % 20]])
    w.assign_sub(0.001 * gradient)
"""


FIT = """
import sys

import numpy as np

sys.setrecursionlimit(100_000)  # Keras walks through its layers by recursion
tf.keras.utils.set_random_seed(0)
layers = [tf.keras.layers.Dense(8, activation="tanh") for _ in range({layers})]
model = tf.keras.Sequential([tf.keras.Input((8,)), *layers, tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.01), "mse")
x = np.ones((16, 8), "float32")
print(model.fit(x, x[:, :1], batch_size=4, epochs=1, shuffle=False, verbose=0).history["loss"])
"""

TORCH = """\
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
"""

TORCH_LAYERS = """
model = nn.Sequential(*(module for _ in range({layers}) for module in (nn.Linear(8, 8), nn.Tanh())))
unused = nn.Linear(8, 8)
optimizer = torch.optim.SGD([*model.parameters(){extra}], lr=0.01)
x = torch.ones(4, 8)
for _ in range(3):
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""

TORCH_PARAMETERS = """
weights = [nn.Parameter(torch.tensor([1.0 + number])) for number in range({variables})]
optimizer = torch.optim.SGD(weights, lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    loss = torch.stack([each * 2.0 for each in weights[: len(weights) - {lost}]]).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""

TORCH_OPERATIONS = """
w = nn.Parameter(torch.tensor(1.5))
lost = nn.Parameter(torch.tensor(2.0))
optimizer = torch.optim.SGD([w, lost], lr=0.01)
for _ in range(2):
    optimizer.zero_grad()
    value = 0.5 * w + {start}
    for number in range({operations} // 3):
        value = value + 0.0001 * torch.sin(value)
    loss = value * value
    loss.backward()
    optimizer.step()
    print(loss.item())
"""

TORCH_THREADS = """
import threading

weights = [nn.Parameter(torch.tensor([1.0, 2.0])) for _ in range({threads})]
start = threading.Barrier({threads})


def work(weight):
    start.wait()
    for _ in range(10):
        (gradient,) = torch.autograd.grad((weight * weight).sum(), weight)
        with torch.no_grad():
            weight -= 0.01 * gradient


threads = [threading.Thread(target=work, args=(weight,)) for weight in weights]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(weight.sum().item() for weight in weights))
"""

TORCH_REST = """
w = nn.Parameter(torch.randn(8, 8))
optimizer = torch.optim.SGD([w], lr=0.01)
x = torch.randn(4, 8)
for _ in range({steps}):
    optimizer.zero_grad()
    ((torch.tanh(x @ w) - x) ** 2).mean().backward()
    optimizer.step()
print(w.sum().item())
"""


@dataclass(frozen=True)
class Size:
    layers: int = 2_000
    variables: int = 10_000
    operations: int = 200_000
    threads: int = 500
    steps: int = 200_000

    def scaled(self, by: float) -> Size:
        return Size(**{name: max(int(value * by), 4) for name, value in vars(self).items()})


def programs(size: Size) -> dict[str, str]:
    """The text of each program, by its name."""
    of = vars(size)
    if importlib.util.find_spec("tensorflow") is None:
        texts = {
            "PyTorch: layers": TORCH_LAYERS.format(extra="", **of),
            "PyTorch: layers, one unused": TORCH_LAYERS.format(extra=", *unused.parameters()", **of),
            "PyTorch: parameters": TORCH_PARAMETERS.format(lost=0, **of),
            "PyTorch: parameters, one lost": TORCH_PARAMETERS.format(lost=1, **of),
            "PyTorch: parameters, all but one lost": TORCH_PARAMETERS.format(lost=size.variables - 1, **of),
            "PyTorch: operations": TORCH_OPERATIONS.format(start="lost", **of),
            "PyTorch: operations, one lost": TORCH_OPERATIONS.format(start="lost.detach()", **of),
            "PyTorch: operations, NaN": TORCH_OPERATIONS.format(start="torch.sqrt(lost * 0.0)", **of),
            "PyTorch: threads": TORCH_THREADS.format(**of),
            "PyTorch: rest": TORCH_REST.format(**of),
        }
        return {name: TORCH + text for name, text in texts.items()}
    texts = {
        "fit": FIT.format(**of),
        "layers": LAYERS.format(extra="[]", **of),
        "layers, one lost": LAYERS.format(extra="unused.trainable_variables", **of),
        "variables": VARIABLES.format(lost=0, **of),
        "variables, one lost": VARIABLES.format(lost=1, **of),
        "variables, all but one lost": VARIABLES.format(lost=size.variables - 1, **of),
        "threads": THREADS.format(factor="weight * lost", **of),
        "threads, one lost": THREADS.format(factor="tf.stop_gradient(lost)", **of),
        "rest": REST.format(**of),
        "rest, one lost in each step": QUESTIONS.format(**of),
    }
    for name, program in (("graph", GRAPH), ("eager", EAGER)):
        texts |= {
            name: program.format(start="lost", end="value * value", **of),
            f"{name}, one lost": program.format(start="tf.stop_gradient(lost)", end="value * value", **of),
            f"{name}, lost at the end": program.format(start="lost", end="value * tf.round(value)", **of).replace(
                "value * tf.round(value)", "tf.round(value)"
            ),
            f"{name}, NaN": program.format(start="tf.sqrt(lost * 0.0)", end="value * value", **of),
            f"{name}, zero": program.format(start="lost", end="tf.nn.relu(-abs(value) - 1.0)", **of),
        }
    return {name: HEADER + text for name, text in texts.items()}


LAST = """
import time as _time
print("LAST LINE", _time.process_time(), _time.time(), flush=True)
"""


@dataclass(frozen=True)
class Run:
    """Seconds of the processor and by the clock, of all and of the end; bytes; what the program and the tool said."""

    seconds: float
    end: float
    clock: float
    clock_end: float
    memory: int
    report: str
    code: int
    output: str


def run(command: list[str], folder: Path, report: Path, limit: float) -> Run:
    """Run a program to its end, or until it took too long."""
    began = time.time()
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err)
        timer = threading.Timer(limit, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
    ended, spent = time.time(), used.ru_utime + used.ru_stime
    output, _, last = (folder / "out").read_text(errors="replace").partition("LAST LINE ")
    at, clock = map(float, last.split()) if last else (math.nan, math.nan)
    said = report.read_text(errors="replace") if report.exists() else ""
    code = os.waitstatus_to_exitcode(status)
    return Run(spent, spent - at, ended - began, ended - clock, used.ru_maxrss * 1024, said, code, output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", action="append", help="programs with this in their name")
    parser.add_argument("--formats", nargs="+", default=["terminal"])
    parser.add_argument("--show", type=int, default=0, help="print so many lines of each report")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds after which a program is ended")
    options = parser.parse_args()
    framework = "tensorflow" if importlib.util.find_spec("tensorflow") else "torch"
    raw: dict[str, list[float]] = {}
    for name, text in programs(Size().scaled(options.scale)).items():
        if options.only and not any(word in name for word in options.only):
            continue
        plain: Run | None = None
        for form in ("plain", *options.formats):
            with tempfile.TemporaryDirectory() as place:
                folder, report = Path(place), Path(place) / "report"
                (folder / "program.py").write_text(text + LAST, encoding="utf-8")
                took = run([sys.executable, *_tool(form, report), "program.py"], folder, report, options.limit)
            raw[f"{name}/{form}"] = [
                *(took.seconds, took.end, took.clock, took.clock_end, took.memory, len(took.report))
            ]
            print(name, form, *shown(raw[f"{name}/{form}"]), sep="  ", flush=True)
            plain = plain or took
            if (took.code, took.output) != (plain.code, plain.output):
                print(f"{name} differs with {form}: {took.code} {took.output!r} {plain.code} {plain.output!r}")
            print("\n".join(took.report.splitlines()[: options.show]))
    stem = {"tensorflow": "load", "torch": "load-torch"}[framework]
    if options.keep:
        raw = kept(stem) | raw
    columns = "program, format, seconds of the processor, of these at the end, by the clock, of these at the end, MB"
    table = rows(
        [*columns.split(", "), "characters of the report"],
        ((*name.split("/"), *shown(numbers)) for name, numbers in raw.items()),
    )
    text = f"{setting(framework)}; scale {options.scale}\n\n{table}\n"
    print(text)
    if options.keep:
        keep(stem, text, raw)


def _tool(form: str, report: Path) -> list[str]:
    """What stands before the program."""
    if form == "plain":
        return []
    written = ["--trace", "trace"] if form == "trace" else ["--format", form]
    return ["-m", "tensorwhy", "run", *written, "--output", str(report)]


def shown(numbers: list[float]) -> list[str]:
    """The cells of a row; seconds that are unknown, because the program was ended before its last line, are a dash."""
    *seconds, memory, characters = numbers
    cells = ["-" if math.isnan(each) else f"{each:.1f}" for each in seconds]
    return [*cells, f"{int(memory) >> 20}", f"{int(characters):,}"]


if __name__ == "__main__":
    main()
