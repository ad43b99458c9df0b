"""Replacing attributes of a framework's modules, and putting them back; calling what may raise anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Answer = TypeVar("_Answer")
_INHERITED = object()


class Patches:
    """A stack of replaced attributes. `restore` undoes them, newest first, and may be called twice.

    An attribute that somebody else replaced in the meantime (another tool that wrapped ours) is left alone: our wrapper
    then stays in the chain, and passes everything through, because recording is off.
    """

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any, Any]] = []
        self._left: dict[tuple[int, str], tuple[Any, str, Any, Any]] = {}

    def replace(self, owner: Any, name: str, wrap: Callable[[Any], Any]) -> bool:
        """Replace `owner.name` by `wrap(original)`. False when this version does not have the name."""
        left = self._left.pop((id(owner), name), None)
        if left is not None:  # still in the chain: a second one would see everything twice
            self._undo.append(left)
            return True
        original = vars(owner).get(name)
        if original is None:
            return False
        wrapper = wrap(original)
        setattr(owner, name, wrapper)
        self._undo.append((owner, name, original, wrapper))
        return True

    def override(self, owner: type, name: str, wrap: Callable[[Any], Any]) -> None:
        """Give a class a method of its own in the place of the one that it inherits."""
        wrapper = wrap(getattr(owner, name))
        setattr(owner, name, wrapper)
        self._undo.append((owner, name, _INHERITED, wrapper))

    def restore(self) -> None:
        """Put the originals back."""
        while self._undo:
            owner, name, original, wrapper = self._undo.pop()
            if vars(owner).get(name) is wrapper and original is _INHERITED:
                delattr(owner, name)
            elif vars(owner).get(name) is wrapper:
                setattr(owner, name, original)
            else:
                self._left[id(owner), name] = (owner, name, original, wrapper)


def replaced(owner: Any, name: str, wrap: Callable[[Any], Any]) -> Callable[[], None]:
    """Replace `owner.name`, where it has that of its own, by `wrap(original)`.

    Returns what puts the original back; what somebody else put there since is left alone.
    """
    original = vars(owner).get(name)
    if original is None:
        return lambda: None
    hooked = wrap(original)
    setattr(owner, name, hooked)

    def undo() -> None:
        if vars(owner).get(name) is hooked:
            setattr(owner, name, original)

    return undo


class Bulkhead:
    """Calls hooks until one of them fails: a hook never disturbs the program. `failure` is what that raised."""

    def __init__(self) -> None:
        self.failure = ""

    def __call__(self, hook: Callable[..., object], *given: Any) -> None:
        if self.failure:
            return
        try:
            hook(*given)
        except Exception as error:  # a hook never raises into the program
            self.failure = f"{type(error).__name__}: {error}"


def quietly(ask: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
    """What an object of the program's answers (a property, `get_config()`): its own code may raise anything."""
    try:
        return ask()
    except Exception:  # the program's own code, which nobody asked for
        return otherwise
