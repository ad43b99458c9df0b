"""The report: what every renderer, editor and service reads. Schema `tensorwhy.report/1`."""

from __future__ import annotations

import inspect
from typing import Any, Final, Literal

import msgspec

from tensorwhy.model import views
from tensorwhy.model.location import Location, Marked
from tensorwhy.model.messages import counted

SCHEMA: Final = "tensorwhy.report/1"

Severity = Literal["error", "warning", "note"]
Certainty = Literal["proved", "likely", "possible"]
Family = Literal[
    "gradient", "zero-gradient", "keras-history", "graph", "loop", "variable", "refusal", "data", "unexplained"
]
LinkName = Literal["made", "used", "watched", "path", "gradient", "update", "value"]
LinkState = Literal["holds", "broken", "unknown"]
SymptomKind = Literal["none-gradient", "zero-gradient", "exception", "warning", "silent"]


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A point in a file: 1-based line, 0-based column in code points."""

    line: int
    column: int


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """Replace the text from `start` up to `end` (exclusive) of `file`."""

    file: str
    start: Position
    end: Position
    replacement: str


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment said of a fix.

    "confirmed": with it, what was lost came back. "refuted": it did not. "unverified": not tried, or the experiment
    could not tell; `evidence` says why. `method`: "replay" of the recorded step, or "rerun" of a changed copy.
    """

    status: Literal["confirmed", "refuted", "unverified"] = "unverified"
    method: Literal["replay", "rerun", "none"] = "none"
    evidence: str = ""


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """One way to repair it. `caveat` says when this fix would be wrong."""

    summary: str
    edits: tuple[Edit, ...] = ()
    caveat: str = ""
    verification: Verification = Verification()


class Symptom(msgspec.Struct, frozen=True, kw_only=True):
    """What the user saw, and where: usually not the line to change."""

    kind: SymptomKind
    message: str = ""
    location: Location | None = None


class TensorRef(msgspec.Struct, frozen=True, kw_only=True):
    """A tensor or variable as people name it. `name` is the user's own name for it where one is known."""

    name: str = ""
    kind: Literal["tensor", "variable", "keras-tensor", "symbolic", "array", "other"] = "tensor"
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    location: Location | None = None
    layer: str = ""


class PathStep(msgspec.Struct, frozen=True, kw_only=True):
    """One operation between source and target, in the order of execution."""

    op: str
    location: Location | None = None
    layer: str = ""
    connected: bool = True


