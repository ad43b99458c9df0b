"""Runs a random program while it is recorded, and compares what the lineage says of each gradient with TensorFlow."""

from __future__ import annotations

import functools
import linecache
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.framework import ops

from fuzz import generator, templates
from fuzz.raw import raw, raw_ops
from tensorwhy.adapters.tensorflow.questions.asked import _internal
from tensorwhy.adapters.tensorflow.questions.graph_questions import GraphQuestions, stopped
from tensorwhy.adapters.tensorflow.session import TensorFlowSession
from tensorwhy.lineage.gradient import Explainer
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.question import GradientQuestion
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import Sources

_EACH = 400
"""Programs that one process runs: TensorFlow keeps what it traced."""


@dataclass
class Disagreement:
    """One (target, source) pair on which the lineage and TensorFlow differ."""

    seed: int
    line: int
    source: int
    predicted: str
    answer: str
    breaks: tuple[str, ...] = ()


@dataclass
class Outcome:
    """What running one program gave. `error` is how the program ended, where TensorFlow refused it, `line` where."""

    seed: int
    pairs: int = 0
    none: int = 0
    error: str = ""
    line: str = ""
    disagreements: list[Disagreement] = field(default_factory=list)
    unexplained: list[Disagreement] = field(default_factory=list)


def first(gradients: list[Any], default: Any) -> Any:
    """The first gradient that is there."""
    for one in gradients:
        if one is not None and one.dtype == tf.float32:
            return tf.convert_to_tensor(one) + 0.0
    return default


