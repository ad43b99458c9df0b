"""What full recording costs per step, beside TensorFlow's own debugging tools, and how many bytes an op takes.

    python benchmarks/recording.py [--rounds 40] [--peer-rounds 10] [--only WORDS ...] [--without VARIANT ...] [--keep]

Prints a table; `--keep` also writes it, and the raw numbers, to benchmarks/results/. `sampling` says what a round is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from keeping import keep, quartiles, setting, short_python
from sampling import CPU, Samples, Switch, alone, how_read, measure, middle, ratios, tables
from workloads import WORKLOADS

from tensorwhy.adapters.tensorflow.adapter import ADAPTER
from tensorwhy.recording import hot_path
from tensorwhy.recording.locations import UserCode


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


DEBUGGER = "Debugger V2 NO_TENSOR"
VARIANTS: dict[str, Callable[[], Switch]] = {
    "off": lambda: alone,
    "control": lambda: alone,
    "tensorwhy": recorder,
    "tensorwhy, pure Python": lambda: recorder(pure=True),
    DEBUGGER: lambda: debugger,
    "check_numerics": lambda: check_numerics,
}
PEERS = {DEBUGGER, "check_numerics"}


def sampled(workload: str, rounds: int, peer_rounds: int) -> Samples:
    # A traced function keeps the hooks that it was traced with: each variant has a step of its own.
    steps = {variant: WORKLOADS[workload]() for variant in VARIANTS}
    steps["control"] = steps["off"]
    return measure(steps, {name: switch() for name, switch in VARIANTS.items()}, rounds, PEERS, peer_rounds)


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


def times_less(raw: dict[str, Samples]) -> dict[str, str]:
    """How much more the debugger adds to a step; nothing where ours is no more than the control's spread."""
    found = {}
    for workload, samples in raw.items():
        ours, theirs = middle(samples, "tensorwhy") - 1, middle(samples, DEBUGGER) - 1
        low, _, high = quartiles(ratios(samples, "control", CPU))
        found[workload] = f"{theirs / ours:.0f}" if ours > (high - low) / 2 else ""
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--peer-rounds", type=int, default=10, help="of them with TensorFlow's own tools")
    parser.add_argument("--only", action="append", default=[], help="workloads with these words in their names")
    parser.add_argument("--without", action="append", default=[], choices=[*VARIANTS][2:])
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    for variant in options.without:
        del VARIANTS[variant]
    raw = {}
    for workload in (name for name in WORKLOADS if any(words in name for words in options.only or [""])):
        raw[workload] = sampled(workload, options.rounds, options.peer_rounds)
        print(workload, {name: round(middle(raw[workload], name), 3) for name in VARIANTS}, flush=True)
    sizes = {workload: f"{bytes_per_op(workload):.0f}" for workload in raw}
    compiled = "compiled" if hot_path.is_compiled() else "not compiled"
    more = {"bytes an op": sizes}
    if DEBUGGER in VARIANTS:
        more = {"Debugger V2's overhead in CPU time / tensorwhy's": times_less(raw), **more}
    text = f"Recording. {setting('tensorflow')}, hot path {compiled}, {how_read(raw, PEERS)}\n\n{tables(raw, more)}"
    print(f"\n{text}")
    if options.keep:
        keep(f"recording-{short_python()}-tf{tf.__version__}", text, raw)


if __name__ == "__main__":
    main()
