"""TW205 zero-initialised: weights that start at zero keep each other's gradients at zero."""

from __future__ import annotations

from tensorwhy.diagnosis import signal
from tensorwhy.diagnosis.asked import variable_name
from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.question import Source
from tensorwhy.model.report import Fix

META = about(
    __name__,
    summary="Weights that are multiplied by each other start at zero and keep each other's gradients at zero.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Holds when what multiplies the way is a variable that is zero everywhere and itself gets only zeros."""
    held = signal.of_kind(case, "zero", ("initial",))
    if held is not None and held.held is not None:
        return _held(case, held, held.held)
    return None


def _held(case: Case, fact: SignalBreak, held: Source) -> Evidence:
    made = fact.zeros.location if fact.zeros is not None else None
    name = variable_name(case.sources, held.name, made)
    others = [variable_name(case.sources, each.name, each.made) for each in fact.sources]
    return signal.evidence(case, fact, _why(name), _label(name), _fixes(name, others), location=made)


def _why(name: str) -> str:
    return f"it is multiplied by `{name}`, which starts at zero and stays zero"


def _label(name: str) -> str:
    return f"`{name}` starts at zero, and its own gradient is zero too"


def _fixes(name: str, sources: list[str]) -> tuple[Fix, ...]:
    other = next((each for each in sources if each != name), "")
    rest = f"; that is enough: `{other}` may start at zero" if other else ""
    return (
        Fix(
            summary=f"start `{name}` with small random numbers{rest}",
            caveat=f"unless `{name}` should stay zero; then do not give it to the optimizer",
        ),
    )
