"""Gives the model the inputs that its outputs need."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import Disconnected
from tensorwhy.model.report import Edit
from tensorwhy.reasons import keras_words as words

_SECOND = "unless you meant the second Input; then build the layers on it"
_LISTED = "unless the outputs should not depend on this input; then remove it from their computation"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The missing Input listed; a second Input of the same name left out; `base.output` as `base(inputs)`."""
    fact = case.fact
    if not isinstance(fact, Disconnected):
        return
    primary = evidence.primary
    if primary is not None and primary.role == "input":
        yield from worded(evidence, symbolic.dropped(primary, case.sources), caveat=_SECOND)
        return
    if fact.recalled is not None:
        name = words.name_of(fact.recalled.instead, case.sources)
        yield from worded(evidence, symbolic.inputs(fact.used, name, case.sources) if _alone(fact, name) else ())
        return
    if fact.replaced is not None:
        yield from evidence.fixes
        return
    if words.whole_of(fact):
        every = f"{words.whole_of(fact)}.inputs"
        yield from worded(evidence, symbolic.inputs(fact.used, every, case.sources))
        return
    wanted = [words.name_of(ref, case.sources) for ref in (*fact.given, *fact.missing) if ref not in fact.unused]
    names = wanted[0] if len(wanted) == 1 else f"[{', '.join(wanted)}]"
    listed = symbolic.inputs(fact.used, names, case.sources) if _plain(wanted) else ()
    missing = [words.name_of(ref, case.sources) for ref in fact.missing]
    if not listed and len(fact.given) > 1 and not fact.unused and _plain(missing):
        listed = symbolic.more_inputs(fact.used, ", ".join(missing), case.sources)
    yield from worded(
        evidence, *((_called(fact, case), listed) if fact.owner is not None else (listed,)), caveat=_LISTED
    )


def _alone(fact: Disconnected, name: str) -> bool:
    """Return whether the input to be replaced is the only one, and the other has a name."""
    return len(fact.given) == 1 and _readable(name)


def _called(fact: Disconnected, case: Case) -> tuple[Edit, ...]:
    mine = [words.name_of(ref, case.sources) for ref in (fact.unused or fact.given)]
    if fact.owner is None or len(mine) != 1 or not _readable(mine[0]):
        return ()
    return symbolic.called_on(fact.owner.name, mine[0], fact.used, case.sources)


def _plain(wanted: list[str]) -> bool:
    """Return whether each input has a name of its own."""
    return bool(wanted) and all(map(_readable, wanted)) and len(set(wanted)) == len(wanted)


def _readable(name: str) -> bool:
    return bool(name) and all(part.isidentifier() for part in name.split("."))
