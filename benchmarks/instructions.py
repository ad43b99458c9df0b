"""Instructions of a step, by valgrind: unrecorded, while everything is recorded, and while `--record auto` rests.

    python benchmarks/instructions.py [--only WORDS] [--keep]

For what a clock cannot tell from its own noise: a count differs by a thousandth from one run to the next, on a busy
machine as on an idle one. Each count is that of the main thread, in a process of its own under callgrind, with one
thread in TensorFlow's pools; `unrecorded again` is the control. Needs valgrind with its headers (`valgrind` in Debian)
and a C compiler. An instruction is not a nanosecond: the table is about ratios, and about where a cost is.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from keeping import keep, rows, setting

STEPS = {
    "MLP + Adam, tf.function, calls 11 to 60": ("MLP + Adam, tf.function", 10, 50),
    "MLP + Adam, tf.function, calls 141 to 240": ("MLP + Adam, tf.function", 140, 100),
    "MLP + Adam, tf.function, calls 501 to 600": ("MLP + Adam, tf.function", 500, 100),
    "MLP + Adam, tf.function, calls 11 to 1,010": ("MLP + Adam, tf.function", 10, 1000),
    "two of those in turn, calls 501 to 550 of each": ("two MLPs in turn, tf.function", 500, 50),
    "CNN + Adam, tf.function, calls 501 to 520": ("CNN + Adam, tf.function", 500, 20),
    "MLP, model.fit of 20 batches": ("MLP, model.fit of 20 batches", 8, 2),
    "MLP, model.fit of 100 batches": ("MLP, model.fit of 100 batches", 8, 2),
    "MLP + Adam, eager": ("MLP + Adam, eager", 40, 20),
    "micro loop of tiny ops": ("micro loop of tiny ops", 40, 20),
}
"""Workload, so many steps before, and so many that are counted.

After 40 eager steps recording rests. Calls of a traced function are kept for experiments 128 times, and in each of the
first 64 the values are looked at that its trace has read.
"""
SCRIPTS = {"eager script of 1,000 steps": ("custom loop", 1000)}
"""Scripts of whole.py, counted as they are timed there: from attaching the tool, once it is loaded, to its report."""
MODES = ["unrecorded", "full", "auto", "unrecorded again"]
REQUESTS = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_TOGGLE_COLLECT; }
void end(void) { CALLGRIND_TOGGLE_COLLECT; CALLGRIND_DUMP_STATS; CALLGRIND_STOP_INSTRUMENTATION; }
"""


def counted(label: str, mode: str, library: str) -> None:
    """The child: run the workload, and count its last steps; or a whole script."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import gc

    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    import whole
    from workloads import WORKLOADS

    from tensorwhy.pipeline import Observation

    tf.keras.utils.set_random_seed(0)  # else a gradient of zero, which is looked at, comes by chance
    requests = ctypes.CDLL(library)
    recorded = mode in ("full", "auto")
    if label in SCRIPTS:
        script, steps = SCRIPTS[label]
        whole.load()
        gc.disable()
        requests.begin()
        if recorded:
            whole.auto(whole.SCRIPTS[script], steps, mode)
        else:
            whole.alone(whole.SCRIPTS[script], steps)
        requests.end()
        os._exit(0)
    if recorded:
        Observation(record=mode, keep_steps=1000, experiments=True).start()
    workload, before, steps = STEPS[label]
    step: Callable[[], object] = WORKLOADS[workload]()
    for number in range(before + steps):  # one loop: a step at another line is a new place to record
        if number == before:
            gc.collect()
            gc.disable()  # a collection falls into one run or another by chance
            requests.begin()
        step()
    requests.end()
    os._exit(0)


def count(label: str, mode: str, library: str, annotate: str = "") -> float:
    """Instructions of one step."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
             f"--callgrind-out-file={folder}/out", sys.executable, __file__, "--child", label, mode, library],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        totals = [
            int(found[1])
            for file in Path(folder).iterdir()
            for found in [re.search(r"^totals: (\d+)", file.read_text(), re.M)]
            if found
        ]
        if annotate:
            shutil.copytree(folder, annotate, dirs_exist_ok=True)
    return max(totals) / (SCRIPTS[label][1] if label in SCRIPTS else STEPS[label][2])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=MODES)
    parser.add_argument("--annotate", default="", help="keep callgrind's files in this folder, for callgrind_annotate")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return counted(*options.child)
    compiler = shutil.which("cc")
    if not shutil.which("valgrind") or not compiler:
        print("instructions.py needs valgrind, its headers and a C compiler on PATH: nothing is counted")
        return None
    raw: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "requests.c"), str(Path(folder, "requests.so"))
        source.write_text(REQUESTS, encoding="utf-8")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, str(source)], check=True)
        for label in (*STEPS, *SCRIPTS):
            if options.only in label:
                raw[label] = {mode: count(label, mode, library, options.annotate) for mode in options.modes}
                print(label, {mode: f"{value:,.0f}" for mode, value in raw[label].items()}, flush=True)
    text = (
        "Instructions of a step, in thousands, and the ratio to those without recording; one thread in TensorFlow, "
        f"counted by callgrind. {setting('tensorflow')}\n\n"
    )
    cells = [
        [label, *(f"{count / 1e3:,.0f} ({count / counts[options.modes[0]]:.3f})" for count in counts.values())]
        for label, counts in raw.items()
    ]
    text += rows(["step", *options.modes], cells) + "\n"
    print(f"\n{text}")
    if options.keep:
        keep("instructions", text, raw)
    return None


if __name__ == "__main__":
    main()
