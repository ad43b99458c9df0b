"""How long a question takes on a lineage of a million operations, and how much memory its index needs.

    python benchmarks/questions.py [--operations 1000000] [--rounds 7] [--peer-rounds 3] [--keep]

The journal is written as the hot path writes it: training steps of 200 operations each. `last step` asks about one of
them; `one chain` is a single tape over a twentieth of the operations, where the path itself is as long as the lineage.
There the next question is also asked about a target of which three quarters of the path are upstream (`upstream`), and,
on a new index, in the other order (`downstream`: a quarter of the path is new). Each round begins with no index.
networkx, where it is installed, builds the same graph (`networkx cold`), finds the shortest path in it, and in what it
has built the same path of the next question. Memory is counted once, by Python.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
import tracemalloc
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow  # noqa: F401 - the rules are read from it
from keeping import keep, rows, setting, shown

from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

NETWORKX = importlib.util.find_spec("networkx") is not None
STEP = 200
FLOAT = 1


def write(journal: Journal, operations: int, steps: int) -> list[Asked]:
    """Chains of additions with one `StopGradient` in the middle. Per step: its tape, source, target and end."""
    asked, tensor, each = [], 1_000, operations // steps
    for serial in range(1, steps + 1):
        journal.add(j.RECORDER_NEW, "__enter__", -1, (serial, 0, 1))
        tensor += 2
        source, other = tensor - 1, tensor
        journal.add(j.WATCH, "", -1, (serial, source))
        value = source
        for number in range(each):
            tensor += 1
            if number == each // 2:
                journal.add(j.OP, "StopGradient", -1, (value,), (tensor << 8 | FLOAT,))
            else:
                journal.add(j.OP, "AddV2", -1, (value, other), (tensor << 8 | FLOAT,))
            value = tensor
        journal.add(j.RECORDER_REMOVE, "__exit__", -1, (serial,))
        asked.append((serial, source, value, journal.position))
    return asked


Asked = tuple[int, int, int, int]
"""The tape, the source, the target, and the row of the question."""


def question(asked: Asked) -> GradientQuestion:
    serial, source, target, event = asked
    return GradientQuestion(
        event=event,
        place=-1,
        recorder=serial,
        targets=(target,),
        sources=(Source(tensor=source),),
        asked=1,
        location=None,
    )


def explain(lineage: Lineage, asked: Asked) -> float:
    began = time.thread_time()
    explainer = Explainer(lineage, question(asked), Dataflow(Sources()))
    found = tuple(explainer.breaks(Source(tensor=asked[1])))
    assert [fact.kind for fact in found] == ["stop-gradient"], found
    return time.thread_time() - began


def measure(operations: int, steps: int, rounds: int, peer_rounds: int) -> dict[str, list[float]]:
    session = TensorFlowSession(UserCode(), "off")
    journal = session.journal
    asked = write(journal, operations, steps)
    rules = session.rules()
    length = operations // steps
    serial, source, target, event = following = asked[len(asked) // 2]
    found: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        found.setdefault(name, []).append(value)

    for _ in range(rounds):
        began = time.thread_time()
        lineage = Lineage(journal, rules)
        index = time.thread_time() - began
        note("index s", index)
        note("cold s", index + explain(lineage, asked[-1]))
        note("next s", explain(lineage, following))
        if steps == 1:
            note("upstream s", explain(lineage, (serial, source, target - length // 4, event)))
            lineage = Lineage(journal, rules)
            explain(lineage, (serial, source, target - length // 4, event))
            note("downstream s", explain(lineage, asked[0]))
        del lineage
    tracemalloc.start()
    again = Lineage(journal, rules)
    note("index bytes an op", tracemalloc.get_traced_memory()[0] / operations)
    tracemalloc.stop()
    del again
    note("journal bytes an op", len(journal.rows) * 8 / operations)
    if NETWORKX:
        for _ in range(peer_rounds):
            cold, warm = peer(journal, asked[-1], following)
            note("networkx cold s", cold)
            note("networkx next s", warm)
        tracemalloc.start()
        built = graph(journal)
        note("networkx bytes an op", tracemalloc.get_traced_memory()[0] / operations)
        tracemalloc.stop()
        del built
    return found


def graph(journal: Journal) -> Any:
    import networkx

    edges = networkx.DiGraph()
    for event in journal.events():
        if event.kind == j.OP:
            edges.add_edges_from((value, event.outputs[0]) for value in event.inputs)
    return edges


def peer(journal: Journal, asked: Asked, following: Asked) -> tuple[float, float]:
    import networkx

    began = time.thread_time()
    edges = graph(journal)
    networkx.shortest_path(edges, asked[1], asked[2])
    cold = time.thread_time() - began
    began = time.thread_time()
    networkx.shortest_path(edges, following[1], following[2])
    return cold, time.thread_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peer-rounds", type=int, default=3, help="rounds of networkx")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    results = {
        f"{operations:,} operations, {what}": measure(operations, steps, options.rounds, options.peer_rounds)
        for what, operations, steps in (
            ("a step of 200", options.operations, options.operations // STEP),
            ("one chain", options.operations // 20, 1),
        )
    }
    names = list(dict.fromkeys(name for row in results.values() for name in row))
    lines = [[name, *(shown(row[name]) if name in row else "" for row in results.values())] for name in names]
    text = (
        f"Questions. {setting('tensorflow', 'networkx')}, {options.rounds} rounds ({options.peer_rounds} of networkx); "
        f"main-thread CPU time, median (quartiles).\n\n{rows(['', *results], lines)}\n"
    )
    print(text)
    if not NETWORKX:
        print("networkx is not installed here: it does not stand beside (pip install networkx)")
    if options.keep:
        keep("questions", text, results)


if __name__ == "__main__":
    main()
