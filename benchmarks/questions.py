"""How long a question takes on a lineage of a million operations, and how much memory its index needs.

    python benchmarks/questions.py [--operations 1000000] [--keep]

The journal is written as the hot path writes it: training steps of 200 operations each. `last step` asks about one of
them; `one chain` is a single tape over a twentieth of the operations, where the path itself is as long as the lineage.
There the next question is also asked about a target of which three quarters of the path are upstream (`upstream`), and,
on a new index, in the other order (`downstream`: a quarter of the path is new).
networkx, where it is installed, builds the same graph and finds the shortest path in it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import time
import tracemalloc
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # the rules are read from it

from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.lineage.dataflow import Dataflow
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

STEP = 200
FLOAT = 1


def write(journal: Journal, operations: int, steps: int) -> list[Asked]:
    """Chains of additions with one `StopGradient` in the middle. Per step: its tape, source, target and end."""
    asked, tensor, each = [], 1_000, operations // steps
    for serial in range(1, steps + 1):
        journal.add(j.TAPE_NEW, "__enter__", -1, (serial, 0, 1))
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
        journal.add(j.TAPE_REMOVE, "__exit__", -1, (serial,))
        asked.append((serial, source, value, journal.position))
    return asked


Asked = tuple[int, int, int, int]
"""The tape, the source, the target, and the row of the question."""


def question(asked: Asked) -> GradientQuestion:
    serial, source, target, event = asked
    return GradientQuestion(
        event=event, place=-1, tape=serial, targets=(target,), sources=(Source(tensor=source),), asked=1, location=None
    )


def explain(lineage: Lineage, asked: Asked) -> float:
    began = time.thread_time()
    explainer = Explainer(lineage, question(asked), Dataflow(Sources()), {}, complete=True)
    found = tuple(explainer.breaks(Source(tensor=asked[1])))
    assert [fact.kind for fact in found] == ["stop-gradient"], found
    return time.thread_time() - began


def measure(operations: int, steps: int) -> dict[str, Any]:
    session = TensorFlowSession(UserCode(), "off")
    asked = write(session.journal, operations, steps)
    rules = session.rules()
    began = time.thread_time()
    lineage = Lineage(session.journal, rules)
    index = time.thread_time() - began
    cold = index + explain(lineage, asked[-1])
    result = {"operations": operations, "steps": steps, "index s": index, "cold s": cold}
    serial, source, target, event = asked[len(asked) // 2]
    length = operations // steps
    result["next s"] = explain(lineage, asked[len(asked) // 2])
    if steps == 1:
        result["upstream s"] = explain(lineage, (serial, source, target - length // 4, event))
        fresh = Lineage(session.journal, rules)
        explain(fresh, (serial, source, target - length // 4, event))
        result["downstream s"] = explain(fresh, asked[0])
    del lineage
    tracemalloc.start()
    again = Lineage(session.journal, rules)
    result["index bytes an op"] = tracemalloc.get_traced_memory()[0] / operations
    tracemalloc.stop()
    del again
    result["journal bytes an op"] = len(session.journal.rows) * 8 / operations
    if importlib.util.find_spec("networkx"):
        result["networkx s"] = peer(session.journal, asked[-1])
    return result


def peer(journal: Journal, asked: Asked) -> float:
    import networkx

    began = time.thread_time()
    graph = networkx.DiGraph()
    for event in journal.events():
        if event.kind == j.OP:
            graph.add_edges_from((value, event.outputs[0]) for value in event.inputs)
    networkx.shortest_path(graph, asked[1], asked[2])
    return time.thread_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    results = {
        "last step": measure(options.operations, options.operations // STEP),
        "one chain": measure(options.operations // 20, 1),
    }
    columns = list(dict.fromkeys(column for row in results.values() for column in row))
    lines = ["| main-thread CPU time | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    for name, row in results.items():
        shown = [f"{row[column]:,.3g}" if column in row else "" for column in columns]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    text = (
        f"Python {platform.python_version()}, TensorFlow {tf.__version__}, load {os.getloadavg()[1]:.1f}\n\n"
        + "\n".join(lines)
        + "\n"
    )
    print(text)
    if options.keep:
        folder = Path(__file__).parent / "results"
        folder.mkdir(exist_ok=True)
        (folder / "questions.md").write_text(text, encoding="utf-8")
        (folder / "questions.json").write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
