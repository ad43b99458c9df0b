"""Who holds this object now? Looks from the names that the user wrote down to the object.

The search goes breadth first from the globals of the user's modules and the locals of the failed frames, through
containers, attributes, closures and caches, so the first chain found is a shortest one, and it reads as Python code:
`trainer.history[3]`. Going the other way, by `gc.get_referrers`, misses frame locals and inline attributes on
Python 3.11+ and meets the framework's own graph everywhere.
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

from tensorwhy.adapters.protocol import LiveFrame
from tensorwhy.model.facts.graph import Holder
from tensorwhy.recording.locations import UserCode

_MOST_OBJECTS = 150_000
_LONGEST_CHAIN = 9
_CONTAINERS = (list, tuple, set, frozenset, collections.deque)
_LEAVES = (str, bytes, int, float, complex, bool, type(None), types.ModuleType, types.CodeType, types.FrameType)
_FRAMEWORK_INTERNALS = (ops.Graph, ops.Operation, ops.EagerTensor)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the way: `text` follows the expression so far, `words` say the same."""

    kind: str
    text: str
    words: str
    name: str = ""
    owner: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A chain of steps to the object, and the live object that has the last named attribute (None for plain names)."""

    holder: Holder
    instance: Any = None


def find(target: Any, frames: Iterable[LiveFrame], user: UserCode, most: int = 3) -> list[Found]:
    """The shortest chains from the user's names to `target`, the most telling first."""
    found = _search(lambda value: value is target, frames, user, most, ())
    return [Found(holder=_holder(steps), instance=instance) for _, steps, instance in found]


def search(
    wanted: Callable[[Any], bool],
    frames: Iterable[LiveFrame],
    user: UserCode,
    most: int,
    roots: Iterable[tuple[Any, Step]] = (),
) -> Iterator[tuple[Holder, Any]]:
    """The shortest chains to everything that is wanted, with the thing itself. `roots` are looked at first."""
    for value, steps, _ in _search(wanted, frames, user, most, roots):
        yield _holder(steps), value


def _search(
    wanted: Callable[[Any], bool],
    frames: Iterable[LiveFrame],
    user: UserCode,
    most: int,
    roots: Iterable[tuple[Any, Step]],
) -> list[tuple[Any, tuple[Step, ...], Any]]:
    found: list[tuple[Any, tuple[Step, ...], Any]] = []
    seen: set[int] = set()
    queue: collections.deque[tuple[Any, tuple[Step, ...], Any]] = collections.deque()
    for value, step in (*roots, *_roots(frames, user)):
        queue.append((value, (step,), None))
    while queue and len(seen) < _MOST_OBJECTS and len(found) < most:
        value, steps, instance = queue.popleft()
        if wanted(value):
            if not (len(steps) == 1 and steps[0].kind == "local"):
                found.append((value, steps, instance))
            continue
        if id(value) in seen or isinstance(value, _LEAVES) or len(steps) >= _LONGEST_CHAIN:
            continue
        seen.add(id(value))
        for child, step in _children(value, user):
            owner = value if step.kind == "attribute" else instance
            queue.append((child, (*steps, step), owner))
    return found


def _roots(frames: Iterable[LiveFrame], user: UserCode) -> Iterator[tuple[Any, Step]]:
    modules: dict[int, tuple[dict[str, Any], str]] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if isinstance(module, types.ModuleType) else None
        if (file and user.owns(file)) or name == "__main__":
            modules[id(vars(module))] = (vars(module), _short(file) if file else name)
    live = list(frames)
    for frame in live:
        namespace = frame.frame.f_globals
        if frame.user and id(namespace) not in modules:
            modules[id(namespace)] = (namespace, _short(frame.location.file))
    for namespace, where in modules.values():
        for name, value in list(namespace.items()):
            if not name.startswith("__"):
                yield value, Step(kind="global", text=name, words=f"module global `{name}` of {where}", name=name)
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
        for index, item in enumerate(_plain(value)):
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
    if issubclass(kind, _FRAMEWORK_INTERNALS) or kind.__module__.startswith("numpy"):
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
        words = f"closure variable `{name}` of `{function.__name__}`"
        yield content, Step(kind="closure", text=name, words=words, name=name, owner=function.__name__)
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
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return
    if type(held) is not dict:
        return
    owner = type(value).__name__
    python_function = held.get("_python_function")
    if python_function is not None:  # a tf.function: what the user's function closes over, nothing of its graphs
        yield python_function, Step(kind="item", text="", words="")
        return
    kind = "layer" if any(base.__name__ == "Layer" for base in type(value).__mro__) else "object"
    for name, item in list(held.items()):
        words = f"attribute `{name}` of {kind} `{owner}`" if kind == "layer" else f"attribute `{name}` of `{owner}`"
        yield item, Step(kind="attribute", text=f".{name}", words=words, name=str(name), owner=owner)


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
    hidden = {"_storage", "__wrapped__", "_self_last_wrapped_dict_snapshot", "_implementation", "_flow", "__self__"}
    kept = tuple(step for step in steps if not (step.kind == "attribute" and step.name in hidden))
    return kept if any(step.kind != "item" for step in kept) else steps
