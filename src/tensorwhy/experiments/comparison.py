"""What a re-run says of a repair: is the symptom gone, and is nothing new there?"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from tensorwhy.experiments.rerun import Goals, Place, Ran
from tensorwhy.model.location import Location
from tensorwhy.model.report import Diagnosis, Report, Verification

_GRADIENTS = ("gradient", "zero-gradient")
ENOUGH = 16
"""So many steps of a training are compared, where those of the unchanged program show what is lost in silence."""
Where = Callable[[Location], Place]
Symptom = tuple[str, Place | None, str]
"""Its kind, where it was seen (in the unchanged files), and the source that it is about."""


def judged(
    before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where, wanted: Goals | None = None
) -> Verification:
    """Confirmed: the symptoms of the whole group are gone, nothing else came, and the program ends no worse.

    `where` gives the place in the unchanged files for a place in the changed ones, `wanted` is how far the program
    had to come, by places in the unchanged ones.
    """
    wanted = goals(before, group) if wanted is None else wanted
    if before.report is None or after.report is None:
        return _unverified(f"the re-run produced no report{_said(after)}")
    lost = symptoms_of(group)
    known = symptoms_of(before.report.diagnoses)
    left = [diagnosis for diagnosis in after.report.diagnoses if lost & symptoms(diagnosis, where)]
    if left:
        return _refuted(f"the change alone is not enough: {_names(left)}")
    fails = after.exit_code != 0 and not (after.stopped or after.answered)
    if fails and before.exit_code == 0:
        return _refuted(f"with this change the program fails{_said(after)}")
    new = [each for each in grave(after.report) if not symptoms(each, where) <= known]
    if new:
        return _refuted(f"the change causes another problem: {_names(new)}")
    if fails:
        same = after.complaint == before.complaint
        return (_refuted if same else _unverified)(
            f"the program {'still' if same else 'gets past this, but then'} fails{_said(after)}"
        )
    if after.stopped:
        for numbers, seen, words in (
            (wanted.until, after.answers, "the gradient was computed again"),
            (wanted.train, after.steps, "the same number of steps ran"),
            (wanted.begin, after.begun, "it reached the line where the program had failed"),
        ):
            counts = {where(Location(file=file, line=line)): count for (file, line), count in seen.items()}
            if any(counts.get(place, 0) < enough for place, enough in numbers.items()):
                return _unverified(f"the time limit was reached before {words}")
    asked = any(diagnosis.family in _GRADIENTS for diagnosis in group)
    if asked and not after.report.coverage.steps_recorded:
        return _unverified("the re-run computed no gradient, so it shows nothing")
    evidence = _good(before, after, asked, same_values(before, after, group, where), wanted)
    return Verification(status="confirmed", method="rerun", evidence=evidence)


def found_next(before: Ran, after: Ran, where: Where) -> tuple[Diagnosis, ...]:
    """What a program loses that got past what it lost before; nothing where something of that is left."""
    if before.report is None or after.report is None:
        return ()
    known = {(each.code, each.primary and _as_it_is(each.primary)) for each in before.report.diagnoses}
    found = grave(after.report)
    return tuple(found) if all((each.code, each.primary and where(each.primary)) not in known for each in found) else ()


def same_values(before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where | None = None) -> bool | None:
    """True if the targets that were asked for first have the same values, from the same seeds; None when not seen."""
    seen = _values(before, after, group, where or _as_it_is)
    return all(_is_near(*pair) for pair in seen) if seen else None


def with_another_value(before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where) -> Verification:
    """The same, not confirmed: the value of the target changed, and the edit is one that keeps it."""
    was, now = next(pair for pair in _values(before, after, group, where) if not _is_near(*pair))
    return _unverified(
        f"with this change the problem is gone, but the loss starts at {now:.6g} instead of {was:.6g}. This edit should"
        " not change it, unless random numbers are now drawn in another order"
    )


def _values(before: Ran, after: Ran, group: Sequence[Diagnosis], where: Where) -> list[tuple[float, float]]:
    wanted = {place for each in group if (place := _asked(each, before.values)) is not None}
    now = {where(Location(file=file, line=line)): value for (file, line), value in after.values.items()}
    return [(before.values[place], now[place]) for place in sorted(wanted) if place in now]


def _is_near(one: float, two: float) -> bool:
    return math.isclose(one, two, rel_tol=1e-4, abs_tol=1e-6) or (math.isnan(one) and math.isnan(two))


def _good(before: Ran, after: Ran, asked: bool, same: bool | None, wanted: Goals) -> str:
    assert after.report is not None
    parts = ["re-ran the program with this change; the problem is gone and nothing new appeared"]
    if same is not None:
        parts.append(f"the loss {'starts at the same value' if same else 'starts at another value'}")
    if asked:
        steps = after.report.coverage.steps_recorded
        parts.append(f"{steps} gradient call{'' if steps == 1 else 's'} observed")
    if after.answered:
        reached = (
            "once it got past the line that failed before"
            if wanted.begin
            else f"after {max(wanted.train.values())} training steps, enough to see the problem before"
            if wanted.train
            else "once the gradient was known"
        )
        parts.append(f"stopped after {after.seconds:.0f} s, {reached}")
    elif after.stopped:
        parts.append(f"stopped after {after.seconds:.0f} s, before the end of the program")
    else:
        parts.append(f"exit code {after.exit_code}" + (f", was {before.exit_code}" if before.exit_code else ""))
    return "; ".join(parts)


def grave(report: Report) -> list[Diagnosis]:
    """The errors and warnings."""
    return [diagnosis for diagnosis in report.diagnoses if diagnosis.severity != "note"]


def symptoms_of(diagnoses: Iterable[Diagnosis]) -> set[Symptom]:
    """What the user saw of the unchanged program."""
    return {symptom for diagnosis in diagnoses for symptom in symptoms(diagnosis, _as_it_is)}


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


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> Callable[[Place], Place | None]:
    """Where a line (file and number) of the unchanged files is when they are changed; None where it is gone."""
    back = {
        file: {old: new for new, old in _old_lines(before[file].split("\n"), text.split("\n")).items() if old > 0}
        for file, text in after.items()
    }

    def there(place: Place) -> Place | None:
        file, line = place
        if file not in back:
            return place
        return (file, back[file][line]) if line in back[file] else None

    return there


def goals(before: Ran, group: Sequence[Diagnosis]) -> Goals:
    """How far a changed program has to come until it is known whether it helps.

    For gradients that came back as None or zero: as many answers as it took to know that. For failures: past the
    statements that failed, as often as it took. Nothing for what is lost in silence, and for zeros in traced functions:
    `training` can tell.
    """
    until: dict[Place, int] = {}
    for each in group:
        known = before.lost if each.family == "gradient" else before.zero
        place = _asked(each, known)
        if place is None:
            break
        until[place] = max(until.get(place, 0), known[place])
    else:
        return Goals(until=until)
    failed = all(each.symptom.kind == "exception" for each in group)
    return Goals(begin=dict(before.begun)) if failed else Goals()


def training(before: Ran, group: Sequence[Diagnosis]) -> Goals:
    """Some steps of the training that lost something in silence, if there were many more."""
    places = [_place(each, before.steps) for each in group]
    if None in places or any(before.steps[place] <= ENOUGH for place in places if place is not None):
        return Goals()
    return Goals(train={place: ENOUGH for place in places if place is not None})


def _asked(diagnosis: Diagnosis, known: Collection[Place]) -> Place | None:
    """The place of a gradient question: where the program failed for a None, it is not that of the symptom."""
    return _place(diagnosis, known) if diagnosis.family in _GRADIENTS else None


def _place(diagnosis: Diagnosis, known: Collection[Place]) -> Place | None:
    marks = [mark for mark in diagnosis.related if mark.role in ("asked", "trained")]
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
