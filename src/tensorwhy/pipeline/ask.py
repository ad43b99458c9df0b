"""Answers a question about one name or line: finds what is meant, and tells its whole chain.

There is always an answer. Where nothing has this name or stands at this line, it says what there is nearby.
"""

from __future__ import annotations

import ast
import difflib
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from tensorwhy.adapters.protocol import Tracing
from tensorwhy.diagnosis import tracing
from tensorwhy.diagnosis.chains import chain
from tensorwhy.diagnosis.excerpts import excerpts
from tensorwhy.model.location import Location
from tensorwhy.model.report import Answer, Chain, Coverage, Diagnosis, LinkState
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.adapters.protocol import Inquirable
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.inquiry import Seen, Subject
    from tensorwhy.model.tracing import Trace

_AT_LINE = re.compile(r"(?P<file>.+):(?P<line>[0-9]+)(?::(?P<name>[A-Za-z_][\w.]*))?")
_FILE = re.compile(r".+\.(py|ipynb|pyw)")
_NEAR, _MOST_CHAINS = 6, 400
Explain = Callable[["list[CaseGroup]"], "tuple[Diagnosis, ...]"]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks about: a line (of a file), a name, or both."""

    text: str
    file: str = ""
    line: int = 0
    name: str = ""


def parse(text: str) -> Question:
    """`FILE:LINE`, `FILE:LINE:NAME` or a name such as `encoder/kernel`. Raises ValueError, with the reason."""
    found = _AT_LINE.fullmatch(text)
    if found is not None and (int(found["line"]) or _FILE.fullmatch(found["file"])):
        # TensorFlow's own names end in `:0`; no line does.
        if not int(found["line"]):
            raise ValueError("line numbers start at 1")
        return Question(text=text, file=found["file"], line=int(found["line"]), name=found["name"] or "")
    if not text.strip():
        raise ValueError("it is empty; pass FILE:LINE or a name")
    file, _, rest = text.partition(":")
    if _FILE.fullmatch(file):
        raise ValueError(f"{rest!r} is not a line number; pass FILE:LINE, such as {file}:12")
    return Question(text=text, name=text.strip())


class Asking:
    """Answers questions about one run.

    `explain` turns groups of facts that the report does not have into diagnoses.
    """

    def __init__(
        self, sessions: Sequence[Inquirable], diagnoses: Sequence[Diagnosis], coverage: Coverage, explain: Explain
    ) -> None:
        self._sessions = sessions
        self._diagnoses = diagnoses
        self._coverage = coverage
        self._explain = explain
        self._sources = Sources()
        self._count = 0
        self._excerpts: dict[str, dict[int, str]] = {}

    def shown(self, known: dict[str, dict[int, str]]) -> dict[str, dict[int, str]]:
        """The source lines that a report shows, and those that the answers do."""
        files = sorted({*known, *self._excerpts})
        return {file: dict(sorted({**known.get(file, {}), **self._excerpts.get(file, {})}.items())) for file in files}

    def answer(self, question: Question) -> Answer:
        """What is known of what the question names."""
        seen = [each for session, subject in self._meant(question) for each in session.seen(subject)]
        # A line may have a part in some of the program's gradients: those that it has none in say nothing of it.
        seen = [each for each in seen if each.used or each.requested] or seen[:1]
        touching = [each for each in self._diagnoses if _touches(each, question)]
        functions = self._functions(question)
        if not seen and not touching and not functions:
            return self._unknown(question)
        return self.told(question.text, seen, touching, functions)

    @functools.cached_property
    def _traces(self) -> list[tuple[Trace, ...]]:
        return [tuple(each.traces()) for each in self._sessions if isinstance(each, Tracing)]

    def _functions(self, question: Question) -> list[Chain]:
        """The traced functions that are defined or called at a line, or have a name."""
        found = []
        for rows in self._traces:
            for traces in tracing.together(rows):
                places = [place for each in traces for place in (each.defined, each.called) if place is not None]
                at = traces[0].defined is not None and any(_is_at(place, question) for place in places)
                if at if question.line else question.name == traces[0].function:
                    about = (each.id for each in self._diagnoses if _concerns(each, traces[0]))
                    found.append(tracing.chain(traces, tuple(about)))
        return found

    def told(
        self, text: str, seen: Iterable[Seen], touching: Iterable[Diagnosis] = (), functions: Iterable[Chain] = ()
    ) -> Answer:
        """The answer that these observations give."""
        findings: dict[str, Diagnosis] = {}
        chains = list(functions)
        for each in _distinct(seen)[:_MOST_CHAINS]:
            named = dict.fromkeys(d.id for d in self._diagnoses if _is_about(d, each))
            for diagnosis in self._reasons(each):
                findings.update({diagnosis.id: diagnosis} if diagnosis not in self._diagnoses else {})
                named[diagnosis.id] = None
            chains.append(chain(each, tuple(named), self._sources))
        every = dict.fromkeys(name for each in chains for name in each.diagnoses)
        every.update(dict.fromkeys(each.id for each in touching))
        for file, lines in excerpts(findings.values(), self._sources).items():
            self._excerpts.setdefault(file, {}).update(lines)
        return Answer(
            question=text,
            state=_together(chains) if chains else "broken",
            summary=_summary(chains, len(every)),
            chains=tuple(chains),
            diagnoses=tuple(every),
            findings=tuple(findings.values()),
            not_covered=self._coverage.unobserved,
        )

    def _reasons(self, seen: Seen) -> Iterator[Diagnosis]:
        """Why a gradient does not arrive: as the report says it, where it does."""
        if not seen.gradient.groups:
            return
        known = {_identity(each): each for each in self._diagnoses}
        for diagnosis in self._explain(list(seen.gradient.groups)):
            self._count += 1
            yield known.get(_identity(diagnosis)) or msgspec.structs.replace(
                diagnosis, id=f"q{self._count}", together_with=()
            )

    # -- what is meant -------------------------------------------------------------------------------------------

    def _meant(self, question: Question) -> list[tuple[Inquirable, Subject]]:
        if question.line:
            return self._at_line(question)
        every = [(session, subject) for session in self._sessions for subject in session.subjects()]
        for matches in (_is_named, _ends_with, _is_within):
            found = [each for each in every if any(matches(name, question.name) for name in each[1].names)]
            if found:
                return found
        places = set(self._bindings(question.name))
        return [
            (session, subject)
            for session in self._sessions
            for subject in session.made_at(lambda place: (place.file, place.line) in places)
        ]

    def _at_line(self, question: Question) -> list[tuple[Inquirable, Subject]]:
        every = [
            (session, subject)
            for session in self._sessions
            for subject in session.subjects()
            if any(_is_at(place, question) for place in subject.places)
        ]
        named = [each for each in every if question.name and question.name in each[1].names]
        for kind in ("gradient", "update", "variable"):
            found = [each for each in named or every if each[1].kind == kind]
            if found and (named or not question.name):
                return found
        return [
            (session, subject)
            for session in self._sessions
            for subject in session.made_at(lambda place: _is_at(place, question))
        ]

    def _bindings(self, name: str) -> Iterator[tuple[str, int]]:
        """The lines at which the program gives a value to this name."""
        for file in {place.file for session in self._sessions for place in session.lines()}:
            for node in self._sources.nodes(file):
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    parts = (p for t in targets for p in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t]))
                    if any(ast.unparse(part) == name for part in parts):
                        yield from ((file, line) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))

    # -- what there is -------------------------------------------------------------------------------------------

    def _unknown(self, question: Question) -> Answer:
        """Nothing has this name or stands at this line: what is nearest."""
        if question.line:
            summary, near = self._near_line(question)
        else:
            names = {name for session in self._sessions for subject in session.subjects() for name in subject.names}
            near = tuple(difflib.get_close_matches(question.name, sorted(names), _NEAR, 0.5)) or tuple(
                sorted(names)[:_NEAR]
            )
            summary = "nothing with this name was recorded"
        return Answer(
            question=question.text, state="unknown", summary=summary, near=near, not_covered=self._coverage.unobserved
        )

    def _near_line(self, question: Question) -> tuple[str, tuple[str, ...]]:
        known = {(place.file, place.line) for session in self._sessions for place in session.lines()}
        for session in self._sessions:
            known |= {(place.file, place.line) for subject in session.subjects() for place in subject.places}
        here = sorted((abs(line - question.line), file, line) for file, line in known if _is_file(file, question.file))
        if here:
            lines = sorted((file, line) for _, file, line in here[:_NEAR])
            near = tuple(
                f"{os.path.basename(file)}:{line} `{self._sources.line(file, line).strip()}`" for file, line in lines
            )
            return "no operation was recorded on this line", near
        files = sorted({file for file, _ in known})
        return "nothing was recorded in a file with this name", tuple(files[:_NEAR])


def _together(chains: Sequence[Chain]) -> LinkState:
    states = [each.state for each in chains]
    return "broken" if "broken" in states else "unknown" if "unknown" in states else "holds"


def _summary(chains: Sequence[Chain], diagnoses: int) -> str:
    """The answer in one sentence."""
    broken = [each for each in chains if each.state == "broken"]
    if not chains:
        return f"{diagnoses} finding{'' if diagnoses == 1 else 's'} on this line"
    if broken:
        count = "the chain is broken" if len(chains) == 1 else f"{len(broken)} of {len(chains)} chains are broken"
        first = next(link for link in broken[0].links if link.state == "broken")
        return f"{count}: {first.text.partition(', one of ')[0]}"
    if all(each.subject.kind == "function" for each in chains):
        return "; ".join(f"`{each.subject.name}` was {each.links[0].text.partition(',')[0]}" for each in chains)
    if all(each.state == "holds" for each in chains):
        return "no broken link" if len(chains) == 1 else f"no broken link in {len(chains)} chains"
    return "no broken link was found, but not every link was observed"


def _distinct(seen: Iterable[Seen]) -> list[Seen]:
    """The same variable in the same place is told once."""
    return list({(each.subject, each.asked and each.asked.at): each for each in seen}.values())


def _identity(diagnosis: Diagnosis) -> tuple[object, ...]:
    at = diagnosis.primary
    return diagnosis.code, at and at.order, diagnosis.message if at is None else ""


def _is_about(diagnosis: Diagnosis, seen: Seen) -> bool:
    """Whether a diagnosis names this variable as what lost its gradient, in this place, or its training."""
    subject = seen.subject
    elsewhere = seen.gradient.arrives and diagnosis.family == "gradient" and diagnosis.symptom.kind != "silent"
    if subject.kind != "variable" or elsewhere:
        return False
    name = subject.name.removesuffix(":0").rpartition("/")[2]
    return any(
        ref is not None
        and ref.kind == "variable"
        and ref.name.removesuffix(":0").rpartition("/")[2] == name
        and (ref.shape is None or ref.shape == subject.shape)
        and not (ref.layer and subject.layer and ref.layer != subject.layer)
        for ref in (diagnosis.source, *diagnosis.also)
    )


def _concerns(diagnosis: Diagnosis, trace: Trace) -> bool:
    """Whether a diagnosis is of the traced function itself."""
    marks = (diagnosis.primary, *diagnosis.related)
    return trace.defined is not None and any(
        place is not None and (place.file, place.line) == (trace.defined.file, trace.defined.line) for place in marks
    )


def _touches(diagnosis: Diagnosis, question: Question) -> bool:
    """Whether a diagnosis has a mark on the line that is asked about."""
    places = (diagnosis.primary, diagnosis.symptom.location, *diagnosis.related)
    return bool(question.line) and any(place is not None and _is_at(place, question) for place in places)


def _is_at(place: Location, question: Question) -> bool:
    last = place.end_line or place.line
    return place.line <= question.line <= last and _is_file(place.file, question.file)


def _is_file(file: str, given: str) -> bool:
    """Whether this is the file that somebody means, by its path or by the end of it."""
    if file == given or os.path.abspath(given) == file:
        return True
    ending = os.path.normpath(given)
    return not os.path.isabs(ending) and file.replace(os.sep, "/").endswith("/" + ending.replace(os.sep, "/"))


def _is_named(name: str, wanted: str) -> bool:
    return name.removesuffix(":0") == wanted.removesuffix(":0")


def _ends_with(name: str, wanted: str) -> bool:
    return name.removesuffix(":0").endswith("/" + wanted.removesuffix(":0").lstrip("/"))


def _is_within(name: str, wanted: str) -> bool:
    """Whether it belongs to a layer, or to a part of a model, with this name."""
    return f"/{wanted.strip('/')}/" in f"/{name}"