class RuledOut(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is often blamed, and that an experiment showed to make no difference here."""

    what: str
    location: Location | None = None


class LineageNode(msgspec.Struct, frozen=True, kw_only=True):
    """One operation, or a leaf, in the picture of a lineage.

    `name` is the user's own name for its result, where one is known. `layer` is the slash-separated path of the layers
    it ran in. `connected` says that it passes the gradient (or the history) on. `stands_for` counts the operations
    that a summary node replaces.
    """

    id: str
    op: str
    name: str = ""
    role: Literal["source", "target", "variable", "constant", "op"] = "op"
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    layer: str = ""
    location: Location | None = None
    connected: bool = True
    stands_for: int = 1


class LineageEdge(msgspec.Struct, frozen=True, kw_only=True):
    """A value that flows from the node `start` into the node `end`.

    `connected` is false where this input is cut although the node itself passes a gradient to its other inputs.
    `label` is what a reader finds beside a cut, usually the code of its reason.
    """

    start: str
    end: str
    connected: bool = True
    label: str = ""


class LineageView(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a lineage that is worth a picture: all paths from source to target, and what they touch.

    `omitted` counts the recorded operations that are neither in it nor stood for.
    """

    nodes: tuple[LineageNode, ...] = ()
    edges: tuple[LineageEdge, ...] = ()
    omitted: int = 0


class VariableView(msgspec.Struct, frozen=True, kw_only=True):
    """How one variable fared over the recorded steps.

    `norms` has one entry for each of `steps`: the gradient's norm, or None where the gradient was None. JSON has no
    number for a norm that is not finite, so those are words.
    """

    name: str
    layer: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    trainable: bool | None = None
    tracked: bool | None = None
    updated: bool | None = None
    gradient: Literal["flows", "zero", "none", "unknown"] = "unknown"
    steps: tuple[int, ...] = ()
    norms: tuple[float | Literal["nan", "inf"] | None, ...] = ()
    diagnoses: tuple[str, ...] = ()


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """One reason at one place, with its evidence.

    It was `seen` so many times in so many recorded `steps` of its kind (0: unknown).
    `workers` are those that found it, in a report that several workers recorded. `experiment` is what an
    experiment said of the explanation, where no fix is the very thing that was tried.
    """

    id: str
    code: str
    slug: str
    family: Family
    severity: Severity
    certainty: Certainty
    message: str
    primary: Marked | None
    related: tuple[Marked, ...] = ()
    symptom: Symptom
    target: TensorRef | None = None
    source: TensorRef | None = None
    also: tuple[TensorRef, ...] = ()
    path: tuple[PathStep, ...] = ()
    lineage: LineageView | None = None
    together_with: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    seen: int = 1
    steps: int = 0
    experiment: Verification = Verification()
    workers: tuple[str, ...] = ()

    def __repr__(self) -> str:
        place = f" ({self.primary.file}:{self.primary.line})" if self.primary is not None else ""
        return views.line("Diagnosis", f"{self.code} {self.slug}{place}, {self.severity}: {self.message}")

    def __str__(self) -> str:
        return views.presenter().diagnoses(self._alone())

    def _repr_html_(self) -> str:
        return views.presenter().fragment(self._alone())

    def _alone(self) -> Report:
        """A report of nothing else, with those lines of its source that can be found."""
        return Report(
            tool_version="",
            program=Program(path=""),
            environment=Environment(python=""),
            diagnoses=(self,),
            excerpts=views.excerpts((self.primary, *self.related, self.symptom.location)),
        )


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a chain, in words. `unknown` says that it was not observed, never that it is broken."""

    name: LinkName
    state: LinkState
    text: str
    location: Location | None = None


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """One variable or tensor in one gradient question of the program.

    `path` are the operations from it to the target. `norms` has one entry for each of `steps`; a norm that is not
    finite is a word, because JSON has no number for it. `diagnoses` are the ids of what explains the broken link.
    """

    subject: TensorRef
    state: LinkState
    links: tuple[Link, ...]
    asked: Location | None = None
    path: tuple[PathStep, ...] = ()
    steps: tuple[int, ...] = ()
    norms: tuple[float | Literal["nan", "inf"] | None, ...] = ()
    diagnoses: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of what was asked.

    - `question`: the words of whoever asked. `summary`: the answer in one sentence.
    - `findings`: diagnoses that are not in the report, because the program itself never asked for these gradients.
    - `diagnoses`: the ids of all that concern this question. `near`: what there is, when nothing has this name.
    - `not_covered`: what was not looked at.
    """

    question: str
    state: LinkState
    summary: str
    chains: tuple[Chain, ...] = ()
    diagnoses: tuple[str, ...] = ()
    findings: tuple[Diagnosis, ...] = ()
    near: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()


class Program(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    argv: tuple[str, ...] = ()
    exit_code: int = 0


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    python: str
    frameworks: dict[str, str] = {}


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was asked for and could not be read, and why."""

    file: str
    reason: str
    line: int | None = None


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked at, and, in plain words, what was not.

    `steps` counts the gradients that the program asked for, `steps_recorded` those whose computation was recorded.
    `files_read` counts the source files where those were read and nothing was run; else it is None. `unread` are those
    that could not be.
    """

    recorded_ops: int = 0
    steps: int = 0
    steps_recorded: int = 0
    unobserved: tuple[str, ...] = ()
    files_read: int | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def blind(self) -> bool:
        """Nothing was recorded, and it is known why: that nothing was found says nothing."""
        return not self.recorded_ops and bool(self.unobserved)


class WorkerView(msgspec.Struct, frozen=True, kw_only=True):
    """One of several processes that recorded. `ended` is false for one that was killed, or was running still."""

    name: str
    steps: int = 0
    recorded_ops: int = 0
    ended: bool = True


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found in one run, and the answers to what was asked of it.

    `excerpts` keeps the source lines that the locations point at (file -> line -> text without its line end), so that
    a report can be read where the source is not. `workers` are there when it was put together from a trace.
    """

    tool_version: str
    program: Program
    environment: Environment
    diagnoses: tuple[Diagnosis, ...] = ()
    answers: tuple[Answer, ...] = ()
    variables: tuple[VariableView, ...] = ()
    coverage: Coverage = Coverage()
    excerpts: dict[str, dict[int, str]] = {}
    workers: tuple[WorkerView, ...] = ()
    schema: Literal["tensorwhy.report/1"] = SCHEMA

    def __repr__(self) -> str:
        found = [
            counted(number, severity)
            for severity in ("error", "warning", "note")
            if (number := sum(diagnosis.severity == severity for diagnosis in self.diagnoses))
        ]
        codes = ", ".join(dict.fromkeys(diagnosis.code for diagnosis in self.diagnoses))
        looked, files = self.coverage, self.coverage.files_read
        at = counted(looked.steps_recorded, "recorded step") if files is None else counted(files, "file")
        return views.line("Report", f"{', '.join(found)} ({codes})" if found else f"nothing found in {at}")

    def __str__(self) -> str:
        return views.presenter().text(self)

    def _repr_html_(self) -> str:
        return views.presenter().fragment(self)

    def to_html(self) -> str:
        """The report as one HTML document that needs nothing else: what `--format html` writes."""
        return views.presenter().page(self)

    def to_json(self) -> str:
        """The report as JSON of the schema `tensorwhy.report/1`: what `--format json` writes."""
        return views.presenter().json(self)

    def show(self) -> None:
        """Display it under a notebook's cell, or print it to standard error."""
        views.presenter().show(self)

    def worst(self) -> Severity | None:
        """The gravest severity in the report; None when there is nothing in it."""
        for severity in ("error", "warning", "note"):
            if any(d.severity == severity for d in self.diagnoses):
                return severity
        return None

    def fails(self, on: str | None) -> bool:
        """Whether something as grave as `on` ("error", "warning", None: nothing is) was found."""
        grave = {"error": ("error",), "warning": ("error", "warning")}.get(on or "", ())
        return self.worst() in grave


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a report, as published in `report.schema.json`."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Report)}
    for definition in schema["$defs"].values():
        # Python 3.13 takes the indentation out of docstrings, earlier ones keep it.
        if "description" in definition:
            definition["description"] = inspect.cleandoc(definition["description"])
    return schema
