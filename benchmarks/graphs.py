"""How fast the lineage of a graph is walked.

    python benchmarks/graphs.py [--nodes 200000] [--rounds 7] [--keep]

A graph is traced like any user's, with the recorder on, and asked about with `tf.gradients` questions: `walk` follows
the gradient back through every operation, `breaks` finds the lines of what is lost. Each round does both on an index of
its own. networkx, where it is installed, finds the ancestors in the same graph, its building included.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from keeping import keep, rows, setting, shown

from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

NETWORKX = importlib.util.find_spec("networkx") is not None


def walk(nodes: int, rounds: int) -> dict[str, list[float]]:
    """Trace a graph of so many nodes; go back through all of it, and explain a source that is stopped at its start."""
    session = TensorFlowSession(UserCode(), "full")
    session.start()
    try:
        began = time.thread_time()
        graph = tf.Graph()
        with graph.as_default():
            stopped = tf.compat.v1.placeholder(tf.float32, [])
            source = tf.compat.v1.placeholder(tf.float32, [])
            value = tf.add(tf.stop_gradient(stopped), source)
            for number in range(nodes):
                value = tf.add(value, source) if number % 2 else tf.tanh(value)
        traced = time.thread_time() - began
    finally:
        session.recorder.stop()
    sources = (Source(tensor=stopped._id), Source(tensor=source._id, position=1))
    question = GradientQuestion(
        event=session.journal.position, recorder=0, targets=(value._id,), sources=sources, asked=2, location=None
    )
    times: dict[str, list[float]] = {"traced s": [traced], "index s": [], "walk s": [], "breaks s": []}
    for _ in range(rounds):
        began = time.thread_time()
        lineage = Lineage(session.journal, session.rules())
        times["index s"].append(time.thread_time() - began)
        began = time.thread_time()
        prediction = Prediction(lineage, question)
        times["walk s"].append(time.thread_time() - began)
        assert [prediction.arrives(each.tensor) for each in sources] == [False, True]
        began = time.thread_time()
        breaks = Explainer(lineage, question, Dataflow(Sources())).breaks(sources[0])
        times["breaks s"].append(time.thread_time() - began)
        assert [one.kind for one in breaks] == ["stop-gradient"]
        del lineage, prediction, breaks
        if NETWORKX:
            times.setdefault("networkx s", []).append(peer(session.journal, value._id))
    return times


def peer(journal: Any, target: int) -> float:
    import networkx

    began = time.thread_time()
    graph = networkx.DiGraph()
    for event in journal.events():
        if event.kind == j.GRAPH_OP:
            graph.add_edges_from((value, output) for value in event.inputs for output in event.outputs)
    networkx.ancestors(graph, target)
    return time.thread_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    times = walk(options.nodes, options.rounds)
    columns = {f"{name[:-2]}, s": shown(values) for name, values in times.items()}
    columns["walked, ops/s"] = shown([options.nodes / seconds for seconds in times["walk s"]], ",.0f")
    head = (
        f"The walk through a graph of {options.nodes:,} operations. {setting('tensorflow', 'networkx')}, "
        f"{options.rounds} rounds; main-thread CPU time, median (quartiles)."
    )
    text = f"{head}\n\n{rows([*columns], [[*columns.values()]])}\n"
    print(text)
    if not NETWORKX:
        print("networkx is not installed here: it does not stand beside (pip install networkx)")
    if options.keep:
        keep("graphs", text, {"nodes": options.nodes, **times})


if __name__ == "__main__":
    main()
