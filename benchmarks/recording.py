"""What full recording costs per step, beside TensorFlow's own debugging tools, and how many bytes an op takes.

    python benchmarks/recording.py [--rounds 40] [--only WORDS] [--without VARIANT ...] [--keep]

Prints a table; `--keep` also writes it, and the raw numbers, to benchmarks/results/. A sample is one step, so that the
samples of one round are close in time: on a machine that does other things as well, their ratio holds best. Of short
steps it is as many as take ten milliseconds, because Python runs slower right after hooks were put in.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from workloads import WORKLOADS, Step

from tensorwhy.adapters.tensorflow.adapter import ADAPTER
from tensorwhy.adapters.tensorflow.hooks import fast_path
from tensorwhy.recording.locations import UserCode

RESULTS = Path(__file__).parent / "results"


Switch = Callable[[], contextlib.AbstractContextManager[None]]
SETTLING = 12
"""Steps before the first sample: the first steps of a call site are looked at more closely than later ones."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    yield


def recorder(pure: bool = False) -> Switch:
    """A recording that is switched on for each sample, and goes on where it was."""
    if pure:
        os.environ["TENSORWHY_PURE"] = "1"
    session = ADAPTER.attach(UserCode(), "full")
    os.environ.pop("TENSORWHY_PURE", None)
    session.pause()

    @contextlib.contextmanager
    def recorded() -> Iterator[None]:
        session.resume()
        try:
            yield
        finally:
            session.pause()

    return recorded


@contextlib.contextmanager
def debugger() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        tf.debugging.experimental.enable_dump_debug_info(folder, "NO_TENSOR")
        try:
            yield
        finally:
            tf.debugging.experimental.disable_dump_debug_info()


@contextlib.contextmanager
def check_numerics() -> Iterator[None]:
    tf.debugging.enable_check_numerics()
    try:
        yield
    finally:
        tf.debugging.disable_check_numerics()


VARIANTS: dict[str, Callable[[], Switch]] = {
    "off": lambda: alone,
    "control": lambda: alone,
    "tensorwhy": recorder,
    "tensorwhy, pure Python": lambda: recorder(pure=True),
    "Debugger V2 NO_TENSOR": lambda: debugger,
    "check_numerics": lambda: check_numerics,
}


LEAST = 0.01
"""Seconds of main-thread CPU time that a sample takes, at least."""


def sample(switch: Switch, step: Step, count: int) -> tuple[float, float]:
    """Wall and main-thread CPU seconds of one step, the mean of `count`, after as many that are not counted."""
    with switch():
        for _ in range(count):
            step()
        gc.collect()
        wall, cpu = time.perf_counter(), time.thread_time()
        for _ in range(count):
            step()
        return (time.perf_counter() - wall) / count, (time.thread_time() - cpu) / count


def in_a_sample(step: Step) -> int:
    """So many steps are one sample."""
    began = time.thread_time()
    for _ in range(SETTLING):
        step()
    return max(1, round(LEAST * SETTLING / (time.thread_time() - began)))


def measure(workload: str, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """The samples of every variant, in the order of the rounds."""
    make = WORKLOADS[workload]
    # A traced function keeps the hooks that it was traced with: each variant has a step of its own.
    made = {variant: make() for variant in VARIANTS}
    made["control"] = made["off"]
    switches = {variant: switch() for variant, switch in VARIANTS.items()}
    for variant, switch in switches.items():
        with switch():
            for _ in range(SETTLING):
                made[variant]()
    count = in_a_sample(made["off"])
    gc.collect()
    gc.freeze()  # what TensorFlow left is not looked at before each sample
    samples: dict[str, list[tuple[float, float]]] = {variant: [] for variant in VARIANTS}
    order = list(VARIANTS)
    for _ in range(rounds):
        random.shuffle(order)
        for variant in order:
            samples[variant].append(sample(switches[variant], made[variant], count))
    return samples


def ratios(samples: dict[str, list[tuple[float, float]]], variant: str, clock: int) -> tuple[float, float, float]:
    """Lower quartile, median and upper quartile of the ratio to the unrecorded work of the same round."""
    each = [one[clock] / off[clock] for one, off in zip(samples[variant], samples["off"])]
    low, median, high = statistics.quantiles(each, n=4)
    return low, median, high


def fastest(samples: list[tuple[float, float]], clock: int) -> float:
    """What a tenth of the samples stays below: nearly what it takes when nothing else disturbs."""
    return statistics.quantiles([one[clock] for one in samples], n=10)[0]


def bytes_per_op(workload: str) -> float:
    """Size of the journal after one step, per recorded op."""
    step = WORKLOADS[workload]()
    step()
    session = ADAPTER.attach(UserCode(), "full")
    try:
        step()
    finally:
        session.close()
    rows = session.journal.rows
    return len(rows) * rows.itemsize / max(session.coverage().recorded_ops, 1)


def table(raw: dict[str, dict[str, list[tuple[float, float]]]], sizes: dict[str, float]) -> str:
    """All ratios, as Markdown: main-thread CPU time, then wall time."""
    rounds = min(len(samples["off"]) for samples in raw.values())
    compiled = "compiled" if fast_path.is_compiled() else "not compiled"
    lines = [
        f"Python {platform.python_version()}, TensorFlow {tf.__version__}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[1]:.1f}, at least {rounds} rounds, hot path {compiled}; ratios to the same step without "
        "recording, median (lower to upper quartile) of pairs; in brackets the ratio of the fastest tenths.",
    ]
    for clock, title in ((1, "main-thread CPU time"), (0, "wall time")):
        names = [variant for variant in VARIANTS if variant != "off"]
        lines += ["", f"| {title} | ms a step | " + " | ".join(names) + " | bytes an op |"]
        lines.append("| --- |" + " --- |" * (len(names) + 2))
        for workload, samples in raw.items():
            own = statistics.median(one[clock] for one in samples["off"]) * 1e3
            cells = [
                "{1:.2f} ({0:.2f} to {2:.2f})".format(*ratios(samples, name, clock))
                + f" [{fastest(samples[name], clock) / fastest(samples['off'], clock):.2f}]"
                for name in names
            ]
            lines.append(f"| {workload} | {own:.1f} | " + " | ".join(cells) + f" | {sizes[workload]:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", action="append", default=[], choices=[*VARIANTS][2:])
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    for variant in options.without:
        del VARIANTS[variant]
    chosen = [name for name in WORKLOADS if options.only in name]
    raw = {}
    for workload in chosen:
        raw[workload] = measure(workload, options.rounds)
        print(workload, {v: round(ratios(raw[workload], v, 1)[1], 3) for v in VARIANTS}, flush=True)
    text = table(raw, {workload: bytes_per_op(workload) for workload in chosen})
    print(f"\n{text}")
    if options.keep:
        stem = (
            f"recording-py{platform.python_version_tuple()[0]}{platform.python_version_tuple()[1]}-tf{tf.__version__}"
        )
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{stem}.md").write_text(text, encoding="utf-8")
        (RESULTS / f"{stem}.json").write_text(json.dumps(raw), encoding="utf-8")


if __name__ == "__main__":
    main()
