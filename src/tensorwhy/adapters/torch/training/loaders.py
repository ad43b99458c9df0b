"""Loaders of data whose source can be read only once: from the second epoch on they yield nothing."""

from __future__ import annotations

import ast
import types
import weakref
from collections.abc import Iterator
from typing import Any

from torch.utils.data import DataLoader, IterableDataset

from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.source.answers.passes import read_once
from tensorwhy.source.files import Sources

_MOST = 64
"""So many loaders are followed."""
_SOURCES = ("batch_sampler", "sampler", "batch_sampler.sampler", "dataset")


class Loader:
    """One loader. `role` is the argument that can be read only once, and `kind` what it is; `code` is a generator's.

    `passes` has the number of calls of `backward` at the beginning of each pass over it.
    """

    def __init__(self, loader: Any, place: int) -> None:
        self.loader = weakref.ref(loader)
        self.place, self.loop = place, -1
        self.role = next((role for role in _SOURCES if hasattr(type(_given(loader, role)), "__next__")), "")
        given = _given(loader, self.role)
        code = getattr(given, "gi_code", None)
        self.kind = type(given).__name__
        self.code = (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)
        self.silent = isinstance(given, (map, zip, filter))
        """Whether it is at its end cannot be seen."""
        self.made_again = False
        self.passes: list[int] = []
        self.empty = 0
        """So many passes began when it had been read to its end."""

    def begin(self, loader: Any, place: int, number: int) -> None:
        """A pass over it begins."""
        self.empty += _is_at_its_end(_given(loader, self.role))
        self.passes.append(number)
        self.loop = place

    def look(self, loader: Any, made: Any) -> None:
        """A pass has begun: a dataset may hand out an iterator that it keeps."""
        read = getattr(getattr(made, "_dataset_fetcher", None), "dataset_iter", None)
        held = getattr(loader.dataset, "__dict__", {}).items() if read is not None and not self.role else ()
        name = next((name for name, each in held if each is read), "")
        if name:
            self.role, self.kind = f"dataset.{name}", type(read).__name__


class Loaders:
    """All loaders of a program that have such a source."""

    def __init__(self, recorder: Recorder, asking: Asking) -> None:
        self._recorder, self._asking = recorder, asking
        self.known: dict[int, Loader] = {}

    def install(self) -> None:
        """Put the hooks in."""
        watch(self._recorder, DataLoader, "__init__", after=self._made)
        watch(self._recorder, DataLoader, "__iter__", self._begins, self._begun)

    def _made(self, call: Call) -> None:
        if len(self.known) >= _MOST:
            return
        loader = Loader(call.args[0], self._recorder.place(call.frame))
        if loader.role or isinstance(call.args[0].dataset, IterableDataset):
            for each in self.known.values():
                each.made_again |= each.place == loader.place and bool(each.passes)
            self.known[id(call.args[0])] = loader

    def _begins(self, call: Call) -> None:
        loader = self._of(call)
        if loader is not None:
            loader.begin(call.args[0], self._recorder.place(call.frame), self._asking.number)

    def _begun(self, call: Call) -> None:
        loader = self._of(call)
        if loader is not None:
            loader.look(call.args[0], call.result)

    def _of(self, call: Call) -> Loader | None:
        loader = self.known.get(id(call.args[0])) if self.known else None
        return loader if loader is not None and loader.loader() is call.args[0] else None

    def facts(self, sources: Sources) -> Iterator[Observed]:
        """One fact for each loader that yielded nothing in some passes."""
        at = self._recorder.journal.location
        once = read_once(at(self._asking.last_place), sources)
        if once is not None:
            yield say("read-once", once.made, {"outer": once.outer, "loop": once.loop}, name=once.name, text=once.text)
        for each in self.known.values():
            counts = [after - before for before, after in zip(each.passes, (*each.passes[1:], self._asking.number))]
            seen = each.empty > 0
            if each.made_again:
                continue
            if not seen and (not each.silent or len(counts) < 2 or not counts[0] or any(counts[1:])):
                continue
            yield say(
                "loader-exhausted" if seen else "loader-read-once",
                at(each.place),
                {"loop": at(each.loop), "made": _definition(each.code, sources)},
                role=each.role,
                kind=each.kind,
                empty=each.empty or len(counts) - 1,
                passes=len(counts),
            )


def _definition(code: tuple[str, int], sources: Sources) -> Location | None:
    """The function that a generator came from."""
    file, line = code
    found = (node for node in sources.nodes(file) if isinstance(node, ast.FunctionDef)) if file else ()
    return next((sources.place(file, node) for node in found if node.lineno == line), None)


def _given(loader: Any, role: str) -> Any:
    """What a loader reads: of its argument of this name, the attribute after the dot."""
    for name in role.split("."):
        loader = getattr(loader, name, None)
    return loader


def _is_at_its_end(given: Any) -> bool:
    if isinstance(given, types.GeneratorType):
        return given.gi_frame is None
    left = getattr(given, "__length_hint__", None)
    return left is not None and type(given).__module__ == "builtins" and left() == 0
