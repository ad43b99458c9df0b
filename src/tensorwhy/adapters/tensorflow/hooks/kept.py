"""What a replay needs, kept for as long as it may be needed: the operations since the last gradient question.

The journal holds integers only, so an operation cannot be executed again from it. Until a call site has answered once,
this keeps the calls themselves with their tensors, within bounds. An answer without None drops everything at once;
after one with a None only what the target was computed from stays (a `Capture`), as leaf values, until the end of the
program.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.captures import Capture, Capturing, Opens, Raw, is_function, tensors

OPERATIONS = 20_000
SIZE = 64 << 20
"""Bytes of tensors that may be kept; past either bound everything is dropped, and keeping begins anew."""
_DATASET = ("Dataset", *(f"DatasetV{version}" for version in range(2, 10)))
CALLS = 128
"""After so many calls of traced functions without a tape, these are no longer kept."""
CAPTURES = 16
"""Questions whose operations are kept until the end."""
SHARE = 1_000
"""Calls that are converted in one go, when a question was answered or a tape is opened."""


class Keeper:
    """Keeps calls while `on`; those of traced functions only while `calls`, too.

    All methods but `take` are called for each operation: they do as little as they can. The compiled part reads the two
    at their places in the object. A long step is converted in shares, so its tensors stay for some more steps.
    """

    __slots__ = ("__dict__", "__weakref__", "calls", "on")

    def __init__(self, eager_tensor: Any) -> None:
        self.on = False
        self.calls = True
        self.enabled = False
        self.failure = ""
        self.opens: Opens = lambda name: None
        self._captures: dict[int, Capture | str] = {}
        self._waiting: dict[int, tuple[object, Capturing]] = {}
        self._converting = threading.RLock()
        self._calls: list[Raw] = []
        self._links: dict[int, int] = {}
        self._feeds: dict[str, bool] = {}
        self._size = self._taken = 0
        self._overflow = False
        self._called = 0
        self._tapes: set[int] = set()
        self._answered: set[int] = set()
        self._captured: set[object] = set()
        self._wanted = False
        self._asked_again: tuple[weakref.ref[Any] | None, int, int] = (None, 0, 0)
        self._eager_tensor = eager_tensor

    def start(self) -> None:
        """Keep from now on."""
        self.enabled = self.on = True

    def opened(self, site: int) -> None:
        """A tape was opened at this place: a new one has everything kept again."""
        self.go_on()
        self.calls, self._called = True, 0
        if self.enabled and site not in self._tapes:
            self._tapes.add(site)
            self.on = True

    def called(self, times: int) -> None:
        """A traced function was called so many times more, and no tape is open.

        A training whose step is traced calls it for hours, and nobody may ever ask about its results. Before a question
        about them there is a tape, and what was not kept is taken as it was.
        """
        self._called += times
        self.calls = self._called < CALLS

    def is_function(self, name: str) -> bool:
        """Return whether this is the name of a traced function; else of an operation."""
        return is_function(name)

    def call(self, kind: str, name: str, args: Any, result: Any) -> None:
        """An operation was executed, or recorded by hand."""
        feeds = self._feeds.get(name)
        if feeds is None:
            # The last handle of an iterator waits, as it goes, for a generator that waits for the interpreter.
            feeds = self._feeds[name] = "Iterator" in name or name.endswith(_DATASET)
        if feeds:
            return
        calls = self._calls
        if type(result) is self._eager_tensor:
            self._size += result._num_elements() << 2
        elif isinstance(result, (list, tuple)):
            result = tuple(result)
            for each in result if kind != "record" else ():
                if type(each) is self._eager_tensor:
                    self._size += each._num_elements() << 2
        # The program goes on with its lists: a `TensorArray` empties the one that it was given.
        calls.append((kind, name, [[*each] if type(each) is list else each for each in args], result))
        if self._size > SIZE or len(calls) > OPERATIONS:
            self.drop()
            self._overflow, self._wanted = True, False
            self.on = bool(self._tapes)  # what is this long before any tape is not a training step

    @property
    def whole(self) -> bool:
        """Whether nothing was dropped since the last answer, because it was too much."""
        return not self._overflow

    def made(self) -> dict[int, tuple[str, Any, Any]]:
        """By the id of each tensor that was made lately: itself, the operation's name and its arguments."""
        found: dict[int, tuple[str, Any, Any]] = {}
        for _, name, args, result in list(self._calls):
            for each in tensors(result):
                found.setdefault(each._id, (name, args, each))
        return found

    def link(self, array: int, origin: int) -> None:
        """A tensor was made from an array that `.numpy()` of another tensor gave."""
        self._links[array] = origin

    def drop(self) -> None:
        """Let go of everything that no capture needs."""
        self._calls.clear()
        self._links.clear()
        self._size = 0
        self._overflow = False
        self._asked_again = (None, 0, 0)

    def fail(self, reason: str) -> None:
        """Something went wrong in here: no experiments, then."""
        self.failure = reason
        self.close()

    def close(self) -> None:
        """Let go of everything."""
        self.on = self.enabled = False
        self.drop()
        self._waiting.clear()
        self._captures.clear()

    def want(self, wanted: bool) -> None:
        """Keep what comes, whoever is answered in between; with `wanted` False no longer."""
        self._wanted = wanted and self.enabled
        self.calls = self.calls or self._wanted
        self.on = self.on or self._wanted

    def answered(self, site: int, within: bool, again: Any = None) -> None:
        """A gradient question was answered without a None, or is dealt with: what went before is not needed.

        `within` says that a tape is open. Then another question may follow, whose path goes through this one's, so the
        first time everything stays, within the bounds. The same for `again`, a tape that may be asked once more, while
        it is alive.
        """
        if self._wanted:
            return
        if site in self._answered:
            self.on = False
        if self.on and not within and again is not None:
            self._asked_again = weakref.ref(again, self._gone), len(self._calls), self._size
        elif not within or not self.on:
            self.drop()
        self._answered.add(site)

    def _gone(self, tape: weakref.ref[Any]) -> None:
        """The tape that might have been asked again is no more: what came before its last answer is not needed."""
        known, count, size = self._asked_again
        if known is tape and not self._wanted:
            self._asked_again = (None, 0, 0)
            del self._calls[:count]
            self._size -= size

    def take(self, question: int, site: object, targets: tuple[Any, ...], sources: dict[int, Any]) -> None:
        """A question (its row) has answers to be explained: keep what its target was computed from, once a site.

        `sources`: tensors by the journal's id; variables by that of their handle.
        """
        if not self.on or site in self._captured:
            return
        if self._overflow:
            self._captures[question] = f"the step is too long to be kept (more than {OPERATIONS:,} operations or 64 MB)"
        elif len(self._captured) >= CAPTURES:
            self._captures[question] = f"only the first {CAPTURES} gradient calls with a None are verified"
        else:
            self._captured.add(site)
            calls, links = list(self._calls), dict(self._links)  # a tape may go while these are walked
            step = Capturing(calls, links, targets, sources, self._eager_tensor, self.opens)
            self._waiting[question] = site, step
            if step.at_once or len(calls) <= SHARE:
                self._finish(question)

    def go_on(self, share: int | None = None) -> None:
        """Convert so many more calls of what waits: a share of them, if nothing is said."""
        if not self._waiting or not self._converting.acquire(blocking=False):
            return
        left = SHARE if share is None else share
        try:
            for question in list(self._waiting):
                left -= self._finish(question, left)
                if left <= 0:
                    break
        except Exception as error:  # costs the experiments, and nothing else
            self.fail(f"{type(error).__name__}: {error}")
        finally:
            self._converting.release()

    @property
    def captures(self) -> dict[int, Capture | str]:
        """By question: what is kept of its step, or why nothing is."""
        with self._converting:
            while self._waiting:
                self.go_on(OPERATIONS)
        return self._captures

    def _finish(self, question: int, share: int = OPERATIONS + 1) -> int:
        """Convert the calls of a question, or a share of them; return how many these were."""
        site, step = self._waiting[question]
        count = step.go_on(share)
        capture = step.capture()
        if capture is None or self._waiting.pop(question, None) is None:
            return count
        size = sum(_size(value) for value in capture.values.values())
        if self._taken + size > SIZE:
            self._captures[question] = "its values are too large to be kept for experiments (more than 64 MB)"
            self._captured.discard(site)
        else:
            self._taken += size
            self._captures[question] = capture
        return count

    def release(self, question: int, site: object) -> None:
        """Let go of what was kept for a question that turned out to be none."""
        self._waiting.pop(question, None)
        capture = self._captures.pop(question, None)
        self._captured.discard(site)
        if isinstance(capture, Capture):
            self._taken -= sum(_size(value) for value in capture.values.values())


def _size(value: Any) -> int:
    count = getattr(value, "_num_elements", None)
    return count() << 2 if count is not None else 0
