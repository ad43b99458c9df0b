"""Watches what gradients are asked for, and which variables that computation really read.

A tape knows every trainable variable that was read while it was open. What a training step reads and asks no gradient
for is either frozen on purpose, or unknown to Keras: a variable of a closure, a layer in a container that is not looked
into. Both halves of that comparison are facts of the tape, at the moment of `tape.gradient`, eager or traced.
"""

from __future__ import annotations

import functools
import operator
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.keras_common.learning import calls, collected, holders, late_names
from tensorwhy.adapters.patches import replaced
from tensorwhy.adapters.turns import parts
from tensorwhy.model.location import Location
from tensorwhy.recording import locations
from tensorwhy.recording.around import told
from tensorwhy.recording.locations import UserCode

# A call site shows what it reads in its first calls; later ones are looked at ever more rarely.
_EVERY_CALL = 4
_HELD_LIMIT = 100  # variables of one model

described: set[int] = set()
"""The handles of all variables that were ever found to be read and unknown to Keras. Handles are never reused."""


class Unasked(msgspec.Struct, kw_only=True):
    """A variable that a training step of a model read, and that the step asked no gradient for.

    `passing` marks the weights of a layer that was made while a layer ran, and that nobody kept.
    """

    variable: weakref.ref[Any]
    owner: weakref.ref[Any] | None
    name: str
    made: Location | None
    owner_made: Location | None
    owner_name: str
    passing: bool
    model: str
    model_name: str
    trained_at: Location | None
    held: holders.Held | None
    held_made: Location | None
    first: bytes | None
    changed: bool | None = None


