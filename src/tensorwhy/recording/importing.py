"""Notices when the user's program has imported a module, without a frame of ours in the import's traceback.

A wrapped loader would stay visible in the traceback of an import that fails. Instead, the module's own spec tells:
importlib sets `spec._initializing = False` when the module's body is done, whether it succeeded or not.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class ImportWatch:
    """Calls `imported(name)` once for each wanted top-level module, when its import has succeeded.

    Modules that are there already are reported by `start`. A module is reported only when none of the wanted ones is in
    the middle of its own import, so that the callee finds all of them complete.
    """

    def __init__(self, wanted: Iterable[str], imported: Callable[[str], None]) -> None:
        self._wanted = set(wanted)
        self._all = frozenset(self._wanted)
        self._imported = imported
        self._finder = _Finder(self)

    def start(self) -> None:
        self.notify()
        if self._wanted:
            sys.meta_path.insert(0, self._finder)

    def stop(self) -> None:
        self._wanted.clear()
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)

    def wants(self, name: str) -> bool:
        return name in self._wanted

    def notify(self) -> None:
        """Report what has become complete."""
        if any(_initializing(sys.modules.get(name)) for name in self._all):
            return
        for name in sorted(self._wanted):
            if sys.modules.get(name) is not None:
                self._wanted.discard(name)
                self._imported(name)
        if not self._wanted:
            self.stop()


def _initializing(module: ModuleType | None) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


class _Finder:
    def __init__(self, watch: ImportWatch) -> None:
        self._watch = watch
        self._busy = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if self._busy or not self._watch.wants(name):
            return None
        self._busy = True
        try:
            spec = next(
                filter(None, (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)),
                None,
            )
        finally:
            self._busy = False
        if spec is None or type(spec) is not ModuleSpec:
            return spec
        spec.__class__ = _watched(self._watch)
        return spec


def _watched(watch: ImportWatch) -> type[ModuleSpec]:
    class Watched(ModuleSpec):
        """A ModuleSpec until the module's body is done, then a plain one again."""

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "_initializing" and value is False:
                self.__class__ = ModuleSpec  # type: ignore[assignment]
                watch.notify()

    return Watched


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """No collection of garbage meanwhile.

    A framework leaves a million objects; the little that we load right after it would set off a collection of all of
    them, which takes three times as long as everything else that we do then.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def installed(module: str) -> bool:
    """Return whether a top-level module could be imported, without importing it."""
    if module in sys.modules:
        return True
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
