"""How an update that was computed again, and lost again, is told: as the optimizer writes it, with its numbers."""

from __future__ import annotations

from tensorwhy.model.facts.training import Replayed
from tensorwhy.model.report import Fix, Verification


def lost_in_dtype(replayed: Replayed) -> str:
    """Say what the dtype does to an update."""
    return f"the update of `{replayed.optimizer}` is rounded away in {replayed.dtype}"


def put_back(replayed: Replayed) -> str:
    """Say which constraint undoes an update."""
    return f"the constraint `{replayed.constraint}` restores the old value after each update"


def notes(replayed: Replayed) -> tuple[str, ...]:
    """Say what a replay of one update showed."""
    if replayed.constraint:
        return ("replayed: without the constraint, the same update changes the value",)
    seen = "with gradients of very different sizes" if replayed.any_gradient else "with the recorded gradient"
    proof = f"replayed {seen}: the value does not change in {replayed.dtype}, but does in {replayed.wide}"
    return (_intermediate(replayed), proof)


def _intermediate(replayed: Replayed) -> str:
    if not replayed.operation:
        near = f": numbers near {replayed.wide_value:.3g} are {replayed.spacing:.2g} apart" if replayed.spacing else ""
        return f"an update of {replayed.value:.2g} is rounded away in {replayed.dtype}{near}"
    own, wide = replayed.operands
    source = f" ({own})" if own and own != wide else ""
    other = f" ({wide})" if wide and own != wide else ""
    return (
        f"the first result that is rounded away: `{replayed.operation}` is {replayed.value:.3g} "
        f"in {replayed.dtype}{source}, and {replayed.wide_value:.3g} in {replayed.wide}{other}"
    )


def fixes(replayed: Replayed) -> tuple[Fix, ...]:
    """Advise what the replay showed to help."""
    if replayed.constraint:
        return (
            Fix(
                summary="remove the constraint, or start from a value that it does not change",
                verification=Verification(
                    status="confirmed", method="replay", evidence="without it, the replayed update changes the value"
                ),
            ),
        )
    fix = Fix(
        summary=f"keep the variables in float32 and only compute in {replayed.dtype}: "
        f"{replayed.remedy or 'mixed precision'}",
        verification=Verification(
            status="confirmed", method="replay", evidence="in float32, the replayed update changes the value"
        )
        if replayed.moves_in_float32
        else Verification(),
    )
    rate = Fix(summary="or make the updates larger, with a higher learning rate")
    return (fix,) if replayed.operation or replayed.dtype == "float32" else (fix, rate)