class TrainingWatch:
    """Hooks the tape's gradient for one Keras generation; `unasked` is what no later step asked for either."""

    def __init__(self, user: UserCode, generation: int) -> None:
        self.user = user
        self._generation = generation
        self._unasked: dict[int, Unasked] = {}
        self._asked: set[int] = set()
        self._calls: dict[tuple[int, int], int] = {}
        self._undo: list[Callable[[], None]] = []
        self._fitted: dict[int, weakref.ref[Any]] = {}
        self._before: dict[int, bytes] = {}
        self._paused = False
        self.failure = ""

    def pause(self) -> None:
        """See nothing for a while."""
        self._paused = bool(self._undo)
        self.stop()

    def resume(self) -> None:
        """Undo `pause`; else does nothing."""
        if self._paused:
            self._paused = False
            self.start()

    def start(self) -> None:
        """Put the hook in."""
        from tensorflow.python import pywrap_tfe

        def answered(result: Any, tape: Any, target: Any, sources: Any, *rest: Any) -> None:
            try:
                self._seen(tape, sources, sys._getframe(1))
            except Exception as error:  # the bulkhead: a hook never disturbs the program
                self.failure = f"{type(error).__name__}: {error}"
                self.stop()

        self._undo.append(replaced(pywrap_tfe, "TFE_Py_TapeGradient", lambda original: told(original, answered)))

    def stop(self) -> None:
        """Take the hook out."""
        for undo in self._undo:
            undo()
        self._undo.clear()

    def unasked(self) -> Iterable[Unasked]:
        """What no gradient was ever asked for, with a last look at the values of those that are alive."""
        for key, found in self._unasked.items():
            if key not in self._asked:
                self._look(found)
                yield found

    def begins(self, model: Any, at: Location) -> None:
        """A model is about to be trained: what variables that no layer knows are worth before it."""
        known = self._fitted.get(id(model))
        if not self._undo or self._generation < 3 or (known is not None and known() is model):
            return
        if packages.generation_of(model) == self._generation and not handles_of(model, "weights"):
            for variable, _ in self._bare(model):
                first = variable_values.digest(variable)
                if first is not None:
                    self._before.setdefault(handle_of(variable) or 0, first)

    def fitted(self, model: Any, at: Location) -> None:
        """A model was trained: what it holds, if it knows of no weight at all, and Keras asked for no gradient."""
        known = self._fitted.get(id(model))
        if not self._undo or (known is not None and known() is model):
            return
        self._fitted[id(model)] = weakref.ref(model)
        own_step = not packages.is_keras_module(type(model).train_step.__module__)
        if own_step or packages.generation_of(model) != self._generation or handles_of(model, "weights"):
            return
        for layer in _leaves(self._generation, model):
            held = holders.find(model, functools.partial(operator.is_, layer), self.user)
            for variable in layer.trainable_variables if held is not None else ():
                inner = variable._value if self._generation >= 3 else variable
                self._keep(inner, layer, False, model, held, at)
        for variable, held in self._bare(model):
            key = handle_of(variable) or 0
            if key in self._before:
                self._keep(variable, None, False, model, held, at)
                self._unasked[key].first = self._before[key]
                self._look(self._unasked[key])

    def _bare(self, model: Any) -> Iterator[tuple[Any, holders.Held]]:
        """The trainable variables of TensorFlow's own kind that the user made, and that the model holds."""
        import tensorflow as tf

        found: dict[int, Any] = {}

        def wanted(child: Any) -> bool:
            key = handle_of(child) if isinstance(child, tf.Variable) else None
            if key is None or key in found or key in self._asked or not (child.trainable and _differentiable(child)):
                return False
            if not creations.made_directly(child) or restored(child):
                return False
            found[key] = child
            return True

        while len(found) < _HELD_LIMIT and (held := holders.find(model, wanted, self.user)) is not None:
            yield next(reversed(found.values())), held

    def asked_all_of(self, model: Any) -> bool:
        """Return whether a gradient was asked for everything that the model knows to be trainable."""
        own = handles_of(model, "trainable_variables")
        return bool(own) and own <= self._asked

    def _seen(self, tape: Any, sources: Any, frame: Any) -> None:
        late_names.trained()
        place = locations.caller(self.user, frame)
        site = (id(place[0]), place[1]) if place is not None else (0, 0)
        count = self._calls[site] = self._calls.get(site, 0) + 1
        if count > (_EVERY_CALL if parts(len(sources)) == 1 else 1) and count & (count - 1):
            return
        from tensorflow.python import pywrap_tfe

        asked = {key for key in map(handle_of, sources) if key is not None}
        self._asked |= asked
        if count == 1:
            collected.asked(
                lambda layer: bool(handles_of(layer, "trainable_variables") & asked), place, self._generation
            )
        read = pywrap_tfe.TFE_Py_TapeWatchedVariables(tape)
        rest = [variable for variable in read if handle_of(variable) not in self._asked and _differentiable(variable)]
        if not rest or not asked:
            return
        new = [variable for variable in rest if handle_of(variable) not in self._unasked]
        for variable in rest:
            known = self._unasked.get(handle_of(variable) or 0)
            if known is not None:
                self._look(known)
        if new:
            self._describe(new, asked, locations.resolve(*place) if place is not None else None)

    def _describe(self, variables: list[Any], asked: set[int], at: Location | None) -> None:
        models = self._trained(asked)
        if not models:
            return
        known = owners(self._generation)
        own = set().union(*(handles_of(model, "variables") for model in models))
        for variable in variables:
            key = handle_of(variable)
            if key in own:
                continue  # the model knows it, and leaves it out: frozen, by itself or by what is around
            owner = known.get(key or 0)
            lost = owner is None and not creations.made_directly(variable)
            inside = creations.made_inside(variable) or creations.made_during_call(variable)
            if key is None or (lost and not inside):
                continue
            if lost and creations.maker(variable) is not None:
                continue  # the layer that made it is there, and has been given something else in its place
            if owner is not None and key not in handles_of(owner, "trainable_variables"):
                continue  # frozen on purpose
            if restored(variable):
                continue  # it was trained elsewhere
            thing = owner if owner is not None else variable
            model, held = self._holder(models, thing, key)
            if owner is None and held is None and calls.was_given(key):
                continue  # data that the program keeps in a variable, and gives to a layer
            if owner is not None and held is None:
                if not creations.made_during_call(owner):
                    continue  # another model or layer, which this one does not hold: a teacher, a discriminator
                owner, lost = None, True  # nobody keeps it: it only waits to be collected
            self._keep(variable, owner, lost, model, held, at)

    def _keep(
        self, variable: Any, owner: Any, lost: bool, model: Any, held: holders.Held | None, at: Location | None
    ) -> None:
        key = handle_of(variable)
        if key is None:
            return
        described.add(key)
        self._unasked[key] = Unasked(
            variable=weakref.ref(variable),
            owner=weakref.ref(owner) if owner is not None else None,
            name=str(getattr(variable, "name", "")),
            made=(creations.made_within(variable) if lost else None) or creations.made(variable),
            owner_made=creations.made(owner) if owner is not None else None,
            owner_name=f"{type(owner).__name__} `{getattr(owner, 'name', '')}`" if owner is not None else "",
            passing=lost,
            model=type(model).__name__,
            model_name=str(getattr(model, "name", "")),
            trained_at=at,
            held=_light(held),
            held_made=creations.made(held.owner) if held is not None else None,
            first=variable_values.digest(variable),
        )

    def _trained(self, asked: set[int]) -> list[Any]:
        """The live models whose trainable variables the gradient was asked for, the largest first."""
        found = []
        for model in creations.live(("model",)):
            if packages.generation_of(model) == self._generation:
                own = handles_of(model, "trainable_variables")
                if own and own <= asked:
                    found.append((len(own), model))
        return [model for _, model in sorted(found, key=lambda pair: -pair[0])]

    def _holder(self, models: list[Any], thing: Any, key: int) -> tuple[Any, holders.Held | None]:
        def wanted(child: Any) -> bool:
            return child is thing or (packages.kind_of(child) == "variable" and handle_of(child) == key)

        for model in models:
            held = holders.find(model, wanted, self.user)
            if held is not None:
                return model, held
        return models[0], None

    def _look(self, found: Unasked) -> None:
        """Has the value changed since it was first seen? A change means that the program updates it by itself."""
        variable = found.variable()
        if variable is None or found.changed:
            return
        now = variable_values.digest(variable)
        if now is not None and found.first is not None:
            found.changed = now != found.first
        found.first = found.first or now


