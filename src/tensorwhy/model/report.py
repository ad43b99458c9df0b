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
LinkName = Literal[
    "made", "used", "watched", "path", "gradient", "update", "value", "traced", "trace", "read", "created", "escaped"
]
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
    """The result of an experiment on a fix.

    "confirmed": the fix restored what was lost. "refuted": it did not. "unverified": not tested, or the experiment was
    inconclusive; `evidence` says why. `method`: "replay" of the recorded step, or "rerun" of a changed copy.
    """

    status: Literal["confirmed", "refuted", "unverified"] = "unverified"
    method: Literal["replay", "rerun", "none"] = "none"
    evidence: str = ""


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """One way to fix it. `caveat` says when this fix would be wrong."""

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
    """A tensor or variable. `name` is the user's own name for it, if known."""

    name: str = ""
    kind: Literal["tensor", "variable", "keras-tensor", "symbolic", "array", "function", "other"] = "tensor"
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
    """Something that is often blamed, but makes no difference here according to an experiment."""

    what: str
    location: Location | None = None


class LineageNode(msgspec.Struct, frozen=True, kw_only=True):
    """One operation, or a leaf, in the picture of a lineage.

    `name` is the user's own name for its result, if known. `layer` is the slash-separated path of the layers it ran in.
    `connected` means that it passes the gradient (or the history) on. `stands_for` counts the operations that a summary
    node replaces.
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

    `connected` is false if this input is cut although the node passes a gradient to its other inputs. `label` is shown
    next to a cut, usually the code of its reason.
    """

    start: str
    end: str
    connected: bool = True
    label: str = ""


class LineageView(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a lineage that is drawn: all paths from source to target, and their neighbors.

    `omitted` counts the recorded operations that are neither in it nor represented by a summary node.
    """

    nodes: tuple[LineageNode, ...] = ()
    edges: tuple[LineageEdge, ...] = ()
    omitted: int = 0


class VariableView(msgspec.Struct, frozen=True, kw_only=True):
    """The history of one variable over the recorded steps.

    `norms` has one entry for each of `steps`: the norm of the gradient, or None if the gradient was None. A norm that
    is not finite is a word, because JSON has no number for it.
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

    It was `seen` this many times in this many recorded `steps` of its kind (0: unknown).
    `workers` found it, in a report of several workers. `experiment` is the result of an experiment on the explanation
    itself, if no fix is exactly what was tested. `doubt` names what keeps it from being proved.
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
    doubt: str = ""
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
    """One link of a chain, in words. `unknown` means that it was not observed, not that it is broken."""

    name: LinkName
    state: LinkState
    text: str
    location: Location | None = None


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """One variable or tensor in one gradient question of the program; or one traced function, with its traces.

    `path` are the operations from it to the target. `norms` has one entry for each of `steps`; a norm that is not
    finite is a word, because JSON has no number for it. `diagnoses` are the ids of the diagnoses that explain the
    broken link.
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
    """The answer to a question of the user.

    - `question`: the question as it was asked. `summary`: the answer in one sentence.
    - `findings`: diagnoses that are not in the report, because the program itself never computed these gradients.
    - `diagnoses`: the ids of all diagnoses for this question. `near`: similar names, if nothing has this name.
    - `not_covered`: what was not checked.
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
    """A requested file that could not be read, and why."""

    file: str
    reason: str
    line: int | None = None


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What was observed and, in words, what was not.

    `steps` counts the gradient calls of the program, `steps_recorded` the recorded ones. `files_read` counts the source
    files if they were read and nothing was run; otherwise it is None. `unread` are the files that could not be read.
    """

    recorded_ops: int = 0
    steps: int = 0
    steps_recorded: int = 0
    unobserved: tuple[str, ...] = ()
    files_read: int | None = None
    unread: tuple[Unread, ...] = ()

    @property
    def blind(self) -> bool:
        """Return whether nothing was recorded for a known reason, so an empty report says nothing."""
        return not self.recorded_ops and bool(self.unobserved)


class WorkerView(msgspec.Struct, frozen=True, kw_only=True):
    """One of several recorded processes. `ended` is false if it was killed or is still running."""

    name: str
    steps: int = 0
    recorded_ops: int = 0
    ended: bool = True


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of one run, and the answers to the questions about it.

    `excerpts` contains the source lines of the locations (file -> line -> text without its line end), so a report can
    be read without the source. `workers` is set if the report was merged from a trace.
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
        clean = "nothing was observed" if looked.blind else f"nothing found in {at}"
        return views.line("Report", f"{', '.join(found)} ({codes})" if found else clean)

    def __str__(self) -> str:
        return views.presenter().text(self)

    def _repr_html_(self) -> str:
        return views.presenter().fragment(self)

    def to_html(self) -> str:
        """Return the report as one self-contained HTML document, as `--format html` writes it."""
        return views.presenter().page(self)

    def to_json(self) -> str:
        """Return the report as JSON of the schema `tensorwhy.report/1`, as `--format json` writes it."""
        return views.presenter().json(self)

    def show(self) -> None:
        """Display the report below a notebook cell, or print it to standard error."""
        views.presenter().show(self)

    def worst(self) -> Severity | None:
        """Return the highest severity in the report; None if there are no diagnoses."""
        for severity in ("error", "warning", "note"):
            if any(d.severity == severity for d in self.diagnoses):
                return severity
        return None

    def fails(self, on: str | None) -> bool:
        """Return whether there is a finding of severity `on` or higher (None: never)."""
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
