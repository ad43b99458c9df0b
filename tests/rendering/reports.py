"""Reports that all renderers meet: each is a value, made by hand, with something that is hard to render."""

from __future__ import annotations

import msgspec

from tensorwhy.model.location import Location, Marked, in_cell
from tensorwhy.model.report import (
    Answer,
    Chain,
    Coverage,
    Diagnosis,
    Edit,
    Environment,
    Fix,
    Link,
    PathStep,
    Position,
    Program,
    Report,
    Symptom,
    TensorRef,
    Unread,
    Verification,
)

BASE = "/work/project"
TRAIN = f"{BASE}/train.py"
MODEL = f"{BASE}/lib/model.py"
ELSEWHERE = "/opt/tool/other.py"


def mark(file: str, line: int, start: int, end: int, label: str = "", role: str = "") -> Marked:
    return Marked(file=file, line=line, column=start, end_line=line, end_column=end, label=label, role=role)


def report(*diagnoses: Diagnosis, excerpts: dict[str, dict[int, str]] | None = None, **more: object) -> Report:
    return Report(
        tool_version="0.1.0",
        program=Program(path=TRAIN, argv=("--epochs", "3")),
        environment=Environment(python="3.11.7", frameworks={"tensorflow": "2.21.0"}),
        diagnoses=diagnoses,
        coverage=Coverage(recorded_ops=1234, steps=100, steps_recorded=12),
        excerpts=excerpts or {},
    )


def diagnosis(**fields: object) -> Diagnosis:
    values: dict[str, object] = {
        "id": "d1",
        "code": "TW102",
        "slug": "computed-outside-tape",
        "family": "gradient",
        "severity": "error",
        "certainty": "proved",
        "message": "the gradient of `loss` with respect to `features` is None",
        "primary": None,
        "symptom": Symptom(kind="none-gradient", message="the gradient is None"),
    }
    return Diagnosis(**(values | fields))  # type: ignore[arg-type]


def two_joined() -> Report:
    """The picture of the README: two reasons for one question, one with a fix that was checked."""
    excerpts = {
        12: "features = tf.constant(images)",
        14: "hidden = encoder(features)",
        21: "with tf.GradientTape() as tape:",
        24: "grad = tape.gradient(loss, features)",
    }
    question = Location(file=TRAIN, line=24, column=7, end_line=24, end_column=36)
    first = diagnosis(
        primary=mark(TRAIN, 14, 9, 26, "computed here, before the tape was opened"),
        related=(
            mark(TRAIN, 21, 5, 22, "this tape starts recording here", "tape opened"),
            mark(TRAIN, 24, 7, 36, "None", "question"),
        ),
        symptom=Symptom(kind="none-gradient", message="the gradient is None", location=question),
        target=TensorRef(name="loss", dtype="float32", shape=()),
        source=TensorRef(name="features", dtype="float32", shape=(None, 4)),
        path=(PathStep(op="MatMul", location=Location(file=TRAIN, line=14), connected=False),),
        together_with=("d2",),
        fixes=(
            Fix(
                summary="move line 14 into the `with`, and add `tape.watch(features)`",
                edits=(
                    Edit(
                        file=TRAIN,
                        start=Position(line=14, column=0),
                        end=Position(line=15, column=0),
                        replacement="",
                    ),
                    Edit(
                        file=TRAIN,
                        start=Position(line=22, column=0),
                        end=Position(line=22, column=0),
                        replacement="    hidden = encoder(features)\n",
                    ),
                ),
                caveat="not when `hidden` is meant to be a constant",
                verification=Verification(
                    status="confirmed",
                    method="replay",
                    evidence="with both changes the gradient has norm 3.21 and matches finite differences to 2e-5;"
                    " with either one alone it is still None. Forward values did not change.",
                ),
            ),
        ),
        seen=12,
        steps=12,
    )
    second = diagnosis(
        id="d2",
        code="TW101",
        slug="not-watched",
        message="`features` is a plain tensor, which no tape watches by itself",
        primary=mark(TRAIN, 12, 11, 30, "a plain tensor"),
        symptom=Symptom(kind="none-gradient", message="the gradient is None", location=question),
        also=tuple(TensorRef(name=f"features_{n}") for n in range(9)),
        together_with=("d1",),
    )
    return report(first, second, excerpts={TRAIN: excerpts})


def several_files() -> Report:
    """Marks in three files, one of them outside the working directory; one whose source cannot be read."""
    found = diagnosis(
        code="TW403",
        slug="leaked-tensor",
        family="graph",
        message="`self.state` keeps a tensor of a graph that is gone",
        primary=mark(MODEL, 7, 8, 18, "kept here"),
        related=(
            mark(TRAIN, 30, 0, 8, "used here"),
            mark(ELSEWHERE, 3, 4, 9, "made here"),
            Marked(file="/gone.py", line=99, label="called from here"),
        ),
        symptom=Symptom(
            kind="exception",
            message="InaccessibleTensorError: out of scope\nand many more lines",
            location=Location(file=TRAIN, line=30, column=0, end_line=30, end_column=8),
        ),
        certainty="likely",
        notes=("the graph belonged to `step`",),
    )
    return report(
        found,
        excerpts={
            MODEL: {7: "        self.state = x"},
            TRAIN: {30: "model(x)"},
            ELSEWHERE: {3: "    x = 1"},
        },
    )