def _leaves(generation: int, model: Any) -> list[Any]:
    """The live layers, each of which is the smallest that knows some trainable variable as its own."""
    every = {id(layer): layer for layer in owners(generation).values() if layer is not model}
    return [layer for layer in every.values() if handles_of(layer, "trainable_variables")]


def owners(generation: int) -> dict[int, Any]:
    """Handle → the smallest live layer that knows the variable as its own, those inside of live layers included."""
    found: dict[int, tuple[int, Any]] = {}
    live = creations.live(("layer", "model"))
    for layer in {id(inner): inner for each in live for inner in packages.layers_of(each)}.values():
        if packages.generation_of(layer) != generation:
            continue
        own = handles_of(layer, "variables")
        for key in own:
            if key not in found or len(own) < found[key][0]:
                found[key] = (len(own), layer)
    return {key: layer for key, (_, layer) in found.items()}


def _light(held: holders.Held | None) -> holders.Held | None:
    """The description without the objects: they must not be kept alive."""
    if held is None:
        return None
    return holders.Held(type(held.owner), held.attribute, held.path, holders.words(held.barrier))


def handle_of(thing: Any) -> int | None:
    """The id of a variable's handle: never reused, the same for Keras's and for TensorFlow's variable object."""
    found = getattr(thing, "_id", None)
    if isinstance(found, int):
        return found
    try:
        handle = getattr(thing, "handle", None)
    except (AttributeError, NotImplementedError, RuntimeError, ValueError):
        return None
    found = getattr(handle, "_id", None)
    return found if isinstance(found, int) else None


def handles_of(layer: Any, attribute: str) -> set[int]:
    """The handles of the variables in one of a layer's lists."""
    try:
        variables = list(getattr(layer, attribute, ()))
    except (AttributeError, ValueError, RuntimeError):
        return set()  # a model that is not built yet may refuse
    return {key for key in map(handle_of, variables) if key is not None}


def path_of(layer: Any, handle: int) -> str:
    """What Keras 3 calls one of a layer's own variables; empty where Keras leaves that to TensorFlow.

    The name that TensorFlow gives it lacks the layer, where a model is built by its first call (`net/kernel`).
    """
    paths = (getattr(variable, "path", "") for variable in layer.variables if handle_of(variable) == handle)
    return str(next(paths, ""))


def _differentiable(variable: Any) -> bool:
    dtype = getattr(variable, "dtype", None)
    return bool(getattr(dtype, "is_floating", False) or getattr(dtype, "is_complex", False))


def restored(variable: Any) -> bool:
    """True if a variable came with a SavedModel: what a traced function makes is of a class derived from this one."""
    from tensorflow.python.ops import resource_variable_ops

    return type(variable) is resource_variable_ops.UninitializedVariable
