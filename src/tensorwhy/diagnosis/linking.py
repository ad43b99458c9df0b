"""What one group of facts says about another: the harm that a None did, and the frozen value that a branch hung on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gradient import GradientBreak, NotPassed, NotRecorded, NotWatched, Unused
from tensorwhy.model.facts.graph import EagerOnlyInGraph, FrozenValue
from tensorwhy.model.facts.loops import SignatureMismatch
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.facts.training import Mispaired, NotHanded, UpdatedTensor
from tensorwhy.model.location import Location
from tensorwhy.source.answers.handling import handles_none
from tensorwhy.source.answers.harm import broke_off
from tensorwhy.source.files import Sources

_OF_NONE = ("TypeError", "ValueError", "AttributeError")


def linked(groups: Sequence[CaseGroup], sources: Sources) -> Iterator[CaseGroup]:
    """The same groups, each with what is known of it from the others."""
    own = _without_repeats(_of_its_own_step(groups))
    return _without_consequences(tuple(_with_harm(tuple(_with_decisions(own)), sources)))


def _without_repeats(groups: Sequence[CaseGroup]) -> tuple[CaseGroup, ...]:
    """Without what another fact tells with more: a layer's loss that no loop takes where a variable's None is due to
    the same, and a step without an update where it is known what was computed for that update."""
    facts = [fact for group in groups for fact in group.facts]
    uses = [fact.use for fact in facts if isinstance(fact, Unused)]
    told: set[Location | None] = {use.location for use in uses if use is not None and use.how == "added-loss"}
    told |= {fact.condition for fact in facts if isinstance(fact, NotHanded) and fact.computed}
    return tuple(group for group in groups if not any(_repeats(fact, told) for fact in group.facts))


def _repeats(fact: Fact, told: set[Location | None]) -> bool:
    if isinstance(fact, NotHanded):
        return not fact.computed and fact.condition in told
    if not isinstance(fact, Observed) or fact.slug != "ignored-setting" or fact.location is None:
        return False
    return _among(fact.location, told)


def _without_consequences(groups: Sequence[CaseGroup]) -> Iterator[CaseGroup]:
    """Without what an optimizer met when it took gradients for pairs: in a traced step those have no elements."""
    facts = [fact for group in groups for fact in group.facts if isinstance(fact, Mispaired)]
    refused = {fact.applied for fact in facts if fact.problem == "unpaired"}
    for group in groups:
        own = tuple(f for f in group.facts if not (isinstance(f, EagerOnlyInGraph) and _among(f.used, refused)))
        yield group if len(own) == len(group.facts) else msgspec.structs.replace(group, facts=own)


def _among(place: Location, others: set[Location | None]) -> bool:
    return any(each is not None and (each.file, each.line) == (place.file, place.line) for each in others)


def _of_its_own_step(groups: Sequence[CaseGroup]) -> tuple[CaseGroup, ...]:
    """Without the breaks that only an earlier step has handed on, where the same question was lost without them, too.

    A state that goes on from step to step leads back through all steps before: the first one tells what to mend.
    """
    found: dict[tuple[object, ...], list[set[tuple[object, ...]]]] = {}
    for group in groups:
        for key in _asked_for(group):
            found.setdefault(key, []).append({_break(fact) for fact in group.facts})
    groups = _without_worse(groups)
    own = []
    for group in groups:
        fewest = min((some for key in _asked_for(group) for some in found[key]), key=len, default=set())
        more = [fact for fact in group.facts if _break(fact) not in fewest]
        if more and fewest < {_break(fact) for fact in group.facts} and all(map(_is_handed_on, more)):
            kept = tuple(fact for fact in group.facts if _break(fact) in fewest)
            group = msgspec.structs.replace(group, facts=kept)
        own.append(group)
    return tuple(own)


def _without_worse(groups: Sequence[CaseGroup]) -> list[CaseGroup]:
    """Drop what one step says of a source where another step of the same question explains the same None better.

    A break that is proved is better than one that was inferred. Of two ways to say that a variable is not used, the
    first step's is better: later ones also see what an optimizer did with it.
    """
    same: dict[tuple[object, ...], list[CaseGroup]] = {}
    for group in groups:
        for key in _asked_for(group):
            same.setdefault(key, []).append(group)
    worse = set()
    for asked in same.values():
        proved = [group for group in asked if _is_exact(group)]
        unused = [group for group in proved if _is_unused(group)]
        later = {id(group) for group in unused[1:] if _breaks(group) != _breaks(unused[0])}
        kept = [group for group in proved if id(group) not in later] or asked
        worse |= {id(group) for group in asked} - {id(group) for group in kept}
    return [group for group in groups if id(group) not in worse]


def _breaks(group: CaseGroup) -> set[tuple[object, ...]]:
    return {_break(fact) for fact in group.facts}


def _is_exact(group: CaseGroup) -> bool:
    return all(fact.exact for fact in group.facts if isinstance(fact, GradientBreak))


def _is_unused(group: CaseGroup) -> bool:
    breaks = [fact for fact in group.facts if isinstance(fact, GradientBreak)]
    return all(fact.kind == "unused" and all(each.variable for each in fact.sources) for fact in breaks)


def _asked_for(group: CaseGroup) -> set[tuple[object, ...]]:
    """The question of a group, and its source; nothing where other facts than breaks are in it."""
    breaks = [fact for fact in group.facts if isinstance(fact, GradientBreak)]
    if not group.asked or len(breaks) < len(group.facts):
        return set()
    return {(fact.question.place, tuple(source.tensor for source in fact.sources)) for fact in breaks}


def _break(fact: Fact) -> tuple[object, ...]:
    return (fact.kind, fact.op, fact.location) if isinstance(fact, GradientBreak) else ()


def _is_handed_on(fact: Fact) -> bool:
    return (isinstance(fact, NotPassed) and fact.kind == "state") or (
        isinstance(fact, NotRecorded) and fact.region == "before"
    )


def _with_harm(groups: Sequence[CaseGroup], sources: Sources) -> Iterator[CaseGroup]:
    """A None that the program broke off at is what it broke off of.

    Only an otherwise unexplained exception of a kind that None raises counts; that of a mapped function that returned
    the None, of which there is no more to say then; and that of an optimizer which was to update the source, if what
    lost the gradient is that the source is no variable.
    """
    failures = [
        group
        for group in groups
        if group.failure is not None and not group.facts and group.failure.exception.rpartition(".")[2] in _OF_NONE
    ]
    mapped = [group for group in groups if group.failure is not None and _mapped_to_none(group)]
    updates = [group for group in groups if group.failure is not None and _of_an_update(group)]
    found: list[CaseGroup] = []
    explained: list[CaseGroup] = []
    for group in groups:
        asked = group.symptom.location if group.asked else None
        question = next((fact.question for fact in group.facts if isinstance(fact, GradientBreak)), None)
        callers = () if question is None else question.callers
        handled = bool(failures) and question is not None and handles_none(sources, question)
        unwatched = _plain_tensors(group)
        for failed in (*failures, *mapped, *(updates if unwatched else ())) if asked is not None else ():
            frames = (*failed.failure.frames, *failed.failure.traced) if failed.failure is not None else ()
            if asked is not None and broke_off(sources, (asked, *callers), _mapped_to_none(failed) or frames, handled):
                group = msgspec.structs.replace(group, symptom=failed.symptom, failure=failed.failure)
                if any(failed is each for each in updates):
                    group = msgspec.structs.replace(group, facts=unwatched)
                explained.append(failed)
        found.append(group)
    for group in found:
        if group.failure is None and any(_is_hearsay(fact) for fact in group.facts):
            continue  # the program went on; if it was lost again, that was recorded
        over = any(group is each for each in explained)
        yield msgspec.structs.replace(group, facts=()) if over else group


def _of_an_update(group: CaseGroup) -> bool:
    """Whether a failure is that of an optimizer which found a plain tensor, and nothing tells more of that tensor."""
    facts = [fact for fact in group.facts if isinstance(fact, UpdatedTensor) and fact.handed is None]
    return bool(facts) and len(facts) == len(group.facts)


def _plain_tensors(group: CaseGroup) -> tuple[Fact, ...]:
    """The facts of a question whose sources no tape watched since they are plain tensors: why they cannot be updated.

    Nothing where another source is among them.
    """
    facts = tuple(
        msgspec.structs.replace(fact, updated=True)
        for fact in group.facts
        if isinstance(fact, NotWatched) and not fact.sources[0].variable
    )
    return facts if len(facts) == len(group.facts) else ()


def _is_hearsay(fact: Fact) -> bool:
    """Whether a None is known only by the tape of a step that was not recorded."""
    return isinstance(fact, Unused) and fact.gap is not None and fact.gap.used is None


def _mapped_to_none(group: CaseGroup) -> tuple[Location, ...]:
    """Where a mapped function gave None, of a failure of which nothing else is known."""
    facts = [fact for fact in group.facts if isinstance(fact, SignatureMismatch) and fact.problem == "no-value"]
    return tuple(fact.produced for fact in facts if fact.produced) if len(facts) == len(group.facts) else ()


def _with_decisions(groups: Sequence[CaseGroup]) -> Iterator[CaseGroup]:
    """A branch that was not taken because the value that decides it was frozen: one finding, not two."""
    frozen = [fact for group in groups for fact in group.facts if isinstance(fact, FrozenValue) and fact.kind == "test"]
    decided: list[FrozenValue] = []
    changed = []
    for group in groups:
        facts: list[Fact] = []
        for fact in group.facts:
            cause = next((each for each in frozen if _decides(each, fact)), None)
            if cause is not None and isinstance(fact, Unused):
                decided.append(cause)
                fact = msgspec.structs.replace(fact, frozen=cause)
            facts.append(fact)
        changed.append(msgspec.structs.replace(group, facts=tuple(facts)))
    for group in changed:
        facts = [fact for fact in group.facts if not any(fact is each for each in decided)]
        if facts or len(facts) == len(group.facts):
            yield msgspec.structs.replace(group, facts=tuple(facts))


def _decides(value: FrozenValue, fact: Fact) -> bool:
    """Whether the value was read in the condition of the branch that was not taken."""
    if not isinstance(fact, Unused) or fact.kind != "untaken-branch" or fact.untaken is None:
        return False
    branch, read = fact.untaken, value.read
    return branch.file == read.file and branch.line <= read.line <= (branch.end_line or branch.line)