def hard_text() -> Report:
    """Tabs, wide characters, a long line, a range over several lines, unknown columns, control characters."""
    long = "result = " + "very_long_function_name(" * 6 + "x" + ")" * 6 + "  # the end"
    at = long.index("x)")
    lines = {
        1: "\tif x:\ty = f(x)",
        2: 'name = "日本語", g(y)',
        3: long,
        4: "value = call(",
        5: "    no_columns(here)",
        6: "café = h(été)",
    }
    found = diagnosis(
        message="a tensor named `\x1b[31mevil\x1b[0m\u202e` and `<script>`, ::error::, 日本語",
        primary=mark(TRAIN, 1, 11, 15, "after tabs"),
        related=(
            mark(TRAIN, 2, 14, 18, "after wide characters"),
            mark(TRAIN, 3, at, at + 1, "deep in a long line, with a label that is long as well, so that it must wrap"),
            Marked(file=TRAIN, line=4, column=8, end_line=9, end_column=1, label="goes on below"),
            Marked(file=TRAIN, line=5, label="columns unknown"),
            mark(TRAIN, 6, 7, 13, "äfter áccents"),
            mark(TRAIN, 6, 0, 4, "second on the line"),
        ),
        severity="warning",
    )
    return report(found, excerpts={TRAIN: lines})


def nothing() -> Report:
    return report()


def notes_only() -> Report:
    found = diagnosis(
        code="TW116",
        slug="not-trainable",
        severity="note",
        message="`scale` is frozen",
        primary=mark(TRAIN, 3, 0, 5, "frozen here"),
    )
    return report(found, excerpts={TRAIN: {3: "scale = tf.Variable(1.0, trainable=False)"}})


def without_place() -> Report:
    """No location at all, and an observation with holes."""
    found = diagnosis(code="TW901", slug="unexplained", family="unexplained", severity="warning", certainty="possible")
    made = report(found)
    return Report(
        tool_version=made.tool_version,
        program=made.program,
        environment=made.environment,
        diagnoses=made.diagnoses,
        coverage=Coverage(unobserved=("threads started before recording", "a hook failed: ValueError: x")),
    )


def only_read() -> Report:
    """Of source that was not run: nothing is proved, and nobody has seen anything."""
    found = diagnosis(
        code="TW101",
        slug="not-watched",
        severity="warning",
        certainty="likely",
        symptom=Symptom(kind="silent", location=Location(file=TRAIN, line=7, column=6, end_line=7, end_column=25)),
        primary=mark(TRAIN, 4, 4, 20, "a plain tensor, not watched"),
    )
    excerpts = {TRAIN: {4: "x = tf.constant(3.0)", 7: "print(tape.gradient(y, x))"}}
    return Report(
        tool_version="0.1.0",
        program=Program(path="."),
        environment=Environment(python="3.11.7"),
        diagnoses=(found,),
        coverage=Coverage(files_read=12, unobserved=(f"{MODEL}: the check pairs failed",)),
        excerpts=excerpts,
    )


def not_read() -> Report:
    """A check of files, two of which could not be read."""
    files = (
        Unread(file=f"{BASE}/broken.py", reason="'(' was never closed", line=12),
        Unread(file=f"{BASE}/library.so", reason="it contains null bytes"),
    )
    return Report(
        tool_version="0.1.0",
        program=Program(path="."),
        environment=Environment(python="3.11.7"),
        coverage=Coverage(files_read=3, unread=files),
    )


def asked() -> Report:
    """Questions about a broken variable, many whole ones, and a name that nothing has."""
    found = two_joined().diagnoses[0]
    at = Location(file=TRAIN, line=12)
    broken = Chain(
        subject=TensorRef(name="encoder/kernel", kind="variable", dtype="float32", shape=(3, 4)),
        state="broken",
        asked=at,
        links=(
            Link(name="made", state="holds", text="variable float32 (3, 4), of layer `encoder`", location=at),
            Link(name="watched", state="unknown", text="not known: the steps of the tape were not recorded"),
            Link(name="gradient", state="broken", text="the gradient is None", location=at),
        ),
        diagnoses=(found.id,),
    )
    whole = [
        Chain(
            subject=TensorRef(name=f"head/{name}", kind="variable"),
            state="holds",
            links=(Link(name="value", state="holds", text="its value changed within 20 steps"),),
            steps=(1, 20),
            norms=(0.5, 0.25),
        )
        for name in ("kernel", "bias", "scale", "offset")
    ]
    answers = (
        Answer(
            question="encoder/kernel",
            state="broken",
            summary="the chain is broken: the gradient is None",
            chains=(broken,),
            diagnoses=(found.id,),
        ),
        Answer(question="train.py:12", state="holds", summary="no broken link in 4 chains", chains=tuple(whole)),
        Answer(
            question="encodr",
            state="unknown",
            summary="nothing with this name was recorded",
            near=("encoder/bias", "encoder/kernel"),
        ),
    )
    return msgspec.structs.replace(two_joined(), answers=answers)


def in_notebook() -> Report:
    """Places in two cells of a notebook that was not run."""
    source, question = (in_cell(f"{BASE}/notes.ipynb", number) for number in (2, 5))
    found = diagnosis(
        code="TW101",
        slug="not-watched",
        severity="warning",
        certainty="likely",
        symptom=Symptom(kind="silent", location=Location(file=question, line=3, column=0, end_line=3, end_column=19)),
        primary=mark(source, 1, 4, 20, "a plain tensor, not watched"),
        related=(mark(question, 3, 0, 19, "this is None", "question"),),
    )
    excerpts = {source: {1: "x = tf.constant(3.0)"}, question: {3: "tape.gradient(y, x)"}}
    made = only_read()
    return msgspec.structs.replace(made, diagnoses=(found,), coverage=Coverage(files_read=1), excerpts=excerpts)


REPORTS = {
    made.__name__: made
    for made in (
        two_joined,
        several_files,
        hard_text,
        nothing,
        notes_only,
        without_place,
        only_read,
        not_read,
        in_notebook,
        asked,
    )
}
