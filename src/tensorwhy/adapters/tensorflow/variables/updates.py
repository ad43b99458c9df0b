"""Which variables a program asks gradients for, and which of them ever change.

Values are compared by a sum over their bits, at the first calls of each call site and then ever more rarely. Inside a
traced function nothing can be seen but this: the function's own calls are counted, and its variables compared between
them.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from types import FrameType
from typing import Any, Protocol

import msgspec
from tensorflow.python.eager import context

from tensorwhy.adapters.keras_common.learning import fitting, frozen, statistics
from tensorwhy.adapters.tensorflow.hooks.calls import Calls
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of, values_of
from tensorwhy.adapters.tensorflow.variables import askers, hidden, taken
from tensorwhy.adapters.tensorflow.variables.trails import Room, Trail
from tensorwhy.adapters.tensorflow.variables.watched import Watched
from tensorwhy.adapters.turns import parts, turn

_OFTEN = 4
_KEPT = 4
_KEPT_OF_MANY = 2
_STILL = 3
"""So many calls without a change, and a function is looked into."""
_FREED = 64
"""Of so many layers that were made trainable it is known when."""
_BESIDE = 512
"""So many variables of a step are followed that no gradient is asked for."""


class Ask(msgspec.Struct, kw_only=True):
    """One call of `tape.gradient`, with the ids of what it gave.

    - `sources`: ids of all that it asked for; of variables those of their handles.
    - `handles`: of the variables it asked for, in order (-1 for what is no variable); `gradients`: ids of the answers,
      -1 for None. `zero`: positions of the answers that were zero everywhere, where values could be seen.
    - `unasked`: trainable variables that the tape saw and that were not asked for.
    - `owner`: the traced function that was being traced, 0 in eager code; `number`: which call of its site it was.
    - `by_user`: the user's own code asked, not a library's; `optimizer`: that code has an optimizer in its reach;
      `model`: the Keras model whose method asked, weakly; `names`: those that it has names for, where some are unasked.
    - `hidden`: of the unasked, what modules hold where they do not look.
    - `time`: when it was asked, among what is said of layers.
    """

    place: int
    event: int
    tape: int
    targets: tuple[int, ...]
    sources: tuple[int, ...] = ()
    handles: tuple[int, ...]
    gradients: tuple[int, ...]
    unasked: tuple[int, ...]
    owner: int
    number: int
    by_user: bool = True
    optimizer: bool = False
    model: weakref.ref[Any] | None = None
    names: taken.Names = {}
    hidden: tuple[hidden.Hidden, ...] = ()
    time: int = 0


class Inside(Protocol):
    """Who looks into traced functions, when told that their variables stand still."""

    def traced(self, place: int, owner: int, targets: Iterable[Any]) -> None:
        """A gradient of these symbolic tensors was asked for while a function was traced."""

    def waiting(self, owner: int) -> list[int]:
        """The call sites within a function that were not looked at yet."""

    def look(self, place: int, owner: int, still: Iterable[int], args: Any) -> None:
        """Look at one step now, `args` being what the function was called with."""

    def captured(self, graph: Any) -> Iterable[tuple[Any, Any]]:
        """The handles of variables of floating numbers that a graph reads, each with its dtype."""


class Updates:
    """`asks` are the first calls of each call site; `watched` the variables that they are about, by handle.

    `run` counts the calls of traced functions; with `at_once`, `on_run` is told of each when it is over. `on_step` is
    told how often the function at some call sites has run, whenever its variables may be looked at, and `on_due` with
    what it was given.
    """

    def __init__(self, recorder: Recorder, inside: Inside) -> None:
        self.asks: list[Ask] = []
        self.watched: dict[int, Watched] = {}
        self.counts: dict[int, int] = {}
        self.calls: dict[int, int] = {}
        self.on_first: Callable[[Any], Any] = recorder.on_variable
        self.on_new: Callable[[set[int]], None] = lambda handles: None
        self.on_still: Callable[[Iterable[int]], None] = lambda handles: None
        self._new: set[int] = set()
        self._owners: dict[int, set[int]] = {}
        self._asking: dict[int, dict[tuple[int, int], tuple[bool, bool]]] = {}
        self._fresh: dict[int, set[tuple[int, int]]] = {}
        self.on_run: Callable[[int, int, bool, bool, int], None] = lambda place, replica, lost, whole, times: None
        self.run = Calls(recorder, self._ran)
        self.freed: dict[int, dict[int, int]] = {}
        self.at_once = False
        self.on_step: Callable[[Iterable[int], int], None] | None = None
        self.on_due: Callable[[int, int, Any], None] | None = None
        self._inside = inside
        self._recorder = recorder
        self._room = Room()
        self._beside: dict[int, dict[int, Watched]] = {}
        self.after: Callable[[int, Any, Any], bool] = lambda owner, given, result: False
        self.fitted: Callable[[int], None] = lambda owner: None
        self._closely: set[int] = set()
        self._ended: dict[int, int] = {}

    def trails(self, owner: int, others: bool = True) -> dict[int, Trail]:
        """How the values of what a traced function trains went, and of `others` that it reads."""
        found = {handle: self.watched[handle].trail for handle in self._owners.get(owner, ())}
        beside = self._beside.get(owner, {}) if others else {}
        return found | {handle: each.trail for handle, each in beside.items()}

    @property
    def owners(self) -> list[int]:
        """The traced functions that ask for gradients."""
        return list(self._owners)

    def install(self) -> None:
        """Follow the calls of traced functions, and how many there were when a layer was made trainable."""
        self.run.install()
        frozen.listeners.append(self._said)
        fitting.ending.append(self._fitted)
        self._recorder.at_stop(self._uninstall)

    def _uninstall(self) -> None:
        frozen.listeners.remove(self._said)
        fitting.ending.remove(self._fitted)

    def _fitted(self) -> None:
        """A training call of Keras is over, and what it was given is still at hand."""
        if not self._recorder.active:
            return
        try:
            self.run.settle()
            for owner in self.owners:
                step = self.calls.get(owner, 0)
                if step != self._ended.get(owner, 0):
                    self._ended[owner] = step
                    self._look(self._read(owner), (owner, step))
                    self._quietly(partial(self.after, owner, (), None))
                    self._quietly(partial(self.fitted, owner))
        except Exception as error:  # a hook never raises into the program
            self._recorder.fail(error)

    def _said(self, layer: Any, said: frozen.Said) -> None:
        if said.frees and len(self.freed) < _FREED:
            try:
                self.run.settle()
                self.freed[said.time] = dict(self.calls)
            except Exception as error:
                self._recorder.fail(error)

    def traced(self, place: int, lost: bool, whole: bool) -> bool:
        """A gradient was asked for, perhaps in a graph that is being traced: it is asked again whenever that runs.

        True when the same call has traced this place before (a function that makes variables is traced twice).
        """
        self.run.settle()
        if not self.run.running or context.executing_eagerly():
            return False
        owner, key = self.run.running[0], (place, askers.replica())
        if owner not in self._fresh:  # another trace of the function asks at its own places
            self._fresh[owner], self._asking[owner] = set(), {}
        again = key in self._fresh[owner]
        self._fresh[owner].add(key)
        self._asking[owner][key] = lost, whole
        return again

    def steps(self, owner: int) -> int:
        """How often a traced function has run that asks for gradients; 0 for others."""
        return self.calls.get(owner, 0) if self._asking.get(owner) else 0

    def _ran(self, owner: int, times: int, given: Any) -> int:
        if owner not in self._owners:
            return sys.maxsize
        asking = self._asking.get(owner, {}) if self._fresh.pop(owner, None) is None else {}  # else tracing has told
        for (place, number), (lost, whole) in asking.items():
            self.on_run(place, number, lost, whole, times)
        step = self.calls[owner] = self.calls.get(owner, 0) + times
        if self.on_step is not None:
            self.on_step([place for place, _ in self._asking.get(owner, {})], step)
        many = len(self._owners[owner]) + len(self._beside.get(owner, ()))
        if given is not None and (due(turn(step, many)[0]) or owner in self._closely):
            self._look_in_turn(self._read(owner), owner, step)
        if given is not None and (due(step) or owner in self._closely):
            again = self._quietly(partial(self.after, owner, given, self.run.result))
            (self._closely.add if again else self._closely.discard)(owner)
        if given is not None and due(step):
            if self.on_due is not None:
                self.on_due(owner, step, given)
            if step >= _OFTEN:
                self._look_inside(owner, given)
        return 0 if self.at_once or len(asking) > 1 or owner in self._closely else until_due(step, parts(many))

    def _quietly(self, look: Callable[[], Any]) -> Any:
        """Look at something without being recorded."""
        active, self._recorder.active = self._recorder.active, False
        try:
            return look()
        finally:
            self._recorder.active = active

    def _look_inside(self, owner: int, given: Any) -> None:
        """Have the values of a function looked at, when variables that it trains stand still."""
        active, self._recorder.active = self._recorder.active, False
        try:
            for place in self._inside.waiting(owner):
                asks = [ask for ask in self.asks if (ask.place, ask.owner) == (place, owner)]
                trained = {h for ask in asks for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0}
                spans = {handle: self.watched[handle].still_since(owner) for handle in trained}
                still = [handle for handle, span in spans.items() if span and span[1] - span[0] >= _STILL]
                if still:
                    self.on_still(still)
                    self._inside.look(place, owner, still, given)
        finally:
            self._recorder.active = active

    def _read(self, owner: int) -> list[Watched]:
        """What a traced function asks gradients for, and what else it computes with."""
        return [*map(self.watched.__getitem__, self._owners[owner]), *self._beside.get(owner, {}).values()]

    def _look(self, watched: Iterable[Watched], *counts: tuple[int, int]) -> None:
        active, self._recorder.active = self._recorder.active, False
        try:
            for each in watched:
                each.look(*counts)
        finally:
            self._recorder.active = active

    def hold(self, place: int) -> None:
        """Take the values of what is asked about at a place as they are now, in a step that nobody would look at."""
        known = next((ask for ask in reversed(self.asks) if ask.place == place), None)
        if known is not None and not known.owner:
            key = -place - 2
            self._look(self._asked_by(known.handles, known.unasked, key), (key, self.counts.get(place, 0) + 1))

    def asked(
        self,
        place: int,
        event: int,
        tape: Any,
        serial: int,
        target: Any,
        sources: Any,
        raw: Any,
        result: Any,
        frame: FrameType,
    ) -> None:
        """A gradient was asked for."""
        count = self.counts[place] = self.counts.get(place, 0) + 1
        if not due(turn(count, len(raw))[0]):
            return
        known = [ask for ask in self.asks if ask.place == place]
        if len(known) >= _KEPT_OF_MANY and parts(len(raw)) > 1 and not known[-1].owner:
            self._look_in_turn(self._asked_by(known[-1].handles, known[-1].unasked, -place - 2), -place - 2, count)
            return
        from tensorflow.python import pywrap_tfe

        targets = list(target) if isinstance(target, (list, tuple)) else [target]
        graph = next((t.graph for t in targets if not hasattr(t, "_datatype_enum") and hasattr(t, "graph")), None)
        owner = self.run.running[0] if graph is not None and self.run.running else 0
        if graph is not None and not owner:
            return  # a graph of TensorFlow's own (jacobian)
        handles = tuple(self._watch(variable) for variable in raw)
        seen = {*handles}
        unasked = tuple(
            self._watch(variable)
            for variable in pywrap_tfe.TFE_Py_TapeWatchedVariables(tape)
            if handle_of(variable) not in seen
        )
        if self._new:
            self.on_new(self._new)
            self._new = set()
        step = self.calls.get(owner, 0) if owner else count
        if owner:
            self._owners.setdefault(owner, set()).update({*handles, *unasked} - {-1})
            self._watch_others(owner, graph)
            self._inside.traced(place, owner, targets)
        elif count == 1:
            self._watch_statistics(-place - 2, set(handles))
        if len(known) < _KEPT:
            self.asks.append(
                Ask(
                    place=place,
                    event=event,
                    tape=serial,
                    targets=tuple(self._recorder.input_id(t) for t in targets),
                    sources=tuple(map(self._recorder.input_id, sources)),
                    handles=handles,
                    gradients=tuple(_identity(gradient) for gradient in result),
                    unasked=unasked,
                    owner=owner,
                    number=count,
                    by_user=askers.by_user(frame, self._recorder.files),
                    optimizer=askers.optimizer_in_reach(frame, self._recorder.files),
                    model=askers.asking_model(frame, self._recorder.files),
                    names=taken.names(frame, self._recorder.files) if unasked else {},
                    hidden=self._hidden(bool(known), frame, handles, unasked),
                    time=next(frozen.clock),
                )
            )
        key = owner or -place - 2
        self._look_in_turn(self._read(owner) if owner else self._asked_by(handles, unasked, key), key, step)

    def _asked_by(self, handles: tuple[int, ...], unasked: tuple[int, ...], owner: int) -> list[Watched]:
        every = dict.fromkeys(handle for handle in (*handles, *unasked) if handle >= 0)
        return [*map(self.watched.__getitem__, every), *self._beside.get(owner, {}).values()]

    def _look_in_turn(self, every: list[Watched], owner: int, step: int) -> None:
        self._look([every[at] for at in turn(max(step, 1), len(every))[1]], (owner, step))

    def _hidden(
        self, is_known: bool, frame: FrameType, asked: tuple[int, ...], unasked: tuple[int, ...]
    ) -> tuple[hidden.Hidden, ...]:
        """What modules hold of the variables that the first question of a site leaves out."""
        if not unasked or is_known:
            return ()
        return hidden.found(frame, self._recorder.user, set(asked), unasked)

    def _watch(self, variable: Any) -> int:
        handle = handle_of(variable)
        if handle < 0:
            return -1
        if handle not in self.watched:
            self.watched[handle] = Watched(variable, self._room)
            self.on_first(variable)
            self._new.add(handle)
        return handle

    def _watch_others(self, owner: int, graph: Any) -> None:
        """Follow what else a step computes with: statistics, which no gradient is asked for."""
        beside = self._beside.setdefault(owner, {})
        for handle, dtype in self._inside.captured(graph):
            if handle._id not in self.watched and len(beside) < _BESIDE:
                beside.setdefault(handle._id, Watched.of_handle(handle, dtype, self._room))

    def _watch_statistics(self, owner: int, trained: set[int]) -> None:
        """Follow the statistics beside what an eager step trains."""
        beside = self._beside.setdefault(owner, {})
        for variable in statistics.beside(trained - {-1}):
            inner = getattr(variable, "_value", variable)
            handle = handle_of(inner)
            if handle >= 0 and len(beside) < _BESIDE:
                beside.setdefault(handle, Watched(inner, self._room))

    def is_still_beside(self, owner: int, handle: int) -> bool:
        """Return whether all looks of a step at what it does not train found one value, three or more of them."""
        watched = self._beside.get(owner, {}).get(handle)
        seen = list(watched.seen.values()) if watched is not None else []
        return bool(seen) and len({value for looks in seen for _, value in looks}) == 1 and sum(map(len, seen)) >= 3

    def is_still(self, handle: int) -> bool:
        """Return whether a variable was looked at more than once, and had the same value each time."""
        watched = self.watched.get(handle)
        return watched is not None and watched.span() > 0 and not watched.ever_changed()

    def last_look(self) -> None:
        """Compare all variables that are alive once more, at the end."""
        self.run.settle()
        every: dict[int, dict[tuple[int, int], None]] = {}
        for ask in self.asks:
            owner = ask.owner or -ask.place - 2
            step = self.calls.get(owner, 0) if ask.owner else self.counts[ask.place]
            for handle in {*ask.handles, *ask.unasked} - {-1}:
                every.setdefault(handle, {})[owner, step] = None
        for handle, counts in every.items():
            self._look([self.watched[handle]], *counts)
        for owner, beside in self._beside.items():
            step = self.calls.get(owner, 0) if owner in self._owners else self.counts[-owner - 2]
            self._look(beside.values(), (owner, step))


def due(step: int) -> bool:
    """The first calls, then each whose number is a power of two."""
    return step <= _OFTEN or not step & (step - 1)


def until_due(step: int, of: int = 1) -> int:
    """How many steps come between this one and the next that is due, where a look takes so many steps."""
    number = step // of + 1
    looks = 0 if due(number) else ((1 << number.bit_length()) - 1) * of - step
    return min(looks, 0 if step < _OFTEN else (1 << step.bit_length()) - step - 1)


def _identity(gradient: Any) -> int:
    found = getattr(values_of(gradient), "_id", -1)
    return found if type(found) is int else -1
