"""Keras 2 refuses a Lambda layer whose function creates variables, and tells neither whose they are nor where."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning.training import owners
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.variables import Holding, Untracked


def created(live: LiveFailure, generation: int) -> Iterable[Fact]:
    """The layer or variable that came into being inside the Lambda's function."""
    for stack in live.whole() if generation == 2 else ():
        call = stack.raised
        fresh = list(call.local("untracked_new_vars") or ())
        if not (packages.runs(call) and call.function == "_check_variables" and fresh):
            continue
        layer = call.local("self")
        owner = owners(generation).get(fresh[0].handle._id)
        before = stack.caller(len(stack.frames) - 1)
        yield Untracked(
            what="variable" if owner is None else "layer",
            name=fresh[0].name if owner is None else f"{type(owner).__name__} `{owner.name}`",
            made=creations.made(fresh[0] if owner is None else owner),
            model=f"{type(layer).__name__} `{layer.name}`",
            trained_at=before.location if before is not None else None,
            held=Holding(
                by="function",
                path="the function of the Lambda",
                at=creations.made(layer),
                owner="Lambda",
                looker="Keras",
            ),
            weights=len(fresh),
            refused=True,
        )
        return
