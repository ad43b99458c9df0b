"""Tries the proposed edits: each set on a copy of the program, until one is confirmed.

Diagnoses that are joined have to be repaired together. Their edits are tried as one set, and, when that is confirmed,
each alone: so the answer can say that every one of them is needed, or leave out what is not.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tensorwhy import reasons
from tensorwhy.experiments import comparison
from tensorwhy.experiments.rerun import Goals, Launch, Place, Ran, run_changed
from tensorwhy.fixes.patch import Conflict, SourceFile, applied, between, distinct
from tensorwhy.model.report import Diagnosis, Edit, Fix, Verification
from tensorwhy.recording import regular_files

TRIALS = 6
"""Sets of edits that are tried for one group of joined diagnoses."""
MARGIN, FACTOR = 40.0, 2.0
"""A changed copy is interrupted after so many seconds, and so many times what the program took: a program that failed
at once is not trained to its end only because it does not fail any more."""
LONG = 30.0
"""Seconds of a program after which it is worth a run to know whether a few steps of it show what it loses."""
NEXT = 3
"""So often a program that loses something at the next place is repaired there, too."""
BUDGET = 5
"""All changed copies together may take so many times what one run may."""
Tell = Callable[[str], None]
Again = Callable[[Launch, Mapping[str, bytes]], Ran]


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one group. `fixes` were tried, by diagnosis; empty when there was none to try.

    `whole` is there when more had to be changed than the fixes say: what was lost next, once they were made.
    """

    group: tuple[Diagnosis, ...]
    fixes: tuple[tuple[Diagnosis, Fix], ...] = ()
    verification: Verification = Verification()
    whole: tuple[Edit, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits of the repair. At one place, the reason with the lower code comes first."""
        if self.whole:
            return self.whole
        ordered = sorted(self.fixes, key=lambda pair: pair[0].code)
        return distinct(edit for _, fix in ordered for edit in fix.edits)

    @property
    def confirmed(self) -> bool:
        return self.verification.status == "confirmed"


class _Checked(NamedTuple):
    """What a re-run said, and what the program lost then, where that is something new."""

    verification: Verification
    found_next: tuple[Diagnosis, ...] = ()


class Changed(msgspec.Struct, frozen=True):
    """Files before and after, by absolute path."""

    before: dict[str, SourceFile]
    after: dict[str, SourceFile]


class Files:
    """The program's own files as they were analysed. Others are never read for editing, nor changed."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.realpath(folder)
        self._read: dict[str, SourceFile] = {}

    def read(self, path: str) -> SourceFile:
        """Raises Conflict for a file that is not the program's own or that Python could not read."""
        if path not in self._read:
            real = os.path.realpath(path)
            parts = Path(os.path.relpath(real, self._folder)).parts
            if os.pardir in parts or "site-packages" in parts or "dist-packages" in parts:
                raise Conflict(f"{path} is outside the program's own folder and is not changed")
            try:
                self._read[path] = SourceFile.decoded(regular_files.read(path))
            except (OSError, SyntaxError, UnicodeError) as error:
                raise Conflict(f"{path} cannot be read ({error})") from None
        return self._read[path]

    def changed(self, edits: Sequence[Edit]) -> Changed:
        """Apply the edits to texts. Raises Conflict."""
        by_file: dict[str, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(edit.file, []).append(edit)
        before = {file: self.read(file) for file in by_file}
        return Changed(before, {file: before[file].with_edits(each) for file, each in by_file.items()})

    def further(self, edits: Sequence[Edit], more: Sequence[Edit]) -> tuple[Edit, ...]:
        """Edits of the files as they were, for those that are made first and those of what then is there."""
        first = self.changed(edits)
        texts = {file: source.text for file, source in first.after.items()}
        for edit in more:
            texts.setdefault(edit.file, self.read(edit.file).text)
        return tuple(
            each
            for file, text in texts.items()
            for each in between(file, self.read(file).text, applied(text, [one for one in more if one.file == file]))
        )


class Experimenter:
    """Tries repairs of one program that ran `before`. Calls `tell` with some words before each run.

    All runs together take no longer than `BUDGET` times what one may take.
    """

    def __init__(
        self, launch: Launch, before: Ran, files: Files, run: Again = run_changed, tell: Tell = lambda _: None
    ) -> None:
        self._launch = launch
        self._run = run
        self._tell = tell
        self._until = time.monotonic() + BUDGET * launch.limit
        self._before = before
        self._files = files
        self._short: dict[frozenset[Place], frozenset[comparison.Symptom]] = {}
        self._repeated: Ran | None = None
        self.runs = 0

    def repair(self, group: Sequence[Diagnosis]) -> Repair:
        """The first set of proposed edits that is confirmed, or the first one with what speaks against it."""
        first: Repair | None = None
        for fixes in itertools.islice(_sets(group), TRIALS):
            tried = self._tried(tuple(group), fixes)
            if tried.confirmed:
                return self._fewest(tried)
            first = first or tried
        return _left_open(first) if first is not None else Repair(group=tuple(group))

    def together(self, repairs: Sequence[Repair]) -> list[Repair]:
        """The same repairs, but those that only help together as one: what else is broken may hide that each helps."""
        left = [repair for repair in repairs if repair.fixes and not repair.confirmed]
        if len(left) < 2:
            return list(repairs)
        group = tuple(diagnosis for repair in left for diagnosis in repair.group)
        both = self._tried(group, tuple(pair for repair in left for pair in repair.fixes))
        if not both.confirmed:
            return list(repairs)
        evidence = f"{both.verification.evidence}; each change alone is not enough"
        whole = msgspec.structs.replace(
            both, verification=msgspec.structs.replace(both.verification, evidence=evidence)
        )
        return [whole if repair is left[0] else repair for repair in repairs if repair not in left[1:]]

    def check(self, group: Sequence[Diagnosis], edits: Sequence[Edit]) -> Verification:
        """Run the program with these edits, and compare."""
        return self._checked(group, edits).verification

    def _checked(self, group: Sequence[Diagnosis], edits: Sequence[Edit], codes: Sequence[str] = ()) -> _Checked:
        """`codes` are the reasons of edits that are made beside those for the group."""
        try:
            changed = self._files.changed(edits)
        except Conflict as error:
            return _Checked(Verification(method="rerun", evidence=str(error)))
        wanted = self._goals(group)
        left = self._until - time.monotonic()
        if left <= 0:
            return _Checked(Verification(method="rerun", evidence="the time limit for experiments was reached"))
        self.runs += 1
        self._tell(f"run {self.runs} of a changed copy: {', '.join(dict.fromkeys(each.code for each in group))}")
        before = {file: source.text for file, source in changed.before.items()}
        after = {file: source.text for file, source in changed.after.items()}
        there, where = comparison.moved(before, after), comparison.places(before, after)
        launch = msgspec.structs.replace(
            self._launch,
            limit=min(self._launch.limit, MARGIN + FACTOR * self._before.seconds, left),
            goals=wanted.moved(there),
            patience=2 * self._before.took,
        )
        ran = self._run(launch, {file: source.encoded() for file, source in changed.after.items()})
        found_next = comparison.found_next(self._before, ran, where)
        verification = comparison.judged(self._before, ran, group, where, wanted)
        kept = all(map(_keeps_value, (*(each.code for each in group), *codes)))
        if verification.status == "confirmed" and kept:
            changed_value = comparison.same_values(self._before, ran, group, where) is False
            if changed_value and self._comes_again(group, wanted):
                verification = comparison.with_another_value(self._before, ran, group, where)
        return _Checked(verification, found_next)

    def _comes_again(self, group: Sequence[Diagnosis], wanted: Goals) -> bool:
        """Return whether the program as it is gives the same value of the target in a second run."""
        if self._repeated is None or comparison.same_values(self._before, self._repeated, group) is None:
            self.runs += 1
            self._tell(f"run {self.runs} of an unchanged copy: does it return the same value again?")
            limit = min(self._launch.limit, MARGIN + FACTOR * self._before.seconds)
            self._repeated = self._run(msgspec.structs.replace(self._launch, limit=limit, goals=wanted), {})
        return comparison.same_values(self._before, self._repeated, group) is not False

    def _goals(self, group: Sequence[Diagnosis]) -> Goals:
        """How far a changed copy has to come. What is lost in silence in a long training is looked for in a short one
        of the program as it is: where that shows it too, the changed ones can be as short."""
        found = comparison.goals(self._before, group)
        left = self._until - time.monotonic()
        if found or self._before.seconds < LONG or left <= 0:
            return found
        short = comparison.training(self._before, group)
        if not short:
            return short
        lost = frozenset(comparison.symptoms_of(group))
        places = frozenset(short.train)
        if places not in self._short:
            self.runs += 1
            self._tell(f"run {self.runs} of an unchanged copy: a few steps of it")
            limit = min(self._launch.limit, MARGIN + FACTOR * self._before.seconds, left)
            ran = self._run(msgspec.structs.replace(self._launch, limit=limit, goals=short), {})
            seen = ran.report.diagnoses if ran.report is not None and ran.answered else ()
            self._short[places] = frozenset(comparison.symptoms_of(seen))
        return short if lost <= self._short[places] else Goals()

    def _tried(self, group: tuple[Diagnosis, ...], fixes: tuple[tuple[Diagnosis, Fix], ...]) -> Repair:
        """The fixes, and what is proposed for what the program loses next, once they are made."""
        repair = Repair(group=group, fixes=fixes)
        found, edits, then = self._checked(group, repair.edits), repair.edits, list[str]()
        codes: list[str] = []
        for _ in range(NEXT):
            more = next(((each.code, fix) for each in found.found_next for fix in each.fixes if fix.edits), None)
            if found.verification.status == "confirmed" or more is None:
                break
            code, fix = more
            try:
                edits = self._files.further(edits, fix.edits)
            except Conflict:
                break
            then.append(f"{code}: {fix.summary}" + (f" ({fix.caveat})" if fix.caveat else ""))
            codes.append(code)
            found = self._checked(group, edits, codes)
        if not then:
            return msgspec.structs.replace(repair, verification=found.verification)
        evidence = f"{found.verification.evidence}; this also fixes what failed next: {'; '.join(then)}"
        return msgspec.structs.replace(
            repair, whole=edits, verification=msgspec.structs.replace(found.verification, evidence=evidence)
        )

    def _fewest(self, repair: Repair) -> Repair:
        """Each fix alone: is it enough?"""
        parts = {fix.edits: (diagnosis, fix) for diagnosis, fix in repair.fixes}
        if len(parts) < 2:
            return repair
        for pair in list(parts.values())[:TRIALS]:
            alone = self._tried(repair.group, (pair,))
            if alone.confirmed:
                return alone
        codes = ", ".join(dict.fromkeys(diagnosis.code for diagnosis, _ in repair.fixes))
        evidence = f"{repair.verification.evidence}; each change alone ({codes}) is not enough"
        return msgspec.structs.replace(
            repair, verification=msgspec.structs.replace(repair.verification, evidence=evidence)
        )


def _keeps_value(code: str) -> bool:
    reason = reasons.find(code)
    return reason is not None and reason.meta.keeps_value


def _left_open(repair: Repair) -> Repair:
    """Where a part of what is broken has no edit, it says nothing against the other edits that they do not suffice."""
    repaired = {diagnosis.id for diagnosis, _ in repair.fixes}
    rest = ", ".join(dict.fromkeys(each.code for each in repair.group if each.id not in repaired))
    if not rest or repair.verification.status != "refuted":
        return repair
    evidence = f"{rest} has no edit, but must be fixed as well: {repair.verification.evidence}"
    return msgspec.structs.replace(repair, verification=Verification(method="rerun", evidence=evidence))


def groups(diagnoses: Sequence[Diagnosis]) -> list[tuple[Diagnosis, ...]]:
    """Diagnoses that are joined, directly or through others, in the order of the report."""
    by_id = {diagnosis.id: diagnosis for diagnosis in diagnoses}
    seen: set[str] = set()
    found = []
    for diagnosis in diagnoses:
        stack, members = [diagnosis.id], []
        while stack:
            name = stack.pop()
            if name in by_id and name not in seen:
                seen.add(name)
                members.append(by_id[name])
                stack.extend(reversed(by_id[name].together_with))
        if members:
            found.append(tuple(members))
    return found


def with_verifications(diagnoses: Sequence[Diagnosis], repairs: Sequence[Repair]) -> tuple[Diagnosis, ...]:
    """The diagnoses with what was found out about their fixes: what confirms one proves the explanation."""
    found: Mapping[tuple[str, Fix], Verification] = {
        (diagnosis.id, fix): repair.verification for repair in repairs for diagnosis, fix in repair.fixes
    }

    def checked(diagnosis: Diagnosis, fix: Fix) -> Fix:
        verification = found.get((diagnosis.id, fix))
        return fix if verification is None else msgspec.structs.replace(fix, verification=verification)

    def known(diagnosis: Diagnosis) -> Diagnosis:
        fixes = tuple(checked(diagnosis, fix) for fix in diagnosis.fixes)
        proved = any(fix.verification.status == "confirmed" for fix in fixes)
        return msgspec.structs.replace(diagnosis, fixes=fixes, certainty="proved" if proved else diagnosis.certainty)

    return tuple(known(diagnosis) for diagnosis in diagnoses)


def _sets(group: Sequence[Diagnosis]) -> Iterator[tuple[tuple[Diagnosis, Fix], ...]]:
    """One fix with edits for each diagnosis that has any: first choices first, then other choices one at a time."""
    choices = [(each, fixes) for each in group if (fixes := [fix for fix in each.fixes if fix.edits])]
    if not choices:
        return
    yield tuple((diagnosis, fixes[0]) for diagnosis, fixes in choices)
    for at, (_, alternatives) in enumerate(choices):
        for other in alternatives[1:]:
            yield tuple(
                (diagnosis, other if index == at else fixes[0]) for index, (diagnosis, fixes) in enumerate(choices)
            )
