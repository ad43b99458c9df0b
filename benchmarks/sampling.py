"""How two ways to do the same step are compared: interleaved rounds, ratios of pairs, quartiles.

One round runs every variant once, in random order, and a ratio compares two samples of one round. A sample is one step,
so that the samples of one round are close in time: on a machine that does other things as well, their ratio holds best.
Of short steps it is as many as take ten milliseconds, because Python runs slower right after hooks were put in.
"""

from __future__ import annotations

import contextlib
import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Set

from keeping import quartiles, rows

Step = Callable[[], object]
Switch = Callable[[], contextlib.AbstractContextManager[object]]
Samples = dict[str, list[tuple[float, float] | None]]
"""Wall and main-thread CPU seconds of a step, for each variant and round; None where a peer sat a round out."""

WALL, CPU = 0, 1
SETTLING = 12
"""Steps before the first sample: the first steps of a call site are looked at more closely than later ones."""
LEAST = 0.01
"""Seconds of main-thread CPU time that a sample takes, at least."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    yield


def measure(
    steps: Mapping[str, Step], switches: Mapping[str, Switch], rounds: int, peers: Set[str], peer_rounds: int
) -> Samples:
    """The samples of every variant, in the order of the rounds. `off` is what the others are compared with.

    Peers take part in `peer_rounds` of the rounds, evenly, and have so many steps in a sample as their own time allows.
    """
    counts = {}
    for variant, switch in switches.items():
        settling = SETTLING // 4 if variant in peers else SETTLING
        with switch():
            for _ in range(settling):
                steps[variant]()
            counts[variant] = _in_a_sample(steps[variant], settling)
    counts = {variant: count if variant in peers else counts["off"] for variant, count in counts.items()}
    gc.collect()
    gc.freeze()  # what the framework left is not looked at before each sample
    samples: Samples = {variant: [] for variant in switches}
    order = list(switches)
    for number in range(rounds):
        random.shuffle(order)
        resting = peers if number % max(1, rounds // max(1, peer_rounds)) else ()
        for variant in order:
            out = variant in resting
            samples[variant].append(None if out else _sample(switches[variant], steps[variant], counts[variant]))
    return samples


def _sample(switch: Switch, step: Step, count: int) -> tuple[float, float]:
    """Wall and main-thread CPU seconds of one step, the mean of `count`, after as many that are not counted."""
    with switch():
        for _ in range(count):
            step()
        gc.collect()
        wall, cpu = time.perf_counter(), time.thread_time()
        for _ in range(count):
            step()
        return (time.perf_counter() - wall) / count, (time.thread_time() - cpu) / count


def _in_a_sample(step: Step, tried: int) -> int:
    """So many steps are one sample."""
    began = time.thread_time()
    for _ in range(tried):
        step()
    return max(1, round(LEAST * tried / (time.thread_time() - began)))


def ratios(samples: Samples, variant: str, clock: int) -> list[float]:
    """To the unrecorded work of the same round, for each round that the variant took part in."""
    pairs = zip(samples[variant], samples["off"])
    return [one[clock] / off[clock] for one, off in pairs if one is not None and off is not None]


def middle(samples: Samples, variant: str, clock: int = CPU) -> float:
    return statistics.median(ratios(samples, variant, clock))


def fastest(samples: Samples, variant: str, clock: int) -> float:
    """What a tenth of the samples stays below: nearly what it takes when nothing else disturbs."""
    own = [one[clock] for one in samples[variant] if one is not None]
    return statistics.quantiles(own, n=10)[0] if len(own) >= 10 else min(own)


def tables(raw: Mapping[str, Samples], more: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """All ratios, as Markdown: main-thread CPU time, then wall time. `more` has further columns: title, then cells."""
    more = more or {}
    names = [variant for variant in next(iter(raw.values())) if variant != "off"]
    found = []
    for clock, title in ((CPU, "main-thread CPU time"), (WALL, "wall time")):
        lines = []
        for workload, samples in raw.items():
            own = statistics.median(one[clock] for one in samples["off"] if one is not None) * 1e3
            cells = [
                "{1:.2f} ({0:.2f} to {2:.2f})".format(*quartiles(ratios(samples, name, clock)))
                + f" [{fastest(samples, name, clock) / fastest(samples, 'off', clock):.2f}]"
                for name in names
            ]
            lines.append([workload, f"{own:.1f}", *cells, *(column[workload] for column in more.values())])
        found.append(rows([title, "ms a step", *names, *more], lines))
    return "\n\n".join(found) + "\n"


def how_read(raw: Mapping[str, Samples], peers: Set[str]) -> str:
    """What the numbers of `tables` are."""
    count = min(len(samples["off"]) for samples in raw.values())
    fewer = min(
        (sum(one is not None for one in samples[name]) for samples in raw.values() for name in peers & {*samples}),
        default=count,
    )
    beside = f" ({fewer} of the peers)" if fewer < count else ""
    return (
        f"at least {count} rounds{beside}; ratios to the same step without recording, median (lower to upper quartile) "
        "of pairs; in brackets the ratio of the fastest tenths."
    )
