"""Finds adapters and what they consist of by walking folders: there is no central list."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from tensorwhy import adapters
from tensorwhy.adapters.protocol import Adapter, Ancestry, Audit, Check, Install, Probe, Sharing
from tensorwhy.adapters.refusal.described import Vocabulary


@functools.cache
def discover() -> tuple[Adapter, ...]:
    """All adapters, by name. Loads their `adapter.py` only, so no framework."""
    found = []
    for module in pkgutil.iter_modules(adapters.__path__):
        name = f"{adapters.__name__}.{module.name}.adapter"
        if module.ispkg and importlib.util.find_spec(name) is not None:
            found.append(cast(Adapter, importlib.import_module(name).ADAPTER))
    return tuple(found)


def _package(adapter: Adapter) -> str:
    return f"{adapters.__name__}.{adapter.name}"


def probes(adapter: Adapter) -> Iterator[tuple[str, Callable[[], Probe]]]:
    """The names of the adapter's probes, each with what loads it."""
    yield from _walk(f"{_package(adapter)}.probes", "probe")
    if isinstance(adapter, Sharing):
        for module, function in adapter.shared_probes():
            yield f"{module}.{function}", functools.partial(_shared, adapter, module, function)


def _shared(adapter: Sharing, module: str, function: str) -> Any:
    return functools.partial(_load(f"{adapters.__name__}.{module}", function), generation=adapter.generation)


def _common(adapter: Adapter) -> str:
    """The package with what an adapter has for all of its objects, be it of one generation or of several."""
    return f"{adapters.__name__}.{adapter.shared}" if isinstance(adapter, Sharing) else _package(adapter)


def vocabulary(adapter: Adapter) -> Vocabulary | None:
    """The adapter's words for objects that are refused, if it has any."""
    name = f"{_common(adapter)}.refusals"
    if importlib.util.find_spec(name) is None:
        return None
    return cast("Vocabulary", _load(name, "VOCABULARY"))


def audits(adapter: Adapter) -> Iterator[tuple[str, Callable[[], Audit]]]:
    """The names of the adapter's audits, each with what loads it."""
    yield from _walk(f"{_package(adapter)}.audits", "audit")
    if isinstance(adapter, Sharing):
        for module, function in adapter.shared_audits():
            yield f"{module}.{function}", functools.partial(_shared, adapter, module, function)


def import_hooks(adapter: Adapter) -> Iterator[tuple[str, Callable[[], Install]]]:
    """The names of the adapter's build-time hooks, each with what loads it."""
    name = f"{_package(adapter)}.import_hooks"
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is None:
        yield name, functools.partial(_load, name, "install")
    elif spec is not None:
        yield from _walk(name, "install")


def selftest(adapter: Adapter) -> Callable[[], Iterable[Check]] | None:
    """What tries the adapter's hooks, if it has any."""
    name = f"{_package(adapter)}.selftest"
    if importlib.util.find_spec(name) is None:
        return None
    return cast("Callable[[], Iterable[Check]]", _load(name, "selftest"))


def ancestry(adapter: Adapter) -> Ancestry | None:
    """What tells the history of the adapter's tensors, if there is such a thing."""
    name = f"{_common(adapter)}.ancestry"
    if importlib.util.find_spec(name) is None:
        return None
    found = _load(name, "ancestry")
    if isinstance(adapter, Sharing):
        found = functools.partial(found, generation=adapter.generation)
    return cast("Ancestry", found)


def _walk(package: str, attribute: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    if importlib.util.find_spec(package) is None:
        return
    folder = importlib.import_module(package)
    for module in pkgutil.iter_modules(folder.__path__):
        if not module.name.startswith("_"):
            name = f"{package}.{module.name}"
            yield name, functools.partial(_load, name, attribute)
    for place, function in getattr(folder, "ELSEWHERE", ()):
        yield f"{place}.{function}", functools.partial(_load, f"{adapters.__name__}.{place}", function)


def _load(name: str, attribute: str) -> Any:
    return getattr(importlib.import_module(name), attribute)
