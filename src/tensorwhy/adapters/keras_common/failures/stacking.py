"""Reads a failed `Sequential.add`: was it given a tensor, where it takes layers and calls them itself?"""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.keras_common.failures.stacks import stacks
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.keras import NotALayer
from tensorwhy.recording.sources import Sources


def tensors(live: LiveFailure, generation: int) -> Iterator[NotALayer]:
    """The symbolic Keras tensor that a Sequential model of this generation was given among its layers."""
    sources = Sources()
    for stack in stacks(live):
        call = stack.raised
        model, thing = call.local("self"), call.local("layer")
        if not (call.keras and call.function == "add" and packages.kind_of(model) == "model"):
            continue
        if not packages.is_keras_tensor(thing, generation) or packages.generation_of(model) != generation:
            continue
        at = len(stack.calls) - 1
        before = stack.user_before(at)
        if before is not None and before.location is not None:
            given = givens.describe(thing, stack, at, live.user, sources, parameter="layer", position=0)
            receiver = givens.called(stack, at, sources, "Sequential.add")
            yield NotALayer(given=given, receiver=receiver, used=before.location)
            return
