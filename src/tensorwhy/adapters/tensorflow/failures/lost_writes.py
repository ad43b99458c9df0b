"""Writes to a TensorArray of a graph whose result nothing uses, by the user's own lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.failures import array_objects, failed_node
from tensorwhy.model.facts.loops import ArrayReused
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources


def facts(writes: Iterable[tuple[Any, Any]], user: UserCode) -> Iterator[ArrayReused]:
    """One fact for each array with such writes. Each write comes with what reads the same array without it."""
    alike: dict[object, list[ArrayReused]] = {}
    for fact in _each(writes, user):
        key = (fact.array, fact.created, fact.used) if fact.array and fact.created is not None else fact.call
        alike.setdefault(key, []).append(fact)
    for together in alike.values():
        first, *others = sorted(together, key=lambda fact: fact.call.order)
        yield msgspec.structs.replace(first, beside=tuple(each.call for each in others))


def _each(writes: Iterable[tuple[Any, Any]], user: UserCode) -> Iterator[ArrayReused]:
    """One fact for each line."""
    sources = Sources()
    seen: set[tuple[str, int]] = set()
    for write, reader in writes:
        made, read = failed_node.origin(write, user), failed_node.origin(reader, user)
        if made.location is None or not all(path.endswith(array_objects.WRITING) for path, _ in made.library):
            continue
        key = (made.location.file, made.location.line)
        if key in seen:
            continue
        seen.add(key)
        name = array_objects.name_at(made.location, "write", sources)
        yield ArrayReused(
            problem="write-ignored",
            call=array_objects.call_place(made.location, "write", sources),
            used=read.location,
            created=array_objects.made_at(name, made.location, sources),
            array=name,
            in_loop=write.graph is not reader.graph,
            failed=False,
        )
