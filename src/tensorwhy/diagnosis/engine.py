"""From groups of facts to ranked diagnoses: every reason is tried on every fact, what matches is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from tensorwhy.diagnosis import suspects
from tensorwhy.diagnosis.linking import linked
from tensorwhy.diagnosis.reason import AND_MORE, Case, Evidence, Reason
from tensorwhy.diagnosis.told import observed
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed, NotWatched
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Certainty, Diagnosis, Fix, LineageView, Severity, Symptom, TensorRef, Verification
from tensorwhy.source.files import Sources

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
_BY_RERUN = "not tested in this run: `tensorwhy fix` tests the change on a copy of the program"
_ALWAYS = 20
"""Groups that are looked at, however long they take together."""
_LAST = ("unexplained", "refusal")
_CERTAINTIES: tuple[Certainty, ...] = ("proved", "likely", "possible")


class Diagnosed(msgspec.Struct, frozen=True):
    """What was found, and, in plain words, which rules could not be asked."""

    diagnoses: tuple[Diagnosis, ...]
    lost: tuple[str, ...]
    skipped: int = 0


class _Finding:
    """One diagnosis in the making: the evidence of one reason at one place, from one group or several like it."""

    def __init__(self, reason: Reason, evidence: Evidence, case: Case, group: CaseGroup, number: int) -> None:
        self.reason = reason
        self.evidence = evidence
        self.case = case
        self.groups = {number: None}
        self._also: dict[tuple[object, ...], list[TensorRef]] = {}
        for each in evidence.also:
            self._also.setdefault(_identity(each), []).append(each)
        self.seen, self.steps = group.times, group.steps if group.times else 0
        self.fixes: tuple[Fix, ...] = ()
        self.draw = group.lineage
        self.lineage: LineageView | None = None

    @property
    def severity(self) -> Severity:
        return self.evidence.severity or self.reason.meta.severity

    @property
    def rank(self) -> tuple[int, int]:
        return _SEVERITIES.index(self.severity), _CERTAINTIES.index(self.evidence.certainty)

    @property
    def also(self) -> list[TensorRef]:
        """The further sources."""
        return [source for alike in self._also.values() for source in alike]

    def takes(self, other: _Finding) -> None:
        """Count the same finding once more; a further source is listed."""
        own, theirs = _identity(self.evidence.source), _identity(other.evidence.source)
        for source in (other.evidence.source, *other.also):
            if source is not None and (identity := _identity(source)) != own:
                self._also.setdefault(identity, [source])
        if other.rank < self.rank:
            self.evidence, self.case, self.draw = other.evidence, other.case, other.draw
            self._also.pop(theirs, None)
            own = theirs
        if theirs == own:
            self.seen += other.seen
            self.steps += other.steps
        self.groups.update(other.groups)


def _identity(ref: TensorRef | None) -> tuple[object, ...]:
    return () if ref is None else (ref.name, ref.layer, _place(ref.location))


def _place(location: Location | None) -> tuple[object, ...]:
    return () if location is None else (location.order, location.end_line, location.end_column)


def diagnose(
    groups: Iterable[CaseGroup],
    reasons: Sequence[Reason],
    sources: Sources,
    spent: Callable[[], bool] = lambda: False,
    edits: bool = True,
) -> Diagnosed:
    """Diagnoses, gravest and surest first, each reason at each place once.

    Reasons of the families "unexplained" and "refusal" are tried last, where lineage was asked about, or a library
    refused something, and nothing else matched.
    A rule that fails is named in `lost`; the other rules go on. When the time is `spent`, groups are left out and
    counted, but never the first ones. Without `edits`, no fix is written for the program.
    """
    lost: dict[str, None] = {}
    merged: dict[tuple[object, ...], _Finding] = {}
    explaining = [reason for reason in reasons if reason.meta.family not in _LAST]
    last = [reason for reason in reasons if reason.meta.family in _LAST]
    refusals: list[_Finding] = []
    skipped = 0
    for number, group in enumerate(linked(tuple(groups), sources)):
        if skipped or (number >= _ALWAYS and spent()):
            skipped += 1
            continue
        found = _match(group, number, explaining, sources, lost)
        if not found and (group.asked or any(isinstance(fact, Observed) for fact in group.facts)):
            found = _match(group, number, last, sources, lost)
        if not found and group.refused is not None:
            refused = msgspec.structs.replace(group, facts=(group.refused,))
            named = _match(refused, number, explaining, sources, lost)
            refusals += named or _match(refused, number, last, sources, lost)
        _merge(found, merged)
    if all(finding.severity == "note" for finding in merged.values()):
        # What a None or a leak led to is explained by that already.
        _merge(refusals, merged)
    ranked = sorted(merged.values(), key=lambda finding: finding.rank)
    for finding in ranked:
        finding.fixes = _fixes(finding, lost, edits)
        finding.lineage = _drawn(finding, lost) if not spent() else None
    return Diagnosed(tuple(_joined(ranked)), tuple(lost), skipped)


def _merge(found: Iterable[_Finding], merged: dict[tuple[object, ...], _Finding]) -> None:
    """Add findings to those that there are; the same one again is only counted."""
    for finding in found:
        key = _key(finding)
        if key in merged:
            merged[key].takes(finding)
        else:
            merged[key] = finding


def _match(
    group: CaseGroup, number: int, reasons: Sequence[Reason], sources: Sources, lost: dict[str, None]
) -> list[_Finding]:
    found = []
    for fact in group.facts:
        case = Case(
            fact=fact,
            symptom=group.symptom,
            failure=group.failure,
            others=tuple(other for other in group.facts if other is not fact),
            sources=sources,
        )
        for reason in reasons:
            try:
                evidence = observed(case, reason.meta) or reason.match(case)
            except Exception as error:  # a rule's own fault costs its answer, never the others'
                lost[f"rule {reason.meta.code} {reason.meta.slug} failed: {_words(error)}"] = None
                continue
            if evidence is not None:
                found.append(_Finding(reason, _complete(evidence, group), case, group, number))
    return found


def _complete(evidence: Evidence, group: CaseGroup) -> Evidence:
    return msgspec.structs.replace(
        evidence, target=evidence.target or group.target, source=evidence.source or group.source
    )


def _key(finding: _Finding) -> tuple[object, ...]:
    evidence, symptom = finding.evidence, finding.case.symptom
    place = _place(evidence.primary) or ("nowhere", evidence.message)
    return (finding.reason.meta.code, place, symptom.kind, _place(symptom.location))


def _fixes(finding: _Finding, lost: dict[str, None], edits: bool) -> tuple[Fix, ...]:
    fixes, own = finding.evidence.fixes, finding.case.fact
    # The edits of a reason are for the framework that its rule speaks of.
    told = isinstance(own, Observed) or (isinstance(own, GradientBreak) and own.told is not None)
    if edits and finding.reason.propose is not None and not told:
        try:
            fixes = tuple(finding.reason.propose(finding.case, finding.evidence)) or fixes
        except Exception as error:  # a fix that cannot be written does not take the explanation with it
            lost[f"fix of {finding.reason.meta.code} failed: {_words(error)}"] = None
    fact = finding.case.fact
    experiment = fact.tried.undone if isinstance(fact, GradientBreak) and not _apart(fact) else None
    if experiment is not None and fixes:
        # The experiment undid the very thing that the first, most literal fix takes away.
        fixes = (msgspec.structs.replace(fixes[0], verification=_also_by_rerun(experiment, fixes[0])), *fixes[1:])
    return tuple(
        each if each.verification.evidence else msgspec.structs.replace(each, verification=_untried(each))
        for each in fixes
    )


def _untried(fix: Fix) -> Verification:
    """Why nothing checked a fix in this run."""
    return Verification(evidence=_BY_RERUN if fix.edits else "no automatic edit for this fix")


def _also_by_rerun(experiment: Verification, fix: Fix) -> Verification:
    if experiment.method != "none" or not fix.edits:
        return experiment
    return msgspec.structs.replace(experiment, evidence=f"{experiment.evidence}; {_BY_RERUN}")


def _experiment(finding: _Finding) -> Verification:
    """What an experiment said of the explanation itself."""
    fact = finding.case.fact
    if isinstance(fact, SignalBreak):
        return fact.experiment or Verification()
    if isinstance(fact, GradientBreak) and _apart(fact):
        return fact.tried.undone or Verification()
    return Verification()


def _apart(fact: GradientBreak) -> bool:
    """Whether no fix is the very thing that the experiment tried."""
    otherwise = (isinstance(fact, NotWatched) and fact.was is not None) or (
        isinstance(fact, NotPassed) and fact.replaced
    )
    return fact.gate is not None or otherwise


def _drawn(finding: _Finding, lost: dict[str, None]) -> LineageView | None:
    own = finding.case.fact.lineage
    if own is not None or finding.draw is None:
        return own
    try:
        return finding.draw()
    except Exception as error:  # the picture is an extra
        lost[f"drawing the lineage failed: {_words(error)}"] = None
        return None


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().splitlines()[0]


def _joined(ranked: Sequence[_Finding]) -> Iterable[Diagnosis]:
    """Findings with ids, each joined to the others of the same question or failure."""
    ids = [f"d{number}" for number in range(1, len(ranked) + 1)]
    order = {name: number for number, name in enumerate(ids)}
    members: dict[int, list[str]] = {}
    for name, finding in zip(ids, ranked, strict=True):
        for group in finding.groups:
            members.setdefault(group, []).append(name)
    for name, finding in zip(ids, ranked, strict=True):
        together = {other: None for group in finding.groups for other in members[group] if other != name}
        yield _diagnosis(name, finding, tuple(sorted(together, key=order.__getitem__)))


def _diagnosis(name: str, finding: _Finding, together: tuple[str, ...]) -> Diagnosis:
    meta, evidence = finding.reason.meta, finding.evidence
    return Diagnosis(
        id=name,
        code=meta.code,
        slug=meta.slug,
        family=meta.family,
        severity=finding.severity,
        certainty=evidence.certainty,
        doubt=evidence.doubt if evidence.certainty != "proved" else "",
        message=evidence.message.replace(AND_MORE, _and_more(finding.also, _noun(finding.case.fact))),
        primary=evidence.primary,
        related=evidence.related,
        symptom=_short(finding.case.symptom),
        target=evidence.target,
        source=evidence.source,
        also=tuple(finding.also),
        path=evidence.path,
        lineage=finding.lineage,
        together_with=together,
        notes=evidence.notes,
        fixes=finding.fixes,
        ruled_out=suspects.ruled_out(finding.case),
        seen=finding.seen,
        steps=finding.steps,
        experiment=_experiment(finding),
    )


def _noun(fact: Fact) -> str:
    """What the framework of a fact calls a variable."""
    if isinstance(fact, (GradientBreak, SignalBreak)):
        return fact.question.noun
    return fact.noun if isinstance(fact, Observed) else "variable"


def _and_more(also: Sequence[TensorRef], variable: str) -> str:
    if not also:
        return ""
    noun = variable if all(ref.kind == "variable" for ref in also) else "source"
    return f" and {len(also)} more {noun}{'' if len(also) == 1 else 's'}"


def _short(symptom: Symptom) -> Symptom:
    """Frameworks put whole graphs into their messages; a report keeps what a person reads."""
    limit = 2000
    if len(symptom.message) <= limit:
        return symptom
    return msgspec.structs.replace(symptom, message=symptom.message[:limit] + " …")
