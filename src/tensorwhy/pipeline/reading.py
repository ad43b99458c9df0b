"""What the sessions of the adapters saw, read at the end or in between: findings, and how the variables fared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tensorwhy.pipeline.budget import Allowance, bounded

if TYPE_CHECKING:
    from tensorwhy.adapters.protocol import Adapter, LiveFailure, Session
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.facts import Fact
    from tensorwhy.model.facts.refusal import RefusedObject
    from tensorwhy.model.report import Coverage, Symptom, VariableView
    from tensorwhy.pipeline.internal_errors import InternalErrors

Found = TypeVar("Found")
Attached = tuple["Adapter", "Session"]
Tell = Callable[[str], None]

END = 10.0
"""Seconds of the processor for the whole end of a run: a usual program takes a part of one."""
INTERRUPTED = 5.0
"""The same in real time, where the user or the system ended the program, and waits."""
_SECONDS = 5.0
"""Of these, after which no further lost gradient is looked at."""
_AUDITS, _WORDS, _LEAST = 1.5, 1.5, 1.0
"""Kept for what comes later: for the silent problems, for putting everything into words, and for each part at least."""
_ALWAYS = 20
"""So many lost gradients are looked at, however long they take together."""


def probed(attached: Iterable[Attached], live: LiveFailure, errors: InternalErrors) -> tuple[Fact, ...]:
    """What the probes of all adapters see in a failure, while its frames are alive."""
    from tensorwhy.adapters import registry

    return tuple(fact for adapter, _ in attached for fact in _asked(registry.probes(adapter), live, errors))


def refused(attached: Iterable[Attached], live: LiveFailure, errors: InternalErrors) -> RefusedObject | None:
    """What a library could not take, whatever the failure is; None where nothing of the program's was refused."""
    from tensorwhy.adapters import registry

    with errors.bulkhead("finding the refused object"):
        from tensorwhy.adapters.refusal import finding

        vocabularies = [found for adapter, _ in attached if (found := registry.vocabulary(adapter)) is not None]
        return finding.find(live, vocabularies)
    return None


def found(
    attached: Attached, number: int, silent: bool, errors: InternalErrors, tell: Tell, end: Allowance
) -> Iterator[CaseGroup]:
    """What a session recorded, and with `silent` what was lost without a word. `number` findings came before.

    `end` is the time that all of the end of the run may take.
    """
    adapter, session = attached
    reading, allowance = f"reading what {adapter.name} recorded", Allowance(_SECONDS)
    with errors.bulkhead(reading), bounded(end.left(_LEAST, _AUDITS + _WORDS), errors, reading, end.clock):
        tell("reading what was recorded")
        for count, group in enumerate(session.facts(), start=number + 1):
            yield group
            tell(f"explaining and verifying findings: {count} so far")
            if count >= number + _ALWAYS and allowance.spent():
                left = f"{count - number:,} lost gradients are explained, and the others are not"
                errors.add([f"{reading} takes more than {_SECONDS:g} s: {left}"])
                break
    if silent:
        tell("looking for silent problems")
        auditing = "looking for silent problems"
        limit = end.left(_LEAST, _WORDS)
        with errors.bulkhead(f"auditing what {adapter.name} saw"), bounded(limit, errors, auditing, end.clock):
            yield from _audited(adapter, session, errors)


def lost_numbers(attached: Attached, failed: Symptom, errors: InternalErrors, end: Allowance) -> Iterator[CaseGroup]:
    """Where NaN or infinity came from that a library refused: this is what that failure is explained by."""
    from tensorwhy.model.facts.signal import SignalBreak

    adapter, session = attached
    limit, looking = end.left(_LEAST, _WORDS), "looking for what is not finite"
    with errors.bulkhead(looking), bounded(limit, errors, looking, end.clock):
        for group in _audited(adapter, session, errors):
            if any(isinstance(fact, SignalBreak) and fact.state == "non-finite" for fact in group.facts):
                yield msgspec.structs.replace(group, symptom=failed, asked=True)


def coverage(attached: tuple[Attached, ...], errors: InternalErrors) -> Coverage:
    """How much was recorded in all, and everything that was lost up to now."""
    from tensorwhy.model.report import Coverage

    operations = steps = recorded = 0
    for adapter, session in attached:
        with errors.bulkhead(f"the coverage of {adapter.name}"):
            one = session.coverage()
            operations, recorded = operations + one.recorded_ops, max(recorded, one.steps_recorded)
            steps = max(steps, one.steps)
            errors.add(one.unobserved)
    unobserved = errors.lines()
    if not attached and not unobserved:
        from tensorwhy.adapters import registry

        known = sorted({module for adapter in registry.discover() for module in adapter.modules})
        unobserved = (f"the program imported none of {', '.join(known)}",)
    return Coverage(recorded_ops=operations, steps=steps, steps_recorded=recorded, unobserved=unobserved)


def variable_histories(
    attached: Iterable[Attached], errors: InternalErrors, end: Allowance
) -> tuple[VariableView, ...]:
    """How the variables of the program fared."""
    from tensorwhy.adapters.protocol import Training

    views: list[VariableView] = []
    for adapter, session in attached:
        if isinstance(session, Training):
            what = f"the variables that {adapter.name} saw"
            with errors.bulkhead(what), bounded(end.left(_LEAST), errors, f"describing {what}", end.clock):
                views += session.variable_histories()
    return tuple(views)


def versions(attached: Iterable[Attached], errors: InternalErrors) -> dict[str, str]:
    """The frameworks that were seen."""
    known: dict[str, str] = {}
    for adapter, _ in attached:
        with errors.bulkhead(f"the version of {adapter.name}"):
            known |= adapter.versions()
    return known


def _audited(adapter: Adapter, session: Session, errors: InternalErrors) -> Iterator[CaseGroup]:
    from tensorwhy.adapters import registry
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.report import Symptom

    for lost in _asked(registry.audits(adapter), session, errors):
        if isinstance(lost, CaseGroup):
            yield lost
        else:
            yield CaseGroup(symptom=Symptom(kind="silent"), facts=(lost,))


def _asked(
    modules: Iterable[tuple[str, Callable[[], Callable[[Any], Iterable[Found]]]]], given: object, errors: InternalErrors
) -> list[Found]:
    """What every function of a folder says; one that fails, or cannot be loaded, costs only its own answer."""
    answers: list[Found] = []
    for name, load in modules:
        with errors.bulkhead(name.removeprefix("tensorwhy.adapters.")):
            answers += load()(given)
    return answers
