"""What a person reads in the terminal: the answer first, then the code, then what to do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tensorwhy.model import messages
from tensorwhy.model.plain_text import in_log
from tensorwhy.model.report import Answer, Diagnosis, Fix, Report, TensorRef, Verification
from tensorwhy.rendering import Options, clean, counted, labels, links, paths
from tensorwhy.rendering.answers import Answers
from tensorwhy.rendering.paths import place, ruled_out, shown
from tensorwhy.rendering.snippet import Mark, Piece
from tensorwhy.rendering.snippet import lines as snippet
from tensorwhy.rendering.text import safe, wrap

if TYPE_CHECKING:
    from rich.style import Style

_STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "message": "bold",
    "gutter": "blue",
    "source": "",
    "primary": "bold red",
    "primary-warning": "bold yellow",
    "primary-note": "bold cyan",
    "secondary": "blue",
    "key": "bold blue",
    "good": "green",
    "plain": "",
}
_SYMPTOMS = {
    "none-gradient": "this gradient is None",
    "zero-gradient": "this gradient is zero",
    "exception": "the exception was raised here",
    "warning": "the warning appeared here",
    "silent": "",
}
_SEEN, _LONGEST = 200, 400
"""Characters of an exception's message that are shown; one sentence may be longer."""
_SENTENCE_END = re.compile(r"(?<=[a-z)\]`'\"]\.)(?= [A-Z])")
_DEVICE = re.compile(r"\{\{function_node [^}]*\}\} ")
"""What TensorFlow puts in front of an error of a kernel: the name of a wrapper and the device."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")
_NODE = re.compile(r"\[\[\{\{node ")
"""Stands below what failed in a graph, which TensorFlow writes at the end."""
_EXCEPTION = re.compile(r"\s*[\w.]*(Error|Exception): \S")
_LISTED = 6
_LINK = "link "
"""Follows the style of a text that leads somewhere; the rest is the address."""

_INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended."""


def render(report: Report, options: Options) -> str:
    """The whole report: what was asked first. One quiet line when there is nothing to tell."""
    terminal = _Terminal(report, options)
    return "".join(terminal.line(pieces) for pieces in terminal.lines())


def diagnoses(report: Report, options: Options) -> str:
    """Its diagnoses in full, and nothing about the report."""
    terminal = _Terminal(report, options)
    return "\n".join("".join(terminal.line(pieces) for pieces in terminal.diagnosis(each)) for each in report.diagnoses)


def answers(report: Report, options: Options) -> str:
    """What was asked of it, without the diagnoses that explain the answers."""
    terminal, found = _Terminal(report, options), Answers(report, options.width, options.base, options.unicode)
    return "\n".join("".join(map(terminal.line, found.lines(each))) for each in report.answers)


