"""Modules that a program made: what their parameters are called, and which of them a list, dict or object hides."""

from __future__ import annotations

import gc
import sys
import weakref
from collections import Counter
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.torch.operations.graphs import leaves
from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_DEPTH = 3
_MOST = 5_000


class Hidden(NamedTuple):
    """Where a module keeps something that it does not list: `path` as the user writes it, and the container's type.

    `plain` is the class of the last object on the path that is neither a module nor a container.
    """

    path: str
    container: str
    owner: str
    owner_number: int
    plain: str = ""


class Modules:
    """All modules that were made while the hooks were in."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._modules: dict[int, weakref.ref[Any]] = {}
        self.made: dict[int, int] = {}
        self.names: dict[int, tuple[str, str, int]] = {}
        self.without_optimizer: dict[int, Hidden | None] = {}
        """Parameters that had a gradient after the first steps and were in no optimizer, and where they were hidden."""
        self._count = 0
        self._named = (0, 0)
        self.moving: dict[int, str] = {}
        """Frozen layers whose running statistics change, by the number of their weight."""
        self.misnamed: dict[int, tuple[set[int], str]] = {}
        """By the place of modules that were given an attribute `requires_grad`: their parameters, and their names."""
        self._adopted = -1
        self.forwarded = weakref.WeakKeyDictionary[Any, tuple[int, int]]()
        """Of a `DistributedDataParallel`: so many calls of `backward` before its last `forward`, and where that is."""

    def install(self) -> None:
        """Put the hook in."""
        watch(self._recorder, torch.nn.Module, "__init__", after=self._add)
        watch(self._recorder, torch.nn.parallel.DistributedDataParallel, "forward", self._forward)

    def _add(self, call: Call) -> None:
        module = call.args[0]
        if len(self._modules) < _MOST:
            self._modules[id(module)] = weakref.ref(module)
            self.made[id(module)] = self._recorder.place(call.frame)
            self._count += 1

    def _forward(self, call: Call) -> None:
        if torch.is_grad_enabled():
            self.forwarded[call.args[0]] = self._recorder.backwards, self._recorder.place(call.frame)

    def adopt(self) -> None:
        """Find the modules that were made before the hooks were in: only they know what their parameters are called."""
        leaves, self._adopted = self._adopted, len(self._recorder.leaves)
        if leaves == self._adopted:
            return  # a parameter outside of any module stays without a name
        for each in gc.get_objects():
            if issubclass(type(each), torch.nn.Module) and id(each) not in self._modules:
                self._modules[id(each)] = weakref.ref(each)
        self._named = (-1, -1)

    def alive(self) -> list[Any]:
        """The modules that are alive, and complete: one that is being made has not all attributes."""
        found = (reference() for reference in list(self._modules.values()))
        return [
            each for each in found if each is not None and hasattr(each, "_parameters") and hasattr(each, "training")
        ]

    def knows_all(self) -> bool:
        """Whether every module that was made is remembered."""
        return len(self._modules) < _MOST

    def buffers(self) -> set[int]:
        """The numbers of what modules keep beside their parameters."""
        known = self._recorder.serials.known
        return {known(each) or 0 for module in self.alive() for each in module.buffers(recurse=False)}

    def roots(self) -> list[Any]:
        """The modules that no other one lists."""
        alive = self.alive()
        inner = {id(child) for each in alive for child in each.children()}
        return [each for each in alive if id(each) not in inner]

    def stepped(self) -> None:
        """An optimizer has made steps: note the layers that are frozen, and whose statistics change all the same."""
        for each in self.alive():
            weight, count = getattr(each, "weight", None), getattr(each, "num_batches_tracked", None)
            if not isinstance(weight, torch.Tensor) or not isinstance(count, torch.Tensor):
                continue
            if each.training and not weight.requires_grad and int(count):
                self.moving[self._recorder.serials.known(weight) or -1] = type(each).__name__

    def learn(self) -> None:
        """Remember what the parameters are called by now, and which modules were frozen in vain."""
        for each in self.alive():
            if vars(each).get("requires_grad") is False:
                known = map(self._recorder.serials.known, each.parameters())
                numbers = {number for number in known if number is not None and number not in self._recorder.frozen}
                self.misnamed[self.made.get(id(each), -1)] = numbers, self.name_of(id(each), Sources())
        met = self._count, len(self._recorder.parameters)
        if met == self._named:
            return
        self._named = met
        for root in self.roots():
            for name, parameter in root.named_parameters():
                number = self._recorder.serials.known(parameter)
                if number is not None and number not in self.names:
                    self.names[number] = name, type(root).__name__, self.made.get(id(root), -1)

    def tied(self, numbers: Container[int]) -> Iterator[tuple[str, str]]:
        """Yield both names of each of some parameters that two modules share: listed once, by the first of them."""
        for root in self.roots():
            first = dict[int, str]()
            for name, parameter in root.named_parameters(remove_duplicate=False):
                if first.setdefault(id(parameter), name) != name and self._recorder.serials.known(parameter) in numbers:
                    yield first[id(parameter)], name

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

    def created(self, module: Any, sources: Sources) -> Location | None:
        """The line that calls the class of a module, and not one of an `__init__` that this runs."""
        chain = self._recorder.journal.chain(self.made.get(id(module), -1))
        outer = (each.location for each in chain if ".__init__(" not in sources.expression(each.location))
        return next(outer, None)

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

    def given(self, members: set[int]) -> set[int]:
        """The modules, and those around them, of which an optimizer has parameters."""
        known = self._recorder.serials.known
        alive = self.alive()
        return {id(each) for each in alive if any(known(p) in members for p in each.parameters())} | {
            id(each) for each in alive if not list(each.parameters())
        }

    def look(self, members: set[int]) -> None:
        """Remember which parameters have a gradient and no optimizer: at the end they may be gone, or cleared."""
        lost = {
            number: parameter
            for number, reference in self._recorder.parameters.items()
            if number not in members and (parameter := reference()) is not None and parameter.grad is not None
        }
        given = self.given(members) if lost else set()
        for number, parameter in lost.items():
            self.without_optimizer[number] = self.hidden(parameter, given)

    def hidden(self, parameter: Any, given: set[int]) -> Hidden | None:
        """Where a module hides a parameter of its own from an optimizer that has others."""
        held = self.holding(parameter)
        return held if held is not None and held.owner_number in given else None

    def holding(self, parameter: Any) -> Hidden | None:
        """The list, dict or plain object of a module through which alone it comes to a parameter."""
        for module in self.alive():
            if any(each is parameter for each in module.parameters()):
                continue
            for attribute, value in vars(module).items():
                if attribute in _OWN or value is parameter or isinstance(value, torch.nn.Module):
                    continue
                if _is_copy(value, parameter) and not self.lists(parameter):
                    return Hidden(f"self.{attribute}", "Tensor", type(module).__name__, id(module))
                for path, plain in self._held(value, parameter, _DEPTH):
                    return Hidden(
                        f"self.{attribute}{path}", _container(value), type(module).__name__, id(module), plain
                    )
        return None

    def attribute(self, tensor: Any) -> tuple[str, str]:
        """The attribute of a module that has a plain tensor, maybe in a container, and the class of the module."""
        for module in self.alive():
            for name, value in vars(module).items():
                found = self._held(value, tensor, _DEPTH) if name not in _OWN else ()
                for path, _ in found:
                    return f"self.{name}{path}", type(module).__name__
        return "", ""

    def lists(self, parameter: Any) -> bool:
        """Whether a module has a tensor as its parameter."""
        return any(each is parameter for module in self.alive() for each in module.parameters(recurse=False))

    def _held(self, value: Any, parameter: Any, depth: int, plain: str = "") -> Iterator[tuple[str, str]]:
        """Paths from a value to a parameter, each with the class of the last plain object on it."""
        if value is parameter:
            yield "", plain
        elif isinstance(value, torch.nn.Module):
            if value.training or not plain:  # a network that only judges others is mostly put into evaluation mode
                yield from ((f".{name}", plain) for name, each in value.named_parameters() if each is parameter)
        elif depth:
            for path, each, owner in self._parts(value):
                found = self._held(each, parameter, depth - 1, owner or plain)
                yield from ((f"{path}{rest}", kind) for rest, kind in found)

    def _parts(self, value: Any) -> Iterator[tuple[str, Any, str]]:
        """What a container or an object of the program's own classes has."""
        if isinstance(value, dict):
            yield from ((f"[{key!r}]", each, "") for key, each in [*value.items()][:_WIDTH])
        elif isinstance(value, (list, tuple)):
            yield from ((f"[{at}]", each, "") for at, each in enumerate(value[:_WIDTH]))
        elif isinstance(value, set):
            yield from (("", each, "") for each in value)
        elif self.is_own(type(value)):
            try:
                attributes = object.__getattribute__(value, "__dict__")
            except AttributeError:  # it has slots
                return
            parts = [*attributes.items()][:_WIDTH]
            yield from ((f".{name}", each, type(value).__name__) for name, each in parts)

    def is_own(self, kind: type) -> bool:
        """Whether a class is the program's own, and plain: no tensor, no optimizer, nothing of a library."""
        if not kind.__flags__ & _HEAP or issubclass(kind, (type, torch.Tensor, torch.optim.Optimizer)):
            return False
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return kind.__module__ == "__main__" or (isinstance(file, str) and self._recorder.places.files[file])


_OWN = frozenset(vars(torch.nn.Module()))
_HEAP = 1 << 9
"""The flag of a class that a `class` statement made."""
_WIDTH = 64
_CONTAINERS = (list, tuple, dict, set)


def _is_copy(value: Any, parameter: Any) -> bool:
    """Whether this tensor was computed from that parameter alone, as `.to()` does it."""
    computed = isinstance(value, torch.Tensor) and value.grad_fn is not None
    return computed and [*map(id, leaves((value,)))] == [id(parameter)]


def _container(value: Any) -> str:
    return next((kind.__name__ for kind in _CONTAINERS if isinstance(value, kind)), type(value).__name__)
