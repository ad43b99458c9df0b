"""What PyTorch's own means to watch every operation cost per step: peers of `recording.py`, in another framework.

    python benchmarks/torch_recording.py [--rounds 40] [--lens-rounds 10] [--steps 1000] [--only WORDS] [--keep]
    python benchmarks/torch_recording.py --rounds 0 [--trainings 40] [--steps 1000] [--keep]

Runs in an environment of its own (`make bench` makes .venv-torch). Ratios are to the same step in PyTorch, so that they
compare with those of `recording.py`; the milliseconds do not. What tensorwhy costs is measured over whole trainings of
`--steps` steps, from the first one on: it records the first steps of an optimizer, then rests, unless all is asked for.
With `--rounds 0` this alone is measured, and kept in a file of its own.
`TorchDispatchMode` counts the operations and keeps nothing, which is the least that a recorder on top of it costs;
`detect_anomaly` keeps the stack of each. TorchLens (https://github.com/johnmarktaylor91/torchlens) logs one forward
pass, so it stands beside a plain one: `trace` with what it does unless told otherwise, and without activations.

PyTorch gets one thread here. With two, the main one spins while it waits, which its CPU time cannot tell from work.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import importlib.util
import os
import random
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

from keeping import keep, setting, short_python

if not importlib.util.find_spec("torch"):
    print("torch is not installed here: PyTorch's tools are not measured (pip install torch torchlens)")
    sys.exit(0)

import torch
from sampling import Samples, Switch, alone, how_read, measure, middle, tables
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch_workloads import MODELS, WORKLOADS

import tensorwhy

LENS = importlib.util.find_spec("torchlens") is not None


class Counting(TorchDispatchMode):
    """Sees every operation of the backward pass and of the optimizer, too."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen += 1
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def unwrapped_afterwards() -> Iterator[None]:
    """TorchLens leaves PyTorch's functions wrapped: what runs next would pay for it."""
    import torchlens
    from torchlens.options import CaptureOptions

    try:
        yield
    finally:
        torchlens.trace(torch.nn.Identity(), torch.ones(1), capture=CaptureOptions(unwrap_when_done=True))


SWITCHES: dict[str, Switch] = {
    "off": alone,
    "control": alone,
    "TorchDispatchMode, counting": Counting,
    "detect_anomaly": lambda: torch.autograd.detect_anomaly(check_nan=False),
    "detect_anomaly, looking for NaN": torch.autograd.detect_anomaly,
}


def stepped(workload: str, rounds: int) -> Samples:
    step = WORKLOADS[workload]()
    return measure(dict.fromkeys(SWITCHES, step), SWITCHES, rounds, set(), rounds)


FORWARD: dict[str, Switch] = {
    "off": alone,
    "control": alone,
    "TorchDispatchMode, counting": Counting,
    "TorchLens": unwrapped_afterwards,
    "TorchLens, nothing saved": unwrapped_afterwards,
}
LENSES = {"TorchLens", "TorchLens, nothing saved"}


def forward(name: str, rounds: int, lens_rounds: int) -> Samples:
    import torchlens

    make, shape = MODELS[name]
    model, x = make(), torch.randn(shape)
    plain = functools.partial(model, x)
    steps = dict.fromkeys(FORWARD, plain)
    steps["TorchLens"] = lambda: torchlens.trace(model, x)
    nothing = torchlens.options.CaptureOptions(layers_to_save="none")
    steps["TorchLens, nothing saved"] = lambda: torchlens.trace(model, x, capture=nothing)
    return measure(steps, FORWARD, rounds, LENSES, lens_rounds)


class Empty(TorchFunctionMode):
    """Sees every public function, and does nothing: what a mode in Python costs at least, also in the optimizer."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **kwargs) if kwargs else func(*args)


@contextlib.contextmanager
def in_python() -> Iterator[None]:
    """Record everything without the compiled mode."""
    os.environ["TENSORWHY_PURE"] = "1"
    try:
        with tensorwhy.record("full", show=False):
            yield
    finally:
        del os.environ["TENSORWHY_PURE"]


TRAININGS: dict[str, Switch] = {
    "off": alone,
    "control": alone,
    "empty function mode": Empty,
    "tensorwhy": lambda: tensorwhy.record(show=False),
    "tensorwhy, everything": lambda: tensorwhy.record("full", show=False),
    "the same in pure Python": in_python,
}


def trained(workload: str, steps: int, rounds: int) -> Samples:
    """Seconds a step, of trainings that begin anew: each makes its model and its optimizer."""
    found: Samples = {name: [] for name in TRAININGS}
    for _ in range(rounds):
        for name in random.sample(list(TRAININGS), len(TRAININGS)):
            gc.collect()
            with TRAININGS[name]():
                began = time.perf_counter(), time.thread_time()
                step = WORKLOADS[workload]()
                for _ in range(steps):
                    step()
                wall, cpu = time.perf_counter() - began[0], time.thread_time() - began[1]
            found[name].append((wall / steps, cpu / steps))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--lens-rounds", type=int, default=10, help="of them with TorchLens")
    parser.add_argument("--steps", type=int, default=1000, help="of a training under tensorwhy; 0 leaves these out")
    parser.add_argument("--trainings", type=int, default=5, help="of each kind")
    parser.add_argument("--only", default="", help="workloads with one of these, separated by commas, in their names")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()

    def wanted(name: str) -> bool:
        return any(words in name for words in options.only.split(","))

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # that anomaly detection is slow is what is measured
    steps: dict[str, Samples] = {}
    for workload in (name for name in WORKLOADS if options.rounds and wanted(name)):
        steps[workload] = stepped(workload, options.rounds)
        print(workload, {name: round(middle(steps[workload], name), 3) for name in SWITCHES}, flush=True)
    passes: dict[str, Samples] = {}
    for name in (name for name in MODELS if LENS and options.rounds and wanted(name)):
        passes[f"{name}, one forward pass"] = samples = forward(name, options.rounds, options.lens_rounds)
        print(name, {variant: round(middle(samples, variant), 3) for variant in FORWARD}, flush=True)
    whole: dict[str, Samples] = {}
    for workload in (name for name in WORKLOADS if options.steps and "Adam" in name and wanted(name)):
        whole[f"{workload}, {options.steps} steps"] = samples = trained(workload, options.steps, options.trainings)
        print(workload, {name: round(middle(samples, name), 3) for name in TRAININGS}, flush=True)
    read = how_read(steps | passes | whole, LENSES)
    text = f"PyTorch's own tools, one thread. {setting('torch', 'torchlens')}; {read}\n\n"
    text += tables(steps) if steps else ""
    text += ("\n" + tables(passes)) if passes else ""
    text += "" if LENS or not steps else "\ntorchlens is not installed here: no forward passes.\n"
    text += ("\nWhole trainings, with the first steps, without the report:\n\n" + tables(whole)) if whole else ""
    print(f"\n{text}")
    if options.keep:
        keep(
            f"torch-{short_python()}" if options.rounds else f"torch-trainings-{short_python()}",
            text,
            steps | passes | whole,
        )


if __name__ == "__main__":
    main()
