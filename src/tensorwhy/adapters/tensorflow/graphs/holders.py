"""Who holds this object now? Looks from the names that the user wrote down to the object.

The search goes breadth first from the globals of the user's modules and the locals of the failed frames, through
containers, attributes, closures and caches, so the first chain found is a shortest one, and it reads as Python code:
`trainer.history[3]`. What is met again on another way is not looked into again, but the way is kept: so each place
that keeps the object is told, also when two of them share a container. Going the other way, by `gc.get_referrers`,
misses frame locals and inline attributes on Python 3.11+ and meets the framework's own graph everywhere.
"""

from __future__ import annotations

import collections
import functools
import gc
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from tensorflow.python.framework import ops

from tensorwhy.adapters.stack import Frame, UserFrame
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.facts.graph import Holder
from tensorwhy.recording.locations import UserCode

_MOST_OBJECTS = 150_000
_LONGEST_CHAIN = 9
_CONTAINERS = (list, tuple, set, frozenset, collections.deque)
_LEAVES = (str, bytes, int, float, complex, bool, type(None), types.ModuleType, types.CodeType, types.FrameType)
_WRAPPED = ("_storage", "__wrapped__", "_self_last_wrapped_dict_snapshot", "_implementation", "_flow", "__self__")
_FRAMEWORK_INTERNALS = (ops.Graph, ops.Operation, ops.EagerTensor)
_FOREIGN = ("IPython", "ipykernel", "numpy")
"""Packages whose objects store nothing that a program put there: a shell holds its namespace, which holds all."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the way: `text` follows the expression so far, `words` say the same."""

    kind: str
    text: str
    words: str
    name: str = ""
    owner: str = ""
    file: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A chain of steps to the object.

    `instance` is the live object that has the last named attribute (None for plain names), `file` where the last name
    is bound (empty for attributes).
    """

    holder: Holder
    instance: Any = None
    file: str = ""


def find(target: Any, frames: Iterable[Frame], user: UserCode, most: int = 8, later: bool = False) -> list[Found]:
    """The shortest chain from the user's names to each place that keeps `target`; or what a later trace made of it."""

    def wanted(value: Any) -> bool:
        return symbolic.twins(value, target) if later else value is target

    found = _Search(user).run(wanted, _roots(frames, user), most)
    return [Found(holder=_holder(way.steps()), instance=way.instance(), file=way.named().step.file) for way, _ in found]


def search(
    wanted: Callable[[Any], bool],
    frames: Iterable[Frame],
    user: UserCode,
    most: int,
    roots: Iterable[tuple[Any, Step]] = (),
) -> Iterator[tuple[Holder, Any]]:
    """A chain to each place that keeps something wanted, with the thing itself. `roots` are looked at first."""
    for way, value in _Search(user).run(wanted, (*roots, *_roots(frames, user)), most):
        yield _holder(way.steps()), value


def chains(
    target: Any, frames: Iterable[Frame], user: UserCode, most: int, roots: Iterable[tuple[Any, Step]] = ()
) -> list[tuple[tuple[Step, Any], ...]]:
    """The ways to each place that keeps `target`, each step with what it leads to. `roots` are looked at first."""
    found = _Search(user).run(lambda value: value is target, (*roots, *_roots(frames, user)), most)
    return [way.values(value) for way, value in found]


class _Way:
    """One step to a value; `before` is the way to the object that the step leaves from, None at a root."""

    __slots__ = ("before", "length", "source", "step")

    def __init__(self, step: Step, before: _Way | None = None, source: Any = None) -> None:
        self.step, self.before, self.source = step, before, source
        self.length: int = before.length + 1 if before is not None else 1

    def steps(self) -> tuple[Step, ...]:
        return (*(self.before.steps() if self.before is not None else ()), self.step)

    def values(self, value: Any) -> tuple[tuple[Step, Any], ...]:
        return (*(self.before.values(self.source) if self.before is not None else ()), (self.step, value))

    def named(self) -> _Way:
        """The last step that has a name: what follows are elements."""
        way = self
        while way.inner() and way.before is not None:
            way = way.before
        return way

    def inner(self) -> bool:
        """Return whether the step leads into a container: to an element, or to the list that a tracked one wraps."""
        return self.step.kind == "item" or (self.step.kind == "attribute" and self.step.name in _WRAPPED)

    def instance(self) -> Any:
        return self.named().source if self.named().step.kind == "attribute" else None

    def place(self) -> tuple[int, str, str]:
        """Two ways with one last name of one object lead through the same place."""
        named = self.named()
        return id(named.source), named.step.words, named.step.file

    def after(self, other: _Way, old: _Way) -> _Way:
        """The same steps, with the beginning `old` replaced by `other`."""
        if self is old:
            return other
        before = self.before.after(other, old) if self.before is not None else None
        return _Way(self.step, before, self.source)


