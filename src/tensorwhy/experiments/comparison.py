"""What a re-run says of a repair: is the symptom gone, and is nothing new there?"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from tensorwhy.experiments.rerun import Ran
from tensorwhy.model.location import Location
from tensorwhy.model.report import Diagnosis, Report, Verification

_GRADIENTS = ("gradient", "zero-gradient")
Where = Callable[[Location], tuple[str, int]]
Symptom = tuple[str, tuple[str, int] | None, str]
"""Its kind, where it was seen (in the unchanged files), and the source that it is about."""


def judged(before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where) -> Verification:
    """Confirmed: the symptoms of the whole group are gone, nothing else came, and the program ends no worse.

    `where` gives the place in the unchanged files for a place in the changed ones.
    """
    if before.report is None or after.report is None:
        return _unverified(f"the re-run gave no report{_said(after)}")
    wanted = {symptom for diagnosis in group for symptom in symptoms(diagnosis, _as_it_is)}
    known = {symptom for diagnosis in before.report.diagnoses for symptom in symptoms(diagnosis, _as_it_is)}
    left = [diagnosis for diagnosis in after.report.diagnoses if wanted & symptoms(diagnosis, where)]
    if left:
        return _refuted(f"it does not suffice: {_names(left)} with this change")
    fails = after.exit_code != 0 and not (after.stopped or after.answered)
    if fails and before.exit_code == 0:
        return _refuted(f"with this change the program fails{_said(after)}")
    new = [each for each in grave(after.report) if not symptoms(each, where) <= known]
    if new:
        return _refuted(f"this loses something else: {_names(new)}")
    if fails:
        same = after.complaint == before.complaint
        return (_refuted if same else _unverified)(
            f"the program {'still' if same else 'gets past this, but then'} fails{_said(after)}"
        )
    answers = {where(Location(file=file, line=line)): count for (file, line), count in after.answers.items()}
    if after.stopped and any(answers.get(place, 0) < before.lost[place] for place in questions(before, group)):
        return _unverified("the time was over before the question was asked again")
    asked = any(diagnosis.family in _GRADIENTS for diagnosis in group)
    if asked and not after.report.coverage.steps_recorded:
        return _unverified("no gradient was asked for in the re-run, so it says nothing")
    evidence = _good(before, after, asked, _same_values(before, after, group, where))
    return Verification(status="confirmed", method="rerun", evidence=evidence)


def found_next(before: Ran, after: Ran, where: Where) -> tuple[Diagnosis, ...]:
    """What a program loses that got past what it lost before; nothing where something of that is left."""
    if before.report is None or after.report is None:
        return ()
    known = {(each.code, each.primary and _as_it_is(each.primary)) for each in before.report.diagnoses}
    found = grave(after.report)
    return tuple(found) if all((each.code, each.primary and where(each.primary)) not in known for each in found) else ()


def _same_values(before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where) -> bool | None:
    """Whether the targets that were asked for first have the same values, from the same seeds; None when not seen."""
    wanted = {place for each in group if (place := _asked(each, before.values)) is not None}
    now = {where(Location(file=file, line=line)): value for (file, line), value in after.values.items()}
    seen = [(before.values[place], now[place]) for place in wanted if place in before.values and place in now]
    return all(math.isclose(one, two, rel_tol=1e-4, abs_tol=1e-6) for one, two in seen) if seen else None


def _good(before: Ran, after: Ran, asked: bool, same: bool | None) -> str:
    assert after.report is not None
    parts = ["run again with this change, it is gone, and nothing else is reported"]
    if same is not None:
        parts.append(f"the target's first value is {'the same' if same else 'another one'}")
    if asked:
        steps = after.report.coverage.steps_recorded
        parts.append(f"{steps} gradient call{'' if steps == 1 else 's'} observed")
    if after.answered:
        parts.append(f"stopped after {after.seconds:.0f} s, when the question was answered")
    elif after.stopped:
        parts.append(f"stopped after {after.seconds:.0f} s, before its end")
    else:
        parts.append(f"exit code {after.exit_code}" + (f", was {before.exit_code}" if before.exit_code else ""))
    return "; ".join(parts)


def grave(report: Report) -> list[Diagnosis]:
    """The errors and warnings."""
    return [diagnosis for diagnosis in report.diagnoses if diagnosis.severity != "note"]


def symptoms(diagnosis: Diagnosis, where: Where) -> set[Symptom]:
    """What the user saw of it: one symptom for each source."""
    location = diagnosis.symptom.location or diagnosis.primary
    place = None if location is None else where(location)
    sources = [ref for ref in (diagnosis.source, *diagnosis.also) if ref is not None]
    kind = "exception" if diagnosis.symptom.kind == "exception" else "lost"
    return {(kind, place, "" if kind == "exception" else name) for name in [ref.name for ref in sources] or [""]}


def places(before: Mapping[str, str], after: Mapping[str, str]) -> Where:
    """Where a line of the changed files (path -> text) was before they were changed."""
    lines = {file: _old_lines(before[file].split("\n"), text.split("\n")) for file, text in after.items()}

    def where(location: Location) -> tuple[str, int]:
        return location.file, lines.get(location.file, {}).get(location.line, location.line)

    return where


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> Callable[[tuple[str, int]], tuple[str, int]]:
    """Where a line (file and number) of the unchanged files is when they are changed."""
    back = {
        file: {old: new for new, old in _old_lines(before[file].split("\n"), text.split("\n")).items()}
        for file, text in after.items()
    }
    return lambda place: (place[0], back.get(place[0], {}).get(place[1], place[1]))


def questions(before: Ran, group: Sequence[Diagnosis]) -> dict[tuple[str, int], int]:
    """The places at which gradients were asked for that came back as None: how many answers it took to lose it.

    Empty where there is something else: zeros, and what is lost in silence, are told from a whole run.
    """
    asked = [_asked(each, before.lost) for each in group if each.family == "gradient"]
    if len(asked) < len(group):
        return {}
    places = {place for place in asked if place is not None}
    return {} if None in asked else {place: before.lost[place] for place in places}


def _asked(diagnosis: Diagnosis, known: Collection[tuple[str, int]]) -> tuple[str, int] | None:
    """The place of a gradient question: where the program failed for a None, it is not that of the symptom."""
    if diagnosis.family not in _GRADIENTS:
        return None
    marks = [mark for mark in diagnosis.related if mark.role == "asked"]
    places = [(each.file, each.line) for each in (*marks, diagnosis.symptom.location, diagnosis.primary) if each]
    return next((place for place in places if place in known), None)


def _as_it_is(location: Location) -> tuple[str, int]:
    return location.file, location.line


def _old_lines(before: list[str], after: list[str]) -> dict[int, int]:
    """New line -> old line; a line that was rewritten stands for the one in its place, an added one for none."""
    lines: dict[int, int] = {}
    for tag, old, old_end, new, new_end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("equal", "replace"):
            lines.update(zip(range(new + 1, new_end + 1), range(old + 1, old_end + 1)))
        for line in range(new + 1, new_end + 1):
            lines.setdefault(line, -line)
    return lines


def _names(diagnoses: Iterable[Diagnosis]) -> str:
    return "; ".join(dict.fromkeys(f"{each.code} {each.slug}, {each.message}" for each in diagnoses))


def _said(ran: Ran) -> str:
    return f": {ran.complaint}" if ran.complaint else ""


def _refuted(evidence: str) -> Verification:
    return Verification(status="refuted", method="rerun", evidence=evidence)


def _unverified(evidence: str) -> Verification:
    return Verification(status="unverified", method="rerun", evidence=evidence)