def gradient(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """The question, as a program asks it."""
    return tape.gradient(target, sources)


def jacobian(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """A question for each element of the target, asked at once inside a graph."""
    return tape.jacobian(target, sources)


def slow_jacobian(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """A question for each element of the target, asked one after the other."""
    return tape.jacobian(target, sources, experimental_use_pfor=not tape._persistent)


def batch_jacobian(tape: Any, target: Any, sources: list[Any]) -> Any:
    """A question for each row of a matrix, with respect to the same row of another."""
    return tape.batch_jacobian(target, sources[0])


def zeros(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """The question with zeros for each None."""
    return tape.gradient(target, sources, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def weighted(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """The question with a gradient of the target that comes from elsewhere."""
    return tape.gradient(target, sources, output_gradients=tf.ones_like(target) * 2.0)


def nested(tape: Any, target: Any, sources: list[Any]) -> list[Any]:
    """The question about sources in a structure."""
    found = tape.gradient(target, {"one": sources[0], "rest": sources[1:]})
    return [found["one"], *found["rest"]]


def batched(primal: Any) -> Any:
    """An accumulator with several tangents at once."""
    return tf.autodiff.ForwardAccumulator._batch_accumulator(primal, tf.ones([2, 3]))


class Asked:
    """Keeps every question with its full answer: the session itself keeps only those with a None."""

    def __init__(self, session: TensorFlowSession) -> None:
        self.session = session
        self.questions: list[tuple[GradientQuestion, list[bool], int]] = []
        self.tangents: list[tuple[GradientQuestion, bool, int]] = []
        self.graphs = GraphQuestions(session.recorder, session.tapes, session.questions)
        self._inner = pywrap_tfe.TFE_Py_TapeGradient

    def __enter__(self) -> Asked:
        pywrap_tfe.TFE_Py_TapeGradient = self._ask
        return self

    def __exit__(self, *_: Any) -> None:
        pywrap_tfe.TFE_Py_TapeGradient = self._inner

    def _ask(self, tape: Any, target: Any, sources: Any, *rest: Any) -> Any:
        session = self.session
        event = session.journal.position
        line = _program_line(sys._getframe(1))
        result = self._inner(tape, target, sources, *rest)
        if _internal(sys._getframe(1)):
            return result
        targets = list(target) if isinstance(target, (list, tuple)) else [target]
        raw = rest[1] if len(rest) > 1 and rest[1] is not None and len(rest[1]) == len(sources) else sources
        question = GradientQuestion(
            event=event,
            recorder=session.tapes.serial(tape),
            targets=tuple(session.recorder.input_id(t) for t in targets),
            sources=tuple(session.questions._source(sources[i], raw[i], i) for i in range(len(sources))),
            asked=len(sources),
            location=None,
        )
        if "zero" in rest:
            answers = [  # a symbolic zero cannot be told from another value
                not self._arrives(question, i) and (not isinstance(one, ops.EagerTensor) or not np.any(one))
                for i, one in enumerate(result)
            ]
        else:
            answers = [one is None for one in result]
        self.questions.append((question, answers, line))
        return result

    def _arrives(self, question: GradientQuestion, position: int) -> bool:
        """What the lineage predicts: with zeros for each None, a zero tells nothing by itself."""
        session = self.session
        lineage = session.lineage()
        return Prediction(lineage, question).arrives(question.sources[position].tensor)

    def tangent(self, accumulator: Any, target: Any) -> Any:
        """A question of forward mode: there is a tangent if there is a way from any primal."""
        forward = self.session.forward
        handle = getattr(target, "handle", target)  # of a variable, TensorFlow asks about this
        question = forward.question(self.session.tapes.serial(accumulator._accumulator), -1, handle)
        found = accumulator.jvp(target)
        self.tangents.append((question, found is None, _program_line(sys._getframe(1))))
        return found

    def graph_gradients(
        self, target: Any, sources: list[Any], how: str = "", stops: list[Any] | None = None
    ) -> list[Any]:
        """`tf.gradients` and what is built on it, as a program asks it."""
        event = self.session.journal.position
        result: list[Any]
        if how == "old":
            result = tf.compat.v1.gradients(target, sources)
        elif how == "weighted":
            result = tf.gradients(target, sources, grad_ys=tf.ones_like(target))
        elif how == "zeros":
            return tf.gradients(target, sources, unconnected_gradients="zero")
        elif how == "hessians":
            return _hessians(target, sources)
        else:
            result = tf.gradients(target, sources, stop_gradients=stops)
        found = [self.graphs._source(each, i) for i, each in enumerate(sources)]
        known = tuple(source for source in found if source is not None)
        question = GradientQuestion(
            event=event,
            recorder=0,
            targets=(target._id,),
            sources=known,
            asked=len(sources),
            stops=stopped(stops),
            location=None,
        )
        self.questions.append((question, [one is None for one in result], _program_line(sys._getframe(1))))
        return result


def _hessians(target: Any, sources: list[Any]) -> list[Any]:
    """Second derivatives; TensorFlow refuses where the first is None, and that is no disagreement."""
    try:
        return list(tf.hessians(target, sources[:1]))
    except ValueError:
        return [None]


def _program_line(frame: FrameType | None) -> int:
    """Where the program asks; 0 inside code that autograph generated."""
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename).startswith("program_"):
            return frame.f_lineno
        frame = frame.f_back
    return 0


def prepare() -> None:
    """Once per process: which operations this TensorFlow has."""
    if not templates.RAW:
        templates.RAW.extend(raw_ops())


@functools.lru_cache(1)
def _sources(batch: int) -> Sources:
    """The harness's own files are read once for many programs."""
    return Sources()


def run(seed: int, folder: str) -> Outcome:
    """Write, run and check the program with this seed."""
    prepare()
    path = os.path.join(folder, f"program_{seed}.py")
    Path(path).write_text(generator.program(seed), encoding="utf-8")
    namespace: dict[str, Any] = {
        "gradient": gradient,
        "jacobian": jacobian,
        "slow_jacobian": slow_jacobian,
        "batch_jacobian": batch_jacobian,
        "zeros": zeros,
        "weighted": weighted,
        "nested": nested,
        "batched": batched,
        "first": first,
        "raw": raw,
        "__name__": f"program_{seed}",
        "__file__": path,
    }
    outcome = Outcome(seed)
    tf.random.set_seed(seed)
    session = TensorFlowSession(UserCode(), "full")
    code = compile(Path(path).read_text(encoding="utf-8"), path, "exec")
    session.start()
    try:
        with Asked(session) as asked:
            namespace["graph_gradients"] = asked.graph_gradients
            namespace["tangent"] = asked.tangent
            try:
                exec(code, namespace)
                namespace["program"]()
            except Exception as error:
                outcome.error = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error) else ''}"
                lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == path]
                outcome.line = linecache.getline(path, lines[-1] or 0).strip() if lines else ""
    finally:
        session.recorder.stop()
    if session.recorder.failure:
        outcome.error = f"recorder: {session.recorder.failure}"
        outcome.disagreements.append(Disagreement(seed, 0, 0, "", session.recorder.failure))
        return outcome
    if asked.questions or asked.tangents:
        lineage = session.lineage()
        flow = Dataflow(_sources(seed // 50))
        for question, answers, line in asked.questions:
            outcome.pairs += len(answers)
            outcome.none += sum(answers)
            explainer = Explainer(lineage, question, flow)
            outcome.disagreements += compare(seed, line, Prediction(lineage, question), explainer, question, answers)
            outcome.unexplained += unexplained(seed, line, explainer, question, answers)
        for question, none, line in asked.tangents:
            prediction = Prediction(lineage, question)
            arrives = any(prediction.arrives(source.tensor) for source in question.sources)
            outcome.pairs, outcome.none = outcome.pairs + 1, outcome.none + none
            if none and question.sources:
                asked_of = msgspec.structs.replace(question, sources=question.sources[:1])
                outcome.unexplained += unexplained(seed, line, Explainer(lineage, asked_of, flow), asked_of, [none])
            if arrives == none:
                outcome.disagreements.append(Disagreement(seed, line, 0, f"tangent {arrives}", f"none {none}"))
    return outcome


def compare(
    seed: int,
    line: int,
    prediction: Prediction,
    explainer: Explainer,
    question: GradientQuestion,
    answers: list[bool],
) -> Iterator[Disagreement]:
    """The sources on which the lineage and TensorFlow differ."""
    for source, none in zip(question.sources, answers, strict=True):
        arrives = prediction.arrives(source.tensor)
        if arrives == none:
            breaks = tuple(one.kind for one in explainer.breaks(source))
            yield Disagreement(
                seed,
                line,
                source.position,
                "value" if arrives else "none",
                "none" if none else "value",
                breaks,
            )


def unexplained(
    seed: int, line: int, explainer: Explainer, question: GradientQuestion, answers: list[bool]
) -> Iterator[Disagreement]:
    """The sources without a gradient for which no break was found."""
    for source, none in zip(question.sources, answers, strict=True):
        if none:
            breaks = tuple(one.kind for one in explainer.breaks(source))
            if "unexplained" in breaks:
                yield Disagreement(seed, line, source.position, "none", "none", breaks)


def many(start: int, count: int, report: Callable[[Outcome], None]) -> list[int]:
    """Run programs in a process of their own, and go on with another one behind a program that crashes TensorFlow.

    Returns the seeds of those that did.
    """
    crashed, seed, end = [], start, start + count
    while seed < end:
        command = [sys.executable, "-m", "fuzz.harness", "--part", str(seed), str(min(end, seed + _EACH))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as part:
            for line in part.stdout or ():
                if line.startswith("{"):
                    report(msgspec.json.decode(line, type=Outcome))
                    seed += 1
        if part.returncode:
            crashed.append(seed)
            seed += 1
    return crashed


def some(start: int, end: int) -> None:
    """Run programs here, and print what came of each as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(start, end):
            print(msgspec.json.encode(run(seed, folder)).decode(), flush=True)


def main(arguments: list[str]) -> int:
    """`python -m fuzz.harness COUNT [FIRST]`: run many programs, and print what differs."""
    if arguments[0] == "--part":
        some(int(arguments[1]), int(arguments[2]))
        return 0
    count, start = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    totals = {"programs": 0, "pairs": 0, "none": 0, "disagreements": 0, "unexplained": 0}
    errors: dict[str, int] = {}

    def report(outcome: Outcome) -> None:
        totals["programs"] += 1
        totals["pairs"] += outcome.pairs
        totals["none"] += outcome.none
        totals["disagreements"] += len(outcome.disagreements)
        totals["unexplained"] += len(outcome.unexplained)
        for one in (*outcome.disagreements, *(outcome.unexplained if "-v" in arguments else ())):
            print(one, flush=True)
        if outcome.error:
            errors[outcome.error[:90]] = errors.get(outcome.error[:90], 0) + 1
        if totals["programs"] % 500 == 0:
            print(totals, flush=True)

    crashed = many(start, count, report)
    print(totals)
    print(f"crashed TensorFlow: {crashed}")
    for error, times in sorted(errors.items(), key=lambda item: -item[1])[:20]:
        print(times, error)
    return 1 if totals["disagreements"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