class _Search:
    def __init__(self, user: UserCode) -> None:
        self._user = user
        self._first: dict[int, tuple[Any, _Way]] = {}
        self._again: dict[int, list[_Way]] = collections.defaultdict(list)

    def run(
        self, wanted: Callable[[Any], bool], roots: Iterable[tuple[Any, Step]], most: int
    ) -> list[tuple[_Way, Any]]:
        found: list[tuple[_Way, Any]] = []
        queue = collections.deque((value, _Way(step)) for value, step in roots)
        while queue and len(self._first) < _MOST_OBJECTS and len(found) < most:
            value, way = queue.popleft()
            if wanted(value):
                if not (way.before is None and way.step.kind == "local"):
                    found.append((way, value))
                continue
            if isinstance(value, _LEAVES) or way.length >= _LONGEST_CHAIN:
                continue
            if id(value) in self._first:
                self._again[id(value)].append(way)
                continue
            self._first[id(value)] = (value, way)
            for child, step in _children(value, self._user):
                queue.append((child, _Way(step, way, value)))
        return self._places(found)[:most]

    def _places(self, found: list[tuple[_Way, Any]]) -> list[tuple[_Way, Any]]:
        """What was found, and behind it the other places through which the same containers are kept."""
        others = []
        for way, value in found:
            # From its last name on a way leads through containers, which other places may keep as well.
            each = way
            while each.inner() and each.before is not None:
                others += [(way.after(again, each.before), value) for again in self._again.get(id(each.source), ())]
                each = each.before
        known: set[tuple[int, tuple[int, str, str]]] = set()
        kept = []
        for way, value in (*found, *others):
            key = id(value), way.place()
            if key not in known:
                known.add(key)
                kept.append((way, value))
        return kept


def _roots(frames: Iterable[Frame], user: UserCode) -> Iterator[tuple[Any, Step]]:
    modules: dict[int, tuple[dict[str, Any], str, str]] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if isinstance(module, types.ModuleType) else None
        if (file and user.owns(file)) or name == "__main__":
            modules[id(vars(module))] = (vars(module), _short(file) if file else name, file or "")
    live = list(frames)
    for frame in live:
        namespace = frame.frame.f_globals
        if isinstance(frame, UserFrame) and id(namespace) not in modules:
            modules[id(namespace)] = (namespace, _short(frame.location.file), frame.location.file)
    for namespace, where, file in modules.values():
        for name, value in list(namespace.items()):
            if not name.startswith("__"):
                words = f"module global `{name}` of {where}"
                yield value, Step(kind="global", text=name, words=words, name=name, file=file)
    for frame in live:
        if frame.user:
            function = frame.frame.f_code.co_name
            for name, value in list(frame.frame.f_locals.items()):
                if frame.frame.f_locals is not frame.frame.f_globals:
                    words = f"local variable `{name}` of `{function}`"
                    yield value, Step(kind="local", text=name, words=words, name=name)


def _short(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]


def _children(value: Any, user: UserCode) -> Iterator[tuple[Any, Step]]:
    """What this object leads to. Attributes are read from where they are stored: no property or `__getattr__` runs."""
    kind = type(value)
    if issubclass(kind, dict):
        yield from _items(dict.items(value))
    elif issubclass(kind, _CONTAINERS):
        fields = getattr(kind, "_fields", ()) if issubclass(kind, tuple) else ()
        for index, item in enumerate(_plain(value)):
            if index < len(fields):
                yield item, Step(kind="item", text=f".{fields[index]}", words=f"field `{fields[index]}`")
            else:
                yield item, Step(kind="item", text=f"[{index}]", words=f"element [{index}]")
    elif issubclass(kind, types.FunctionType):
        yield from _function(value)
    elif issubclass(kind, types.MethodType):
        yield value.__self__, Step(kind="attribute", text=".__self__", words="bound object", name="__self__")
        return
    elif issubclass(kind, functools.partial):
        yield from ((item, Step(kind="item", text="", words="argument of a partial")) for item in value.args)
        yield from (
            (item, Step(kind="item", text="", words="argument of a partial")) for item in value.keywords.values()
        )
    elif kind.__name__ == "_lru_cache_wrapper":
        yield from _cache(value)
    elif issubclass(kind, type):
        if user.owns(getattr(sys.modules.get(value.__module__), "__file__", None) or ""):
            for name, item in list(vars(value).items()):
                if not name.startswith("__"):
                    words = f"class attribute `{name}` of `{value.__name__}`"
                    yield (
                        item,
                        Step(kind="class attribute", text=f".{name}", words=words, name=name, owner=value.__name__),
                    )
        return
    if issubclass(kind, _FRAMEWORK_INTERNALS) or kind.__module__.partition(".")[0] in _FOREIGN:
        return
    yield from _attributes(value)


