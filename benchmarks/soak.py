"""Does memory grow with the length of a training? Records all of a long one with a bounded window, and watches.

    python benchmarks/soak.py [--steps 100000] [--keep-steps 1000] [--record full] [--traced] [--torch]

Prints the resident memory at twenty points, and exits with 1 when the last half grew by more than 8 MB. With `--record
auto` nearly all steps are at rest, as those of a long training are.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from collections.abc import Callable
from typing import Any

from tensorwhy.recording.locations import UserCode

GROWTH = 8 << 20


def resident() -> int:
    """Bytes of memory that this process holds now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def of_tensorflow(options: argparse.Namespace) -> tuple[Any, Callable[[], None]]:
    """A session of the tool, and a step."""
    import tensorflow as tf

    from tensorwhy.adapters.tensorflow.adapter import ADAPTER

    session = ADAPTER.attach(UserCode(), options.record)
    session.keep_steps(options.keep_steps)
    weights = [tf.Variable(tf.random.normal((8, 8))) for _ in range(2)]
    x = tf.random.normal((4, 8))

    def step() -> None:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, weights[0]))
            loss = tf.reduce_mean(tf.square(tf.matmul(hidden, weights[1]) - x))
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.01 * gradient)

    return session, tf.function(step) if options.traced else step


def of_torch(options: argparse.Namespace) -> tuple[Any, Callable[[], None]]:
    """The same in PyTorch."""
    import torch

    from tensorwhy.adapters.torch.adapter import ADAPTER

    session = ADAPTER.attach(UserCode(), options.record)
    weights = [torch.nn.Parameter(torch.randn(8, 8)) for _ in range(2)]
    optimizer = torch.optim.SGD(weights, lr=0.01)
    x = torch.randn(4, 8)

    def step() -> None:
        loss = ((torch.relu(x @ weights[0]) @ weights[1] - x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return session, step


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--keep-steps", type=int, default=1000)
    parser.add_argument("--record", choices=["auto", "full"], default="full")
    parser.add_argument("--traced", action="store_true", help="the step is a tf.function")
    parser.add_argument("--torch", action="store_true", help="train with PyTorch, which has no window")
    options = parser.parse_args()
    session, train = of_torch(options) if options.torch else of_tensorflow(options)
    sizes, began = [], time.perf_counter()
    for number in range(1, options.steps + 1):
        train()
        if number % max(1, options.steps // 20) == 0:
            sizes.append(resident())
            rate = number / (time.perf_counter() - began)
            print(f"{number:8} steps  {sizes[-1] / 2**20:8.1f} MB  {rate:6.0f} steps/s", flush=True)
    coverage = session.coverage()
    session.close()
    print(f"{coverage.recorded_ops:,} operations recorded in {coverage.steps_recorded:,} steps; {coverage.unobserved}")
    grown = sizes[-1] - sizes[len(sizes) // 2]
    print(f"the second half grew by {grown / 2**20:.1f} MB")
    return int(grown > GROWTH)


if __name__ == "__main__":
    raise SystemExit(main())
