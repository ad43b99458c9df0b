"""What is certain about a training while the program still runs, kept until its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common import packages
from tensorwhy.model.facts import Fact

_FACTS: dict[tuple[object, ...], tuple[int | None, Fact]] = {}


def keep(fact: Fact, model: Any, *key: object) -> None:
    """Keep a fact about a model in the place of one with the same key: who found it, and what tells it from others."""
    _FACTS[key] = packages.generation_of(model), fact


def known(*key: object) -> bool:
    """Return whether there is a fact with this key."""
    return key in _FACTS


def forget(*key: object) -> None:
    """Forget the facts whose keys begin like this."""
    for each in [each for each in _FACTS if each[: len(key)] == key]:
        del _FACTS[each]


def facts(_: object, generation: int) -> Iterator[Fact]:
    """What was found with models of this generation."""
    yield from (fact for of, fact in _FACTS.values() if of == generation)
