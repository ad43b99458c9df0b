"""Small traces without any framework: what a session would hand over, and whole folders of several workers."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tensorwhy.model.location import Location, Marked
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import Coverage, Diagnosis, Environment, Program, Report, Symptom
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal
from tensorwhy.recording.stepped import Recorded, Stepped
from tensorwhy.traces.writer import Writer

PROGRAM = Program(path="/work/train.py", argv=("--fast",))
ENVIRONMENT = Environment(python="3.11.7", frameworks={"tensorflow": "2.21.0"})
ASKED = Location(file="/work/train.py", line=14, column=12, end_line=14, end_column=30)


def recorded() -> Recorded:
    """Two operations, a variable, and a question about it; each at a place of its own."""
    journal = Journal()
    code = recorded.__code__
    places = [journal.place(key, ((code, lasti, True),)) for key, lasti in ((1, 0), (2, 10), (3, 20))]
    journal.add(j.RECORDER_NEW, "__enter__", places[0], (1, 0, 1))
    journal.add(j.OP, "StopGradient", places[1], (7,), (8 << 8 | 1,))
    journal.add(j.OP, "MatMul", -1, (8, j.variable(5)), (9 << 8 | 1,))
    source = Source(tensor=5, variable=True, name="w:0", dtype="float32")
    question = GradientQuestion(
        event=0, place=places[2], recorder=1, targets=(9,), sources=(source,), asked=2, location=None
    )
    variable = Variable(tensor=5, name="w:0", dtype="float32", shape=(3, None), trainable=True)
    return Recorded(journal, [question], {5: variable}, {1: "float32"})


def diagnosis(line: int = 12, code: str = "TW104", **changes: object) -> Diagnosis:
    """A None whose primary line is `line`."""
    found = Diagnosis(
        id="d1",
        code=code,
        slug="stop-gradient",
        family="gradient",
        severity="warning",
        certainty="proved",
        message="the gradient of `loss` with respect to `w` is None",
        primary=Marked(file="/work/train.py", line=line, column=4, label="the gradient is stopped here"),
        symptom=Symptom(kind="none-gradient", location=ASKED),
    )
    return msgspec.structs.replace(found, **changes)


def report(*diagnoses: Diagnosis, unobserved: tuple[str, ...] = ()) -> Report:
    """A report of these."""
    return Report(
        tool_version="0.1.0",
        program=PROGRAM,
        environment=ENVIRONMENT,
        diagnoses=diagnoses,
        coverage=Coverage(recorded_ops=2, steps_recorded=3, unobserved=unobserved),
        excerpts={"/work/train.py": {12: "    y = tf.stop_gradient(x)", 14: "g = tape.gradient(loss, w)", 99: "far"}},
    )


def stepped(place: int = 2, replica: int = 0, lost: bool = True) -> Stepped:
    return Stepped(place=place, replica=replica, event=3, lost=lost, recorded=True, time=1_700_000_000_000_000)


def worker(folder: Path, name: str, found: Report, monkeypatch, steps: int = 2, ended: bool = True) -> Path:
    """One worker's trace in `folder`, as a cluster's TF_CONFIG names it: `worker-0`."""
    kind, _, index = name.partition("-")
    monkeypatch.setenv("TF_CONFIG", msgspec.json.encode({"task": {"type": kind, "index": int(index)}}).decode())
    writer = Writer(str(folder), PROGRAM, ENVIRONMENT, "0.1.0")
    writer.begin()
    for _ in range(steps):
        writer.step(stepped())
    writer.flush(recorded(), found, ended=ended)
    return folder / name