class _Terminal:
    def __init__(self, report: Report, options: Options) -> None:
        self._report = report
        self._options = options
        self._width = max(options.width, 20)
        self._by_id = {diagnosis.id: diagnosis for diagnosis in report.diagnoses}
        self._told: set[str] = set()

    def line(self, pieces: list[Piece]) -> str:
        if self._options.color:
            from rich.color import ColorSystem

            parts = (_style(style).render(text, color_system=ColorSystem.STANDARD) for text, style in pieces)
            return "".join(parts) + "\n"
        return in_log("".join(text for text, _ in pieces).rstrip()) + "\n"

    def lines(self) -> Iterator[list[Piece]]:
        for answer in self._report.answers:
            yield from self._answer(answer)
        for diagnosis in self._report.diagnoses:
            if self._in_full(diagnosis) and diagnosis.id not in self._told:
                yield from self.diagnosis(diagnosis)
                yield []
        notes = [each for each in self._report.diagnoses if not self._in_full(each) and each.id not in self._told]
        for diagnosis in notes:
            at = "" if diagnosis.primary is None else f"({place(diagnosis.primary, self._options.base)})"
            yield from self._header(diagnosis, at)
        if notes:
            yield []
        yield from self._summary()

    def _in_full(self, diagnosis: Diagnosis) -> bool:
        return self._options.verbose or diagnosis.severity != "note"

    def _answer(self, answer: Answer) -> Iterator[list[Piece]]:
        """What was asked, with everything that explains it in full."""
        yield from Answers(self._report, self._width, self._options.base, self._options.unicode).lines(answer)
        yield []
        for diagnosis in (*answer.findings, *self._report.diagnoses):
            if diagnosis.id in answer.diagnoses and diagnosis.id not in self._told:
                self._told.add(diagnosis.id)
                yield from self.diagnosis(diagnosis)
                yield []

    def diagnosis(self, diagnosis: Diagnosis) -> Iterator[list[Piece]]:
        yield from self._header(diagnosis)
        marks = self._marks(diagnosis)
        gutter = max((len(str(mark.location.line)) for mark in marks), default=1)
        files = list(dict.fromkeys(mark.location.file for mark in marks))
        for number, file in enumerate(files):
            here = [mark for mark in marks if mark.location.file == file]
            yield from self._file(here, gutter, "--> " if number == 0 else "::: ")
        for key, text, style in self._remarks(diagnosis):
            yield from self._remark(key, text, style, gutter)

    def _file(self, marks: list[Mark], gutter: int, arrow: str) -> Iterator[list[Piece]]:
        """The marks of one file under its name; one whose source is not at hand is a line of its own."""
        source = self._report.excerpts.get(marks[0].location.file, {})
        readable = [mark for mark in marks if mark.location.line in source]
        lead = (" " * gutter + arrow, "key")
        if readable:
            yield [lead, (self._text(place(readable[0].location, self._options.base)), self._link(readable[0]))]
            yield [(" " * gutter + " |", "gutter")]
            yield from snippet(readable, source, gutter, self._width, self._options.unicode)
        for mark in marks:
            if mark not in readable:
                label = f" ({mark.label})" if mark.label else ""
                yield [lead, (self._text(place(mark.location, self._options.base) + label), self._link(mark))]

    def _link(self, mark: Mark) -> str:
        """The style of a place: a link to its line, where there is such a file."""
        location = mark.location
        if not self._options.links or location.file.startswith("<") or not os.path.isabs(location.file):
            return "plain"
        return f"plain {_LINK}{Path(location.file).as_uri()}#{location.line}"

    def _header(self, diagnosis: Diagnosis, suffix: str = "") -> Iterator[list[Piece]]:
        head = f"{diagnosis.severity}[{diagnosis.code} {diagnosis.slug}]"
        first, *rest = wrap(f"{head}: {self._text(f'{diagnosis.message} {suffix}')}", self._width)
        if first.startswith(head):
            before, code, after = head.partition(diagnosis.code)
            style = diagnosis.severity
            link = f"{style} {_LINK}{links.catalogue(code, diagnosis.slug)}" if self._options.links else style
            yield [(before, style), (code, link), (after, style), (first[len(head) :], "message")]
        else:
            yield [(first, diagnosis.severity)]
        for line in rest:
            yield [(line, "message")]

    def _marks(self, diagnosis: Diagnosis) -> list[Mark]:
        marks = []
        primary = "primary" if diagnosis.severity == "error" else f"primary-{diagnosis.severity}"
        if diagnosis.primary is not None:
            marks.append(Mark(diagnosis.primary, diagnosis.primary.label, primary))
        for related in diagnosis.related:
            marks.append(Mark(related, related.label or related.role, "secondary"))
        seen = diagnosis.symptom.location
        if seen is not None and not any(
            mark.location.file == seen.file
            and mark.location.line <= seen.line <= (mark.location.end_line or mark.location.line)
            for mark in marks
        ):
            marks.append(Mark(seen, _SYMPTOMS[diagnosis.symptom.kind], "secondary" if marks else primary))
        return marks

    def _remarks(self, diagnosis: Diagnosis) -> Iterator[tuple[str, str, str]]:
        if diagnosis.also:
            yield "also", _names(diagnosis.also, None if self._options.verbose else _LISTED), "plain"
        for name in diagnosis.together_with[: None if self._options.verbose else 3]:
            other = self._by_id.get(name)
            if other is not None and self._in_full(other):
                where = ""
                if other.primary is not None:
                    where = f" ({shown(other.primary.file, self._options.base)}:{other.primary.line})"
                yield (
                    "see also",
                    f"{other.code} {other.slug}, {_beyond(diagnosis.message, other.message)}{where}",
                    "plain",
                )
        if diagnosis.symptom.kind in ("exception", "warning") and diagnosis.symptom.message:
            yield "seen as", _first_line(diagnosis.symptom.message), "plain"
        for note in diagnosis.notes:
            yield "note", note, "plain"
        if diagnosis.ruled_out:
            yield labels.RULED_OUT, ruled_out(diagnosis.ruled_out), "plain"
        if often := labels.seen(diagnosis, self._report):
            yield "note", often, "plain"
        if diagnosis.certainty != "proved" and self._report.coverage.files_read is None:
            yield (
                diagnosis.certainty,
                diagnosis.doubt or "everything recorded fits this, but nothing confirms it",
                "plain",
            )
        yield from _check(diagnosis.experiment)
        said = set()
        for fix in diagnosis.fixes:  # other edits of the same words are not told unless they were tried
            if any(_check(fix.verification)) or (fix.summary, fix.caveat) not in said:
                yield from _fix(fix)
            said.add((fix.summary, fix.caveat))

    def _remark(self, key: str, text: str, style: str, gutter: int) -> Iterator[list[Piece]]:
        lead = " " * gutter + " = "
        head = f"{key}: "
        hang = min(len(lead) + len("fix: "), self._width // 3)
        first, *rest = wrap(head + self._text(text), self._width - hang, first=self._width - len(lead))
        yield [(lead, "gutter"), (first[: len(head)], "key"), (first[len(head) :], style)]
        for line in rest:
            yield [(" " * hang + line, style)]

    def _summary(self) -> Iterator[list[Piece]]:
        coverage = self._report.coverage
        recorded = f"{counted(coverage.recorded_ops, 'op')} recorded"
        if len(self._report.workers) > 1:
            recorded += f" by {len(self._report.workers)} workers"
        counts = [
            counted(number, severity)
            for severity in ("error", "warning", "note")
            if (number := sum(diagnosis.severity == severity for diagnosis in self._report.diagnoses))
        ]
        broken = any(answer.state == "broken" for answer in self._report.answers)
        if coverage.unread and not coverage.files_read:
            text = ""
        elif coverage.files_read is not None:
            read = f"{counted(coverage.files_read, 'file')} read, nothing run"
            text = f"tensorwhy: {', '.join(counts) or 'nothing found'}; {read}"
        elif counts:
            text = f"tensorwhy: {', '.join(counts)}; {recorded}"
        elif not self._report.environment.frameworks:
            text = ""
        elif self._report.program.exit_code == _INTERRUPTED:
            text = f"tensorwhy: interrupted; {clean(coverage)} ({recorded})"
        elif self._report.program.exit_code:
            text = f"tensorwhy: the program failed, and no explanation was found ({recorded})"
        elif coverage.blind:
            text = ""
        elif broken:
            text = f"tensorwhy: {recorded}"
        else:
            text = f"tensorwhy: {clean(coverage)} ({recorded})"
        if text:
            for line in wrap(text, self._width):
                yield [(line, "plain")]
        for unread in coverage.unread:
            first, *rest = wrap(
                f"tensorwhy: error: {self._text(paths.unread(unread, self._options.base))}", self._width
            )
            yield [(first, "error")]
            yield from ([(line, "plain")] for line in rest)
        for unobserved in coverage.unobserved:
            told = self._text(paths.told(unobserved, self._options.base))
            for line in wrap(f"tensorwhy: not covered: {told}", self._width):
                yield [(line, "plain")]

    def _text(self, text: str) -> str:
        return safe(" ".join(text.split()), self._options.unicode)


def _style(name: str) -> Style:
    from rich.style import Style

    plain, _, address = name.partition(f" {_LINK}")
    return Style.parse(_STYLES[plain]) + Style(link=address or None)


def _fix(fix: Fix) -> Iterator[tuple[str, str, str]]:
    yield labels.fix(fix), fix.summary, "plain"
    if fix.caveat:
        yield (*labels.caveat(fix.caveat), "plain")
    yield from _check(fix.verification)


def _check(check: Verification) -> Iterator[tuple[str, str, str]]:
    if check.status == "confirmed":
        yield labels.check(check), check.evidence or "an experiment agreed", "good"
    elif check.status == "refuted":
        yield labels.check(check), check.evidence or "the problem remained", "warning"
    elif check.evidence and check.method != "none":
        yield labels.check(check), check.evidence, "plain"


def _names(refs: tuple[TensorRef, ...], most: int | None) -> str:
    names = list(dict.fromkeys(_quoted(ref.name or ref.layer or ref.kind) for ref in refs))
    more = f" and {len(names) - most} more" if most is not None and len(names) > most else ""
    return ", ".join(names[:most]) + more


def _beyond(message: str, other: str) -> str:
    """What `other` says beyond the words before a colon that both begin with."""
    start, colon, rest = other.partition(": ")
    return rest if colon and message.startswith(start + colon) else other


def _first_line(message: str) -> str:
    """Return the line that says most. Keras starts with the name of the layer, AutoGraph with a traceback, and a graph
    with the stack of its node; what failed comes later."""
    lines = [line.strip() for line in message.splitlines() if line.strip()] or [""]
    own = [at for at, line in enumerate(lines) if at and _EXCEPTION.match(line)]
    line = messages.told(lines, 0)
    node = next((at for at, each in enumerate(lines) if at and _NODE.match(each)), None)
    if line.endswith(":") and own:
        line = messages.told(lines, own[-1])
    elif line.endswith(": Graph execution error:") and node is not None:
        line = f"{line.partition(':')[0]}: {lines[node - 1]}"
    return _shortened(_ADDRESS.sub("", _DEVICE.sub("", line)))


def _shortened(line: str) -> str:
    """Return whole sentences of a line, as many as there is room for, or the words of a single long one."""
    if len(line) <= _SEEN:
        return line
    ends = [end.start() for end in _SENTENCE_END.finditer(line) if end.start() <= _LONGEST]
    if ends:
        return line[: max((end for end in ends if end <= _SEEN), default=ends[0])] + " …"
    return line[:_LONGEST].rpartition(" ")[0] + " …" if len(line) > _LONGEST else line


def _quoted(name: str) -> str:
    return name if "`" in name else f"`{name}`"
