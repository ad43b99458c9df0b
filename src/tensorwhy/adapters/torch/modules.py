"""Modules that a program made: what their parameters are called, and which of them a list or dict hides."""

from __future__ import annotations

import gc
import sys
import weakref
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.recording.sources import Sources

_DEPTH = 3
_MOST = 5_000


class Hidden(NamedTuple):
    """Where a module keeps something that it does not list: `path` as the user writes it, and the container's type."""

    path: str
    container: str
    owner: str
    owner_number: int


class Modules:
    """All modules that were made while the hooks were in."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._modules: dict[int, weakref.ref[Any]] = {}
        self.made: dict[int, int] = {}
        self.names: dict[int, tuple[str, str, int]] = {}
        self._named = 0
        self._adopted = -1

    def install(self) -> None:
        """Put the hook in."""
        self._recorder.patches.replace(torch.nn.Module, "__init__", self._wrap)

    def _wrap(self, original: Any) -> Any:
        recorder = self._recorder

        def __init__(module: Any, *args: Any, **kwargs: Any) -> None:
            original(module, *args, **kwargs)
            if recorder.active:
                try:
                    self._add(module, recorder.place(sys._getframe(1)))
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)

        __init__.__wrapped__ = original  # type: ignore[attr-defined]
        return __init__

    def _add(self, module: Any, place: int) -> None:
        if len(self._modules) < _MOST:
            self._modules[id(module)] = weakref.ref(module)
            self.made[id(module)] = place

    def adopt(self) -> None:
        """Find the modules that were made before the hooks were in: only they know what their parameters are called."""
        leaves, self._adopted = self._adopted, len(self._recorder.leaves)
        if leaves == self._adopted:
            return  # a parameter outside of any module stays without a name
        for each in gc.get_objects():
            if issubclass(type(each), torch.nn.Module) and id(each) not in self._modules:
                self._modules[id(each)] = weakref.ref(each)
        self._named = -1

    def alive(self) -> list[Any]:
        """The modules that are alive."""
        found = (reference() for reference in list(self._modules.values()))
        return [each for each in found if each is not None and hasattr(each, "_parameters")]

    def roots(self) -> list[Any]:
        """The modules that no other one lists."""
        alive = self.alive()
        inner = {id(child) for each in alive for child in each.children()}
        return [each for each in alive if id(each) not in inner]

    def learn(self) -> None:
        """Remember what the parameters are called by now."""
        alive = self.alive()
        if len(alive) == self._named:
            return
        self._named = len(alive)
        for root in self.roots():
            for name, parameter in root.named_parameters():
                number = self._recorder.serials.known(parameter)
                if number is not None and number not in self.names:
                    self.names[number] = name, type(root).__name__, self.made.get(id(root), -1)

    def named(self, sources: Sources) -> dict[int, str]:
        """What the parameters are called, by number: with the module's own name where another has the same one."""
        journal = self._recorder.journal
        several = Counter(name for name, _, _ in self.names.values())
        found = {}
        for number, (name, kind, place) in self.names.items():
            location = journal.location(place)
            module = (sources.name(location) if location is not None else "") or kind
            plain = "." in name and not name.partition(".")[0].isdigit()
            found[number] = name if plain and several[name] == 1 else f"{module.removeprefix('self.')}.{name}"
        return found

    def name_of(self, module: int, sources: Sources) -> str:
        """What a module is called, by its id: as a part of another one, or by the name that it was given."""
        for root in self.roots():
            location = self._recorder.journal.location(self.made.get(id(root), -1))
            whole = (sources.name(location) if location is not None else "").removeprefix("self.")
            for name, each in root.named_modules():
                if id(each) == module:
                    plain = bool(name) and not name[:1].isdigit()
                    return str(name) if plain else f"{whole or type(root).__name__}.{name}".rstrip(".")
        return ""

    def finds_unused(self) -> bool:
        """Whether a module was told to go on without parameters that the loss does not use."""
        return any(getattr(each, "find_unused_parameters", False) is True for each in self.alive())

    def asleep(self, numbers: set[int]) -> set[int]:
        """Those of some parameters whose modules are in evaluation mode."""
        known = self._recorder.serials.known
        return {
            number
            for module in self.alive()
            if not module.training
            for parameter in module.parameters(recurse=False)
            if (number := known(parameter)) in numbers and number is not None
        }

    def holding(self, parameter: Any) -> Hidden | None:
        """The plain list, tuple or dict attribute of a module through which alone it comes to a parameter."""
        for module in self.alive():
            for attribute, value in vars(module).items():
                if attribute.startswith("_") and attribute in _OWN:
                    continue
                if isinstance(value, (list, tuple, dict, set)):
                    for path in _within(value, parameter, _DEPTH):
                        return Hidden(
                            f"self.{attribute}{path}", type(value).__name__, type(module).__name__, id(module)
                        )
        return None


_OWN = frozenset(vars(torch.nn.Module()))


def _within(value: Any, parameter: Any, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            yield from (f"[{key!r}]{rest}" for rest in _held(each, parameter, depth))
    elif isinstance(value, (list, tuple)):
        for at, each in enumerate(value[:64]):
            yield from (f"[{at}]{rest}" for rest in _held(each, parameter, depth))
    elif isinstance(value, set):
        for each in value:
            yield from ("" + rest for rest in _held(each, parameter, depth))


def _held(value: Any, parameter: Any, depth: int) -> Iterator[str]:
    if value is parameter:
        yield ""
    elif isinstance(value, torch.nn.Module):
        yield from (f".{name}" for name, each in value.named_parameters() if each is parameter)
    else:
        yield from _within(value, parameter, depth - 1)