def _plain(value: Any) -> Iterable[Any]:
    """The elements of a subclass of a container, without running the subclass's own iterator."""
    for base in _CONTAINERS:
        if issubclass(type(value), base):
            return tuple(base.__iter__(value))
    return ()


def _items(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Step]]:
    for key, item in list(items):
        shown = repr(key) if isinstance(key, (str, int, float, bool, tuple)) and len(repr(key)) < 40 else "..."
        yield item, Step(kind="item", text=f"[{shown}]", words=f"item [{shown}]")


def _function(function: types.FunctionType) -> Iterator[tuple[Any, Step]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            content = cell.cell_contents
        except ValueError:  # a cell that is still empty
            continue
        words, file = f"closure variable `{name}` of `{function.__name__}`", function.__code__.co_filename
        yield content, Step(kind="closure", text=name, words=words, name=name, owner=function.__name__, file=file)
    for item in function.__defaults__ or ():
        yield item, Step(kind="item", text="", words=f"a default argument of `{function.__name__}`")


def _cache(wrapper: Any) -> Iterator[tuple[Any, Step]]:
    """`functools.lru_cache` keeps its results where only the garbage collector's view reaches them."""
    name = getattr(wrapper, "__name__", "a function")
    step = Step(kind="cache", text="(...)", words=f"cached result of `{name}`", name=name, owner=name)
    queue = [item for item in gc.get_referents(wrapper) if type(item) is dict or "lru_list" in type(item).__name__]
    seen: set[int] = set()
    while queue:
        item = queue.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        for content in item.values() if type(item) is dict else gc.get_referents(item):
            if "lru_list" in type(content).__name__:
                queue.append(content)
            else:
                yield content, step


def _attributes(value: Any) -> Iterator[tuple[Any, Step]]:
    held = _stored(value)
    owner = type(value).__name__
    python_function = held.get("_python_function")
    if python_function is not None:  # a tf.function: what the user's function closes over, nothing of its graphs
        yield python_function, Step(kind="item", text="", words="")
        return
    kind = "layer" if any(base.__name__ == "Layer" for base in type(value).__mro__) else "object"
    for name, item in held.items():
        words = f"attribute `{name}` of {kind} `{owner}`" if kind == "layer" else f"attribute `{name}` of `{owner}`"
        yield item, Step(kind="attribute", text=f".{name}", words=words, name=str(name), owner=owner)


def _stored(value: Any) -> dict[str, Any]:
    """What an object stores under names, in its dictionary and in the slots of classes written in Python."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        held = None
    found = dict(held) if type(held) is dict else {}
    for base in type(value).__mro__:
        if "__slots__" in vars(base):
            for name, slot in list(vars(base).items()):
                if isinstance(slot, types.MemberDescriptorType):
                    try:
                        found.setdefault(name, slot.__get__(value))
                    except AttributeError:  # a slot that is still empty
                        continue
    return found


def _holder(steps: tuple[Step, ...]) -> Holder:
    steps = _without_wrappers(steps)
    named = max(index for index, step in enumerate(steps) if step.kind != "item")
    start = max((index for index, step in enumerate(steps) if step.kind == "closure"), default=0)
    last = steps[named]
    return Holder(
        kind=last.kind,  # type: ignore[arg-type]
        expression="".join(step.text for step in steps[start:]),
        steps=tuple(step.words for step in steps[start:] if step.words),
        attribute=last.name,
        owner=last.owner,
        contained=named < len(steps) - 1,
        key=steps[named + 1].text if named < len(steps) - 1 else "",
        private=last.kind == "attribute" and last.name.startswith("_"),
    )


def _without_wrappers(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Drops the storage attributes of Keras' tracked containers and of TensorArray: the user never wrote those."""
    kept = tuple(step for step in steps if not (step.kind == "attribute" and step.name in _WRAPPED))
    return kept if any(step.kind != "item" for step in kept) else steps
