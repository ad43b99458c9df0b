"""Sees which gradients a Keras optimizer was given for which variables.

The hooks are put in for each optimizer that is made, and for those that are there when the first gradient is asked for:
the method may be looked up before that, `optimizer.apply_gradients(tape.gradient(...))`.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from types import FrameType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of, values_of
from tensorwhy.adapters.tensorflow.variables import misfits, unpaired
from tensorwhy.adapters.tensorflow.variables.misfits import Misfit
from tensorwhy.adapters.tensorflow.variables.optimizers import keras_optimizers
from tensorwhy.adapters.tensorflow.variables.unpaired import Unpaired
from tensorwhy.adapters.tensorflow.variables.used import Used
from tensorwhy.adapters.tensorflow.variables.zeros import all_zero
from tensorwhy.adapters.turns import parts, turn
from tensorwhy.recording.around import around

_KEPT, _STILL = 4, 3
"""So many calls of a site are kept, and from the third on what stands still is looked at."""


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """One call that applied gradients: pairs of a gradient's id (-1: None) and a variable's handle."""

    place: int
    event: int
    pairs: tuple[tuple[int, int], ...]


class Applications:
    """`calls` are the first of each call site; `handles` are all variables that were ever given a gradient.

    `refused` says that an optimizer raised because it was given nothing at all, `empty` that one was given that,
    whether it raised or not; `swapped` is where one raised as it was given variables for gradients, with the handles of
    these, `unpaired` where one raised as it was given no pairs; `misfits` are gradients that were given for variables
    of another shape, where that must fail or did;
    `zeros` are variables that were given nothing but zeros, as far as the gradients of `calls` could be looked at;
    `optimizers` are all that were used. `is_still` says whether a variable has kept its value so far.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.calls: list[Applied] = []
        self.handles: set[int] = set()
        self.zeros: set[int] = set()
        self._others: set[int] = set()
        self.refused = self.empty = False
        self.swapped: tuple[int, tuple[int, ...]] | None = None
        self.unpaired: tuple[int, Unpaired] | None = None
        self.misfits: tuple[int, tuple[Misfit, ...]] | None = None
        self.optimizers: list[Used] = []
        self._latest: dict[int, Used] = {}
        self.is_still: Callable[[int], bool] = lambda handle: False
        self._recorder = recorder
        self._counts: dict[int, int] = {}
        self._installed = False
        self._hooked: set[type] = set()
        self._inside = False

    def install(self) -> None:
        """Hook every Keras package that has been imported. Does nothing when called again."""
        if self._installed:
            return
        self._installed = True
        for _, _, owners in keras_optimizers():
            self._hook(owners)

    def renew(self) -> None:
        """Hook again when an optimizer is made or the next gradient is asked for: all hooks were taken out."""
        self._installed = False
        self._hooked.clear()
        creations.on_optimizer.append(self._made)
        self._recorder.at_stop(lambda: creations.on_optimizer.remove(self._made))

    def _made(self, optimizer: Any) -> None:
        try:
            self._hook([each for each in type(optimizer).__mro__ if packages.is_keras_module(each.__module__)])
        except Exception as error:  # a hook never raises into the program
            self._recorder.fail(error)

    def _hook(self, owners: Iterable[type]) -> None:
        for owner in owners:
            if owner in self._hooked:
                continue
            self._hooked.add(owner)
            self._recorder.patches.replace(owner, "apply_gradients", self._wrap_pairs)
            if "keras.src" in owner.__module__ and "apply_gradients" in vars(owner):
                self._recorder.patches.replace(owner, "apply", self._wrap_lists)

    def _wrap_pairs(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def before(optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            # What holds no pairs is for Keras to refuse, untouched.
            if self._inside or not self._recorder.active:
                return None
            if not isinstance(grads_and_vars, (list, tuple, Iterator)):
                alone = self._alone([grads_and_vars])
                if alone is not None or not isinstance(grads_and_vars, Collection):
                    return (optimizer, grads_and_vars, *args), kwargs, alone
            pairs: list[Any] = []
            try:
                pairs.extend(grads_and_vars)
            except BaseException as error:  # the program's own, for Keras to meet where it would have
                return (optimizer, _ended(pairs, error), *args), kwargs, None
            if all(isinstance(each, (tuple, list)) and len(each) == 2 for each in pairs):
                return (optimizer, pairs, *args), kwargs, self._begin(pairs, optimizer, sys._getframe(1))
            return (optimizer, pairs, *args), kwargs, self._alone(pairs)

        return around(original, before, self._end)

    def _alone(self, given: list[Any]) -> Unpaired | None:
        try:
            return unpaired.among(given)
        except Exception as error:  # a hook never raises into the program
            self._recorder.fail(error)
            return None

    def _wrap_lists(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def before(optimizer: Any, grads: Any, trainable_variables: Any = None, **kwargs: Any) -> Any:
            if self._inside or not self._recorder.active:
                return None
            variables = trainable_variables
            if variables is None:
                variables = getattr(optimizer, "_trainable_variables", None) or ()
            # Anything but lists is for Keras to refuse, untouched.
            if not (isinstance(grads, (list, tuple)) and isinstance(variables, (list, tuple))):
                return None
            begun = self._begin(list(zip(grads, variables)), optimizer, sys._getframe(1))
            return (optimizer, grads, trainable_variables), kwargs, begun

        return around(original, before, self._end)

    def _begin(self, pairs: list[Any], optimizer: Any, frame: FrameType) -> list[Any]:
        try:
            self._note(pairs, optimizer, frame)
        except Exception as error:  # a hook never raises into the program
            self._recorder.fail(error)
        self._inside = True
        return pairs

    def _end(self, given: list[Any] | Unpaired | None, error: BaseException | None, result: Any) -> None:
        if isinstance(given, list):
            self._inside = False
        if given is not None and isinstance(error, Exception):  # the optimizer's own, on its way to the program
            try:
                self._refuse(given, sys._getframe(1))
            except Exception as failure:  # a hook never raises into the program
                self._recorder.fail(failure)

    def _refuse(self, pairs: list[Any] | Unpaired, frame: FrameType) -> None:
        if isinstance(pairs, Unpaired):
            self.unpaired = self._recorder.place(frame), pairs
            return
        self.refused = self.refused or not pairs
        lists = unpaired.among(pairs)
        if lists is not None:
            self.unpaired = self._recorder.place(frame), lists
            return
        handles = tuple(handle_of(gradient) for gradient, _ in pairs)
        if handles and min(handles) >= 0 and all(handle_of(variable) < 0 for _, variable in pairs):
            self.swapped = self._recorder.place(frame), handles
        elif self.misfits is None:
            self._misfit(misfits.among(pairs), frame)

    def _misfit(self, found: tuple[Misfit, ...], frame: FrameType) -> None:
        if found:
            self.misfits = self._recorder.place(frame), found

    def _note(self, pairs: Any, optimizer: Any, frame: FrameType) -> None:
        recorder = self._recorder
        place = recorder.place(frame)
        self.empty = self.empty or not pairs
        count = self._counts[place] = self._counts.get(place, 0) + 1
        if parts(len(pairs)) > 1 and count > 1:
            pairs = [pairs[at] for at in turn(count, len(pairs))[1]]
        found = []
        for gradient, variable in pairs:
            key = getattr(values_of(gradient), "_id", -1)
            found.append((key if type(key) is int else -1, recorder.handle_of(variable)))
        given = {handle for key, handle in found if key >= 0}
        self.handles |= given
        used = self._use(optimizer)
        used.handles |= given
        if count <= _KEPT:
            self._look(used, optimizer, [(handle, *pair) for pair, (_, handle) in zip(pairs, found)], count)
            self.calls.append(Applied(place=place, event=recorder.journal.position, pairs=tuple(found)))
            looked = turn(1, len(pairs))[1]
            zero = {found[at][1] for at in looked if all_zero(pairs[at][0])}
            self._others |= given.intersection(found[at][1] for at in looked) - zero
            self.zeros = (self.zeros | zero) - self._others
        if count == 1 and self.misfits is None:  # in a graph it is only refused when that runs
            self._misfit(tuple(each for each in misfits.among(pairs) if not each.broadcasts), frame)

    def _look(self, used: Used, optimizer: Any, given: list[tuple[int, Any, Any]], count: int) -> None:
        """Look at an optimizer, and keep the updates of what it has left as it is."""
        active, self._recorder.active = self._recorder.active, False
        try:
            used.look(optimizer)
            for handle, _, variable in given:
                if handle >= 0 and handle not in used.given:
                    used.given[handle] = weakref.ref(variable)
            if count >= _STILL:
                used.take(optimizer, [each for each in given if each[1] is not None and self.is_still(each[0])])
        finally:
            self._recorder.active = active

    def stood_still(self, handles: Iterable[int]) -> None:
        """Keep the variables that a traced step leaves as they are, with what updates them."""
        for used in self.optimizers:
            optimizer, own = used.optimizer(), used.handles.intersection(handles)
            if optimizer is not None and own:
                used.look(optimizer)
                known = ((handle, used.given[handle]()) for handle in own if handle in used.given)
                used.take(optimizer, [(handle, None, each) for handle, each in known if each is not None])

    def _use(self, optimizer: Any) -> Used:
        found = self._latest.get(id(optimizer))
        if found is None or found.optimizer() is not optimizer:  # the identity of one that is gone is given away again
            found = self._latest[id(optimizer)] = Used.of(optimizer)
            self.optimizers.append(found)
        return found


def _ended(items: list[Any], error: BaseException) -> Iterator[Any]:
    """What an iterator gave before it raised, once more."""
    yield from items
    raise error
