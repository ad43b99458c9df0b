"""What is added to a failure that nobody caught: how long it takes to explain, the first time in a process and later.

    python benchmarks/failures.py [--rounds 8] [--later 6] [--only WORDS] [--keep]

Each failure happens in processes of its own, half of them without tensorwhy. There, what TensorFlow and Python take for
it is the peer: to raise it, with TensorFlow's own message, and to write the traceback. `on top` is what a process with
tensorwhy takes longer for the same, with the explanation in the terminal's format; the control is a process without it
against the one of the next round. `explaining` is the explanation alone: from the written traceback to its last letter.
Main-thread CPU time, in milliseconds; starting Python and TensorFlow, and attaching, are not in it.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from keeping import keep, rows, setting, shown


def leaked_tensor() -> None:
    import tensorflow as tf

    kept = []

    @tf.function
    def step(x: Any) -> Any:
        kept.append(x * 2.0)
        return x

    step(tf.constant(1.0))
    tf.add(kept[0], 1.0)


def growing_loop_variable() -> None:
    import tensorflow as tf

    @tf.function
    def step(x: Any) -> Any:
        return tf.while_loop(lambda y: True, lambda y: (tf.concat([y, y], 0),), (x,))

    step(tf.zeros([2]))


def numpy_in_a_graph() -> None:
    import numpy as np
    import tensorflow as tf

    tf.function(lambda x: np.sin(x))(tf.constant([1.0]))


def none_in_arithmetic() -> None:
    import tensorflow as tf

    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        y = tf.square(x)
    print(tape.gradient(y, x) * 2.0)


FAILURES: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (leaked_tensor, growing_loop_variable, numpy_in_a_graph, none_in_arithmetic)
}


def once(failure: Callable[[], None], observed: bool) -> dict[str, float]:
    """One failure in this process, with its traceback, and with its explanation where it is observed."""
    if observed:
        from tensorwhy.pipeline import Observation

        observation = Observation(record="auto", experiments=True)
        observation.start()
    began = time.thread_time()
    try:
        failure()
    except Exception as error:
        raised = time.thread_time()
        if observed:
            observation.failed(error)  # in front of the traceback, from which it takes its own frames
        looked = time.thread_time()
        written = "".join(traceback.format_exception(error))
        assert written
    told = time.thread_time()
    times = {"raising": raised - began, "traceback": told - looked}
    if observed:
        from tensorwhy import rendering

        report = observation.finish(1)
        text = rendering.renderer("terminal")(report, rendering.Options())
        assert report.diagnoses and report.diagnoses[0].code in text, failure.__name__
        times["explaining"] = time.thread_time() - told + looked - raised
    return {name: seconds * 1e3 for name, seconds in times.items()}


def child(name: str, observed: bool, later: int) -> None:
    """What a process of its own does: import TensorFlow, fail, and fail again."""
    import tensorflow as tf

    tf.constant(1.0)  # the devices are looked for once, whatever comes first
    gc.collect()  # one of all that TensorFlow left is due soon, takes 0.2 s, and would fall on one side by chance
    print(json.dumps([once(FAILURES[name], observed) for _ in range(1 + later)]))


def run(name: str, observed: bool, later: int) -> list[dict[str, float]]:
    command = [sys.executable, __file__, "--child", name, "--later", str(later)] + ["--observed"] * observed
    # As an installed package is: with its bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--later", type=int, default=6, help="further failures in each process")
    parser.add_argument("--only", default="", help="failures with these letters in their names")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--child", choices=FAILURES, help=argparse.SUPPRESS)
    parser.add_argument("--observed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.observed, options.later)
        return
    names = [name for name in FAILURES if options.only in name]
    raw: dict[str, dict[str, list[list[dict[str, float]]]]] = {name: {"alone": [], "observed": []} for name in names}
    each = [(name, observed) for name in names for observed in (False, True)]
    run(names[0], True, 0)  # leaves the bytecode
    for _ in range(options.rounds):
        random.shuffle(each)
        for name, observed in each:
            raw[name]["observed" if observed else "alone"].append(run(name, observed, options.later))
    lines = []
    for name, ways in raw.items():
        plain = [sum(process[0].values()) for process in ways["alone"]]
        whole = [sum(process[0].values()) for process in ways["observed"]]
        later = [
            statistics.median(one["explaining"] for one in process[1:]) for process in ways["observed"] if process[1:]
        ]
        cells = [
            shown([process[0]["raising"] for process in ways["alone"]], ".1f"),
            shown([process[0]["traceback"] for process in ways["alone"]], ".1f"),
            shown([b - a for a, b in itertools.pairwise(plain)] or [0.0], ".1f"),
            shown([a - b for a, b in zip(whole, plain)], ".1f"),
            shown([process[0]["explaining"] for process in ways["observed"]], ".1f"),
            shown(later, ".1f") if later else "",
        ]
        lines.append([name.replace("_", " "), *cells])
    columns = ["failure, the first of its process", "raising, ms", "traceback, ms", "control, ms more"]
    columns += ["on top, ms", "explaining, ms", "explaining the next ones, ms"]
    text = (
        f"Failures that nobody caught. {setting('tensorflow')}, {options.rounds} rounds; main-thread CPU time, median "
        f"(quartiles).\n\n{rows(columns, lines)}\n"
    )
    print(text)
    if options.keep:
        keep("failures", text, raw)


if __name__ == "__main__":
    main()
