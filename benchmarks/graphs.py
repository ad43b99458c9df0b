"""How fast the lineage of a graph is walked, and how long an exception takes to explain when it has happened.

    python benchmarks/graphs.py [--nodes 200000] [--keep]

A graph is traced like any user's, with the recorder on, and asked about with `tf.gradients` questions: `walk` follows
the gradient back through every operation, `breaks` finds the lines of what is lost. networkx, where it is installed,
finds the ancestors in the same graph. `post-mortem` is what the tool adds to a failure that nobody caught: looking at
the live frames, then the report of it; TensorFlow's own message is made before.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.lineage.dataflow import Dataflow
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.pipeline import Observation
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.sources import Sources

ROUNDS = 7


def walk(nodes: int) -> dict[str, float]:
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
    began = time.thread_time()
    lineage = Lineage(session.journal, session.rules())
    index = time.thread_time() - began
    sources = (Source(tensor=stopped._id), Source(tensor=source._id, position=1))
    question = GradientQuestion(
        event=session.journal.position, tape=0, targets=(value._id,), sources=sources, asked=2, location=None
    )
    began = time.thread_time()
    prediction = Prediction(lineage, question)
    walked = time.thread_time() - began
    assert [prediction.arrives(each.tensor) for each in sources] == [False, True]
    began = time.thread_time()
    breaks = Explainer(lineage, question, Dataflow(Sources())).breaks(sources[0])
    explained = time.thread_time() - began
    assert [one.kind for one in breaks] == ["stop-gradient"]
    result = {
        "nodes": nodes,
        "traced s": traced,
        "index s": index,
        "walk s": walked,
        "walked ops/s": nodes / walked,
        "breaks s": explained,
    }
    if importlib.util.find_spec("networkx"):
        result["networkx s"] = peer(session.journal, value._id)
    return result


def peer(journal: Any, target: int) -> float:
    import networkx

    began = time.thread_time()
    graph = networkx.DiGraph()
    for event in journal.events():
        if event.kind == j.GRAPH_OP:
            graph.add_edges_from((value, output) for value in event.inputs for output in event.outputs)
    networkx.ancestors(graph, target)
    return time.thread_time() - began


def leaked_tensor() -> None:
    kept = []

    @tf.function
    def step(x: Any) -> Any:
        kept.append(x * 2.0)
        return x

    step(tf.constant(1.0))
    tf.add(kept[0], 1.0)


def growing_loop_variable() -> None:
    @tf.function
    def step(x: Any) -> Any:
        return tf.while_loop(lambda y: True, lambda y: (tf.concat([y, y], 0),), (x,))

    step(tf.zeros([2]))


def numpy_in_a_graph() -> None:
    tf.function(lambda x: np.sin(x))(tf.constant([1.0]))


def none_in_arithmetic() -> None:
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        y = tf.square(x)
    print(tape.gradient(y, x) * 2.0)


FAILURES: list[Callable[[], None]] = [leaked_tensor, growing_loop_variable, numpy_in_a_graph, none_in_arithmetic]


def post_mortem(failure: Callable[[], None]) -> dict[str, float]:
    """From the exception to the finished report, in milliseconds. The first time loads the catalogue."""
    times = []
    for _ in range(ROUNDS):
        observation = Observation(record="auto")
        observation.start()
        try:
            failure()
        except Exception as error:
            began = time.thread_time()
            observation.failed(error)
        report = observation.finish(1)
        times.append((time.thread_time() - began) * 1_000)
        assert report.diagnoses, failure.__name__
    return {"first ms": times[0], "median of the others ms": statistics.median(times[1:])}


def table(title: str, rows: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(rows.values())))
    lines = [f"| {title} | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    lines += [f"| {name} | " + " | ".join(f"{row[each]:,.3g}" for each in names) + " |" for name, row in rows.items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    failures = {each.__name__.replace("_", " "): post_mortem(each) for each in FAILURES}
    graphs = {"one graph": walk(options.nodes)}
    text = (
        f"Main-thread CPU time. Python {platform.python_version()}, TensorFlow {tf.__version__}, "
        f"load {os.getloadavg()[1]:.1f}\n\n" + table("graph", graphs) + "\n\n" + table("post-mortem", failures) + "\n"
    )
    print(text)
    if options.keep:
        folder = Path(__file__).parent / "results"
        folder.mkdir(exist_ok=True)
        (folder / "graphs.md").write_text(text, encoding="utf-8")
        (folder / "graphs.json").write_text(json.dumps({"graphs": graphs, "post-mortem": failures}, indent=1))


if __name__ == "__main__":
    main()
