"""Reads a failed construction of a functional model: which input or output cannot be used, and why.

Every Keras constructs a functional model in a frame of its `Functional` class that holds `inputs` and `outputs`. What
is wrong with them is decided by looking at the live objects, never by the text of the exception.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Iterator, Mapping
from typing import Any

from tensorwhy.adapters.keras_common import creations, drawing, nodes, packages
from tensorwhy.adapters.keras_common.failures import givens
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.symbolic import Disconnected, Given, NotATensor, NotSymbolic, OutputNotFromLayer, Recalled
from tensorwhy.model.location import Location
from tensorwhy.model.report import LineageView, TensorRef
from tensorwhy.source.files import Sources

_SYMBOLIC_KINDS = ("eager tensor", "array", "variable", "graph tensor", "number")
_CALLABLE_KINDS = ("layer", "model", "function", "class")


def construction(live: LiveFailure, generation: int) -> Iterator[Fact]:
    """Why a functional model of this Keras generation could not be made of its inputs and outputs."""
    sources = Sources()
    for stack in live.whole():
        at = _constructor(stack, generation)
        if at is not None:
            yield from _Construction(stack, at, live, sources).facts()
            return


def _constructor(stack: Stack, generation: int) -> int | None:
    """The index of the outermost frame that constructs the model that failed."""
    last = stack.innermost_user()
    for index, call in enumerate(stack.frames):
        if last is not None and index <= last:
            continue
        if call.function in ("__init__", "_init_graph_network") and "outputs" in call.frame.f_locals:
            owner = call.local("self")
            if packages.kind_of(owner) == "model" and packages.generation_of(owner) == generation:
                return index
    return None


class _Construction:
    """The arguments of one `Model(...)` call."""

    def __init__(self, stack: Stack, at: int, live: LiveFailure, sources: Sources) -> None:
        self._stack, self._at, self._live, self._sources = stack, at, live, sources
        call = stack.frames[at]
        self._model = call.local("self")
        # Keras 3 replaces `inputs` by clones when they are no Input's own; the flat lists keep what was given.
        self._inputs = self._pairs(call.local("inputs"), call.local("flat_inputs"))
        self._outputs = self._pairs(call.local("outputs"), call.local("flat_outputs"))
        frames = stack.user_frames(at)
        self._used: Location | None = frames[-1][1] if frames else None

    @staticmethod
    def _pairs(structure: Any, flat: Any) -> list[tuple[Any, tuple[object, ...]]]:
        pairs = list(nodes.flat(structure))
        if isinstance(flat, list) and len(flat) == len(pairs):
            return [(tensor, path) for tensor, (_, path) in zip(flat, pairs, strict=True)]
        return pairs

    def facts(self) -> Iterator[Fact]:
        if self._used is None:
            return
        wrong = [
            (thing, path, parameter)
            for parameter, pairs in (("inputs", self._inputs), ("outputs", self._outputs))
            for thing, path in pairs
            if not self._native(thing)
        ]
        if wrong:
            yield from self._misfits(wrong)
            return
        missing, used = nodes.missing((t for t, _ in self._inputs), (t for t, _ in self._outputs))
        if missing:
            yield self._disconnected(missing, used)

    def _native(self, thing: Any) -> bool:
        return packages.is_keras_tensor(thing) and packages.package_of(thing) == packages.package_of(self._model)

    def _misfits(self, wrong: list[tuple[Any, tuple[object, ...], str]]) -> Iterator[Fact]:
        assert self._used is not None
        needed_by = givens.called(self._stack, self._at, self._sources, type(self._model).__name__)
        symbolic: list[Given] = []
        layers: list[tuple[Any, Given]] = []
        for thing, path, parameter in wrong:
            sort = packages.sort(thing)
            own, other = packages.package_of(self._model), packages.package_of(thing)
            given = self._given(thing, path, parameter)
            if other is not None and own is not None and other != own:
                return  # `mixing` tells of it
            elif sort == "layer" and nodes.calls_of(thing) and not nodes.is_bare_entry(thing):
                layers.append((thing, given))
            elif sort in _CALLABLE_KINDS:
                yield NotATensor(
                    given=given,
                    receiver=needed_by,
                    used=self._used,
                    call=sort in ("layer", "function", "class"),
                    entry=nodes.is_bare_entry(thing),
                )
            elif parameter == "outputs" and sort not in ("eager tensor", "array"):
                view = self._drawn([given], "no layer made it", needed_by)
                yield OutputNotFromLayer(given=given, needed_by=needed_by, used=self._used, lineage=view)
            elif sort in _SYMBOLIC_KINDS:
                symbolic.append(given)
        if layers:
            (first_layer, given), *rest = layers
            yield NotATensor(
                given=given,
                receiver=needed_by,
                used=self._used,
                called=True,
                entry=nodes.is_entry(first_layer),
                others=tuple(other for _, other in rest),
            )
        if symbolic:
            # Values that flow through layers eagerly stay eager: an eager input explains the eager outputs.
            first, *others = symbolic
            view = self._drawn(symbolic, "not symbolic", needed_by)
            yield NotSymbolic(given=first, others=tuple(others), needed_by=needed_by, used=self._used, lineage=view)

    def _drawn(self, wrong: list[Given], words: str, model: str) -> LineageView | None:
        assert self._used is not None
        outputs, inputs = ([thing for thing, _ in pairs] for pairs in (self._outputs, self._inputs))
        return drawing.without_history(wrong, outputs, inputs, words, model, self._used)

    def _given(self, thing: Any, path: tuple[object, ...], parameter: str) -> Given:
        return givens.describe(
            thing,
            self._stack,
            self._at,
            self._live.user,
            self._sources,
            parameter=parameter,
            position=0 if parameter == "inputs" else 1,
            path=path,
        )

    def _disconnected(self, missing: list[Any], used: list[Any]) -> Fact:
        assert self._used is not None
        outputs = [tensor for tensor, _ in self._outputs]
        inputs = list({id(tensor): tensor for tensor, _ in self._inputs}.values())
        unused = [tensor for tensor in inputs if all(tensor is not other for other in used)]
        references = tuple(self._reference(tensor) for tensor in missing)
        model = givens.called(self._stack, self._at, self._sources, type(self._model).__name__)
        owner, name = self._owner(missing[0])
        own = [each for each, _ in nodes.flat(getattr(owner, "inputs", ()))]
        return Disconnected(
            used=self._used,
            missing=references,
            given=tuple(self._reference(tensor) for tensor in inputs),
            unused=tuple(self._reference(tensor) for tensor in unused),
            path=nodes.path(missing[0], outputs),
            model=model,
            owner=None if owner is None else TensorRef(name=name, kind="other", location=givens.maker(owner)),
            twice=tuple(self._reference(tensor) for tensor in inputs if self._count(tensor) > 1),
            fed=self._fed(missing[0], outputs),
            shared=any(tensor is each for tensor in used for each in own),
            recalled=self._recalled(outputs, unused),
            replaced=self._replaced(missing[0], outputs, owner, unused),
            lineage=drawing.lacking(outputs, inputs, list(zip(missing, references, strict=True)), model, self._used),
        )

    def _recalled(self, outputs: list[Any], unused: list[Any]) -> Recalled | None:
        """The call of the same layer that goes on from an input that was given."""
        found = nodes.recalled(outputs, unused)
        if found is None:
            return None
        layer, taken, wanted, instead, given = found
        return Recalled(
            layer=f"{type(layer).__name__} layer `{layer.name}`",
            taken=creations.made(taken),
            wanted=creations.made(wanted),
            instead=self._reference(instead),
            given=self._reference(given),
        )

    def _count(self, tensor: Any) -> int:
        return sum(tensor is other for other, _ in self._inputs)

    def _fed(self, tensor: Any, outputs: list[Any]) -> TensorRef | None:
        """What a model that was made before gives, where the way from its input to these outputs goes on from there."""
        models = [model for model in creations.live(("model",)) if model is not self._model and packages.native(model)]
        given = {id(each): each for model in models for each, _ in nodes.flat(getattr(model, "outputs", None) or [])}
        ends = {id(each) for each in outputs}
        found = [each for each in nodes.between(tensor, outputs) if id(each) in given and id(each) not in ends]
        return self._reference(found[0]) if found else None

    def _replaced(self, tensor: Any, outputs: list[Any], owner: Any, unused: list[Any]) -> TensorRef | None:
        """The last tensor of the owner's own on the way to these outputs, where one unused input could stand for it."""
        way = nodes.between(tensor, outputs)
        own = nodes.behind(each for each, _ in nodes.flat(getattr(owner, "outputs", ())))
        last = next((one for one, after in itertools.pairwise(way) if id(one) in own and id(after) not in own), None)
        alike = [each for each in unused if last is not None and _kind(each) == _kind(last)]
        return self._reference(last) if len(alike) == 1 else None

    def _reference(self, tensor: Any) -> TensorRef:
        from tensorwhy.recording import bindings

        frames = self._stack.user_frames(self._at)
        names = [name for frame, _ in reversed(frames) for name in bindings.named(tensor, frame)]
        return nodes.reference(tensor, names[0] if names else "")

    def _owner(self, tensor: Any) -> tuple[Any, str]:
        """A model of the user's frames, or a part of one, whose own input this is, and how the user gets at it.

        It was used without calling it.
        """
        for frame, _ in reversed(self._stack.user_frames(self._at)):
            for name, value in _with_attributes(frame.f_locals):
                for path, model in _with_parts(value, name):
                    if model is self._model:
                        continue
                    if any(each is tensor for each, _ in nodes.flat(getattr(model, "inputs", ()))):
                        return model, path
        return None, ""


def _kind(tensor: Any) -> tuple[object, str]:
    return nodes.shape(tensor), nodes.dtype(tensor)


def _with_attributes(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is known by these names, and then the models in attributes of the user's own objects among them."""
    values = list(names.items())
    yield from values
    for name, value in values:
        if packages.kind_of(value) is not None or issubclass(type(value), (type, types.ModuleType)):
            continue
        try:
            kept = object.__getattribute__(value, "__dict__")
        except AttributeError:  # with `__slots__`
            continue
        yield from ((f"{name}.{each}", held) for each, held in list(kept.items()) if packages.kind_of(held) == "model")


def _with_parts(thing: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A model and the models among its layers, each with how the user gets at it. Wrappers of layers hold some, too."""
    wrapped = getattr(thing, "layer", None) if packages.kind_of(thing) == "layer" and packages.native(thing) else None
    if packages.kind_of(wrapped) == "model":
        yield from _with_parts(wrapped, f"{name}.layer")
    if packages.kind_of(thing) != "model":
        return
    yield name, thing
    for layer in getattr(thing, "layers", ()) if packages.native(thing) else ():
        yield from _with_parts(layer, f"{name}.get_layer({getattr(layer, 'name', '')!r})")
