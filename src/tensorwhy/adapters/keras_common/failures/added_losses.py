"""A function as a loss of a layer or model: Keras 2 called it in every step, Keras 3 takes tensors only."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.facts.symbolic import NotATensor
from tensorwhy.source.files import Sources


def functions(live: LiveFailure, generation: int) -> Iterator[NotATensor]:
    """The function that Keras 3 was handed."""
    for stack in live.whole() if generation == 3 else ():
        for index, call in enumerate(stack.frames):
            before = stack.caller(index)
            if not packages.runs(call) or call.function != "add_loss" or before is None or before.location is None:
                continue
            thing = call.local("loss")
            if packages.generation_of(call.local("self")) == generation and packages.sort(thing) == "function":
                sources = Sources()
                yield NotATensor(
                    given=givens.describe(
                        thing, stack, index, live.user, sources, parameter="loss", position=0, path=()
                    ),
                    receiver=givens.called(stack, index, sources, "add_loss"),
                    used=before.location,
                    added=True,
                )
                return
