"""Writes what each function did into the journal, and what it was called with into the calls that can be made again."""

from __future__ import annotations

import bisect
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import torch

from tensorwhy.adapters.places import Places
from tensorwhy.adapters.torch.operations import graphs
from tensorwhy.adapters.torch.operations import kinds as k
from tensorwhy.adapters.torch.operations.rules import CUT, STORE
from tensorwhy.adapters.torch.recording.calls import Calls
from tensorwhy.adapters.torch.recording.serials import Serials, Weak
from tensorwhy.adapters.torch.recording.short import Short
from tensorwhy.adapters.torch.recording.unseen import Guarded, Unseen
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode

GRAPH = 1
"""The number of the one graph that PyTorch keeps, which the lineage takes for a recorder."""
_next_node: Callable[[], int] = getattr(torch.autograd, "_get_sequence_nr", int)
_NUMBERS = (int, float)
_SEQUENCES = (list, tuple)
_TAKEN = 256
"""So many results that share the memory of another one are remembered."""
MOST_PARAMETERS = 100_000


class Switch(NamedTuple):
    """Where graphs were switched off, and by what, as a program writes it."""

    place: int
    word: str


class Thawed(NamedTuple):
    """A leaf that required no gradient from one row up to another, and where it began to require one again."""

    since: int
    until: int
    place: int


class Taken(NamedTuple):
    """A result without a graph that shares the memory of the one it was taken from, by `.data` or `detach()`."""

    result: Weak
    origin: Weak
    by: str
    place: int


class Overtaken(NamedTuple):
    """Such a result had its values changed before a row, through the memory that it shares."""

    taken: Taken
    row: int
    name: str
    place: int


class Aside(NamedTuple):
    """`requires_grad` was set on a `tensor` that is no leaf, but shares the memory of one."""

    tensor: int
    value: bool
    row: int
    place: int


class Rows(ABC):
    """What is known of tensors and calls. `leaves` are the tensors that a graph ends at, by number.

    `writing`: rows are written; not while `silent`. `paused`: no graph is kept of what is written now. `armed`: all
    functions are seen.
    """

    short: Short

    def __init__(self, journal: j.Journal, user: UserCode) -> None:
        self.armed = False
        self.paused = False
        self._alias: dict[int, int] = {}
        self._taken: dict[int, Taken] = {}
        self._lent: dict[int, list[Taken]] = {}
        """The same by the identity of the origin."""
        self.overtaken: dict[int, Overtaken] = {}
        self.journal = journal
        self.writing = True
        self.silent = 0
        self.places = Places(journal, user)
        self.serials = Serials()
        self.calls = Calls(self.serials)
        self.leaves: dict[int, Weak] = {}
        self.made: dict[int, int] = {}
        self.parameters: dict[int, Weak] = {}
        self.born: dict[int, int] = {}
        self.backwards = 0
        self.grads: dict[int, int] = {}
        """Gradients that were read, and what shares their memory, with the leaf of each."""
        self.on_grad: Callable[[int, str, int], None] = lambda leaf, how, place: None
        self.masked: dict[int, int] = {}
        """Leaves whose gradient the program was seen to change, and where first."""
        self.watched = False
        """The program has asked for gradients of results on their way, by a hook or by `retain_grad`."""
        self.read: set[int] = set()
        """The tensors whose gradients were read."""
        self.frozen: dict[int, int] = {}
        self.thawed: dict[int, Thawed] = {}
        self.set_aside: dict[int, Aside] = {}
        """What was set on a tensor in the place of a leaf, by that leaf."""
        self.forced: dict[int, int] = {}
        self.numbers: set[int] = set()
        self.scalars: set[int] = set()
        self.stores: set[str] = set()
        self.refusals: list[tuple[str, int, int]] = []
        self.holes: set[int] = set()
        self.off: dict[int, str] = {}
        self.sequence: list[tuple[int, int]] = []
        """Rows whose calls made nodes of the graph, with the number of the last node."""
        self.on_grad_read: Callable[[Any, int], None] = lambda tensor, place: None
        self.strangers: list[int] = []
        self.switch = Switch(-1, "torch.no_grad")
        """What switched graphs off last, of what was not turned back since."""
        self.inferring = Switch(-1, "torch.inference_mode")
        self.shared: dict[int, int] = {}
        """Tensors that share the memory of a parameter, as something changed both, and the row of that."""
        journal.add(j.RECORDER_NEW, "graph", -1, (GRAPH, 1, 0))

    @abstractmethod
    def fail(self, error: Exception) -> None:
        """Stop, and say why."""

    @staticmethod
    def latest() -> int:
        """The number of the last node of the graph.

        A node itself is not asked for: an object of Python's stays with it, and a long graph of such nodes overflows
        the stack when it goes.
        """
        return int(_next_node()) - 1

    def row(self, node: Any) -> int:
        """Return the row whose call made a node of the graph; -1 where that was not recorded."""
        at = bisect.bisect_left(self.sequence, (node if isinstance(node, int) else node._sequence_nr(), -1))
        return self.sequence[at][1] if at < len(self.sequence) else -1

    def event(self, node: Any) -> j.Event | None:
        """Return what was recorded of the call that made a node of the graph."""
        row = self.row(node)
        return self.journal.event(row) if row >= 0 else None

    def place(self, frame: FrameType | None) -> int:
        """The user's line at or above a frame."""
        return self.places.place(frame)

    # -- tensors -------------------------------------------------------------------------------------------------

    def serial(self, tensor: Any) -> int:
        """The number of a tensor that something was given; a leaf that is met for the first time is noted."""
        known = self.serials.known(tensor)
        if known is None:
            known = self.serials.new(tensor)
            if tensor.requires_grad:
                if graphs.is_leaf(tensor):
                    self.leaf(tensor, known)
                else:
                    self.holes.add(known)
            elif type(tensor) is torch.Tensor:
                if self.short.on:
                    self.holes.add(known)  # it may have been computed out of sight
                self.strangers.append(known << 8 | k.DTYPES.get(tensor.dtype, 0))
        return known

    def leaf(self, tensor: Any, serial: int, place: int = -1) -> None:
        """Note a tensor that gradients are collected in."""
        if serial not in self.leaves:
            self.leaves[serial] = Weak(tensor)
            if isinstance(tensor, torch.nn.Parameter) and len(self.parameters) < MOST_PARAMETERS:
                self.parameters.setdefault(serial, self.leaves[serial])  # it was made before the recording
            self.serials.require(serial)
            if place >= 0:
                self.made.setdefault(serial, place)
            self.journal.add(j.WATCH, "leaf", place, (GRAPH, serial))

    def parameter(self, tensor: Any, given: Any, place: int) -> None:
        """Note a new parameter, and what it was made from."""
        if len(self.parameters) >= MOST_PARAMETERS:
            return
        serial = self.serials.new(tensor)
        self.parameters[serial] = Weak(tensor)
        self.made[serial] = place
        self.born[serial] = self.backwards
        if self.armed and type(given) is torch.Tensor and (source := self.serials.known(given)) is not None:
            self.op("Parameter", place, [source], [(serial, tensor)], detached=True)
        if tensor.requires_grad:
            self.leaf(tensor, serial, place)

    def variable(self, tensor: Any, given: Any, place: int) -> None:
        """Note what `Variable(...)` makes of a tensor: another one, without its history if it has one."""
        if self.serials.known(given) is None and not given.requires_grad:
            return  # data that a program wraps
        source, cut = self.serial(given), given.requires_grad
        self.op("Variable" if cut else "alias", place, [source], [(self.serials.new(tensor), tensor)], detached=cut)
        if tensor.requires_grad:
            self._required(tensor, place)

    # -- rows ----------------------------------------------------------------------------------------------------

    def refused(self, kind: k.Kind, args: Any, kwargs: Any, frame: FrameType | None) -> None:
        """A function raised: note what was to be changed in place and must not be, and a tensor of `inference_mode`."""
        with Guarded(self.fail):
            why, tensor = self._refusal(kind, args, kwargs)
            if why:
                self.refusals.append((why, self.place(frame), self.serial(tensor)))

    def _refusal(self, kind: k.Kind, args: Any, kwargs: Any) -> tuple[str, Any]:
        """Why a function refused a tensor, and which; an empty text for other reasons."""
        if kind.code == k.IN_PLACE or (kwargs and kwargs.get("inplace") is True):
            target = args[0]
            base = target if target._base is None else target._base
            if torch.is_grad_enabled() and base.is_leaf and base.requires_grad:
                return "leaf", base
            why = graphs.unchangeable(target)
            if why:
                return why, target
        if graphs.keeps_graphs():
            for each in graphs.tensors(list(args)):
                if each.is_inference():
                    return "inference", each
        return "", None

    def changing(self, args: Any) -> None:
        """A function is about to change its first argument in place."""
        try:
            if args and isinstance(args[0], torch.Tensor):
                with Unseen():
                    self.calls.changing(args[0])
        except Exception as error:  # the program goes on whatever happens to the recording
            self.fail(error)

    def write(self, kind: k.Kind, func: Any, args: Any, kwargs: Any, result: Any, frame: FrameType | None) -> None:
        """Write what a function did, once it has run."""
        try:
            with Unseen():
                self._write(kind, func, args, kwargs, result, frame)
        except Exception as error:  # the program goes on whatever happens to the recording
            self.fail(error)

    def _write(self, kind: k.Kind, func: Any, args: Any, kwargs: Any, result: Any, frame: FrameType | None) -> None:
        code = kind.code
        if code == k.OP:
            self._operation(kind, func, args, kwargs, result, frame)
        elif code == k.IN_PLACE:
            given = [*args, *(kwargs or {}).values()]
            if given and isinstance(given[0], torch.Tensor):
                self._masking(self.grads.get(self.serials.known(given[0]) or -1), frame)
                self._in_place(kind.name, given[0], given[1:], self.place(frame), (func, args, kwargs))
        elif code == k.EXIT:
            direct = frame is not None and self.places.files[frame.f_code.co_filename]
            self.journal.add(j.EXIT, kind.name + j.DIRECT * direct, self.place(frame), (self.serial(args[0]),))
        elif code == k.ENTRY:
            self._entry(kind.name, args, result, self.place(frame))
        elif code == k.GRAD_MODE:
            self._grad_mode(bool(args[0]), frame)
        elif code == k.SET_DATA:
            self._set_data(args[0], args[1], self.place(frame))
        elif code == k.REQUIRE:
            self._required(args[0], self.place(frame))
        elif code == k.GRAD:
            number = self.serials.known(args[0]) or -1
            self.read.add(number)
            if result is not None:
                self.grads[self.serial(result)] = number
                self.on_grad(number, "read", -1)
            elif args[0].requires_grad:
                self.on_grad_read(args[0], self.place(frame))
        elif code == k.RETAIN:
            self.watched |= not args[0].is_leaf
        elif code == k.SET_GRAD:
            self.on_grad(self.serials.known(args[0]) or -1, "change", self.place(frame))
            if isinstance(args[1], torch.Tensor):
                self._masking(self.serials.known(args[0]), frame)

    def _masking(self, leaf: int | None, frame: FrameType | None) -> None:
        """The program itself changes the gradient of a leaf, and no function of a library does."""
        if leaf is not None and frame is not None and self.places.files[frame.f_code.co_filename]:
            self.masked.setdefault(leaf, self.place(frame))

    def _inputs(self, values: Any, floats: bool, found: list[int]) -> None:
        for value in values:
            if isinstance(value, torch.Tensor):
                found.append(self.serial(value))
            elif type(value) in _SEQUENCES:
                self._inputs(value, False, found)
            elif floats and type(value) in _NUMBERS:
                found.append(j.PYTHON)
            elif type(value).__module__ == "numpy" and floats:
                found.append(j.NUMPY if hasattr(value, "shape") and value.shape else j.PYTHON)
            elif type(value) is dict:
                self._inputs(value.values(), False, found)

    def _operation(self, kind: k.Kind, func: Any, args: Any, kwargs: Any, result: Any, frame: FrameType | None) -> None:
        made = list(graphs.tensors(result))
        if not made:
            return
        inputs: list[int] = []
        self._inputs(args, kind.floats, inputs)
        if kwargs:
            out = kwargs.get("out")
            self._inputs([value for value in kwargs.values() if value is not out], kind.floats, inputs)
        known = self.serials.known
        new = [each for each in made if known(each) is None or known(each) not in inputs]
        if not new:
            if kwargs and kwargs.get("inplace") and made:
                self._in_place(f"{kind.name}_", made[0], [], self.place(frame), (func, args, kwargs))
            return
        place = self.place(frame)
        given, named = self.calls.arguments(args, kwargs)
        before = {id(each) for each in made} - {id(each) for each in new}
        self.op(kind.name, place, inputs, [(self.serials.new(each), each) for each in new])
        outputs = tuple([0 if id(each) in before else known(each) or 0 for each in made])
        if named.get("out") is not None:
            given = None
        self.calls.note(func, kind.name, given, named, outputs, new, place, frame=frame)
        if kind.name in k.STOPS and inputs:
            leaf = inputs[0] in self.leaves or inputs[0] in self.parameters
            for shared, names in ((leaf, self._alias), (inputs[0] in self.grads, self.grads)):
                if shared:
                    names[known(new[0]) or 0] = names.get(inputs[0], inputs[0])
            if kind.name in k.SAME_MEMORY and not leaf:
                taken = self._taken[id(new[0])] = Taken(Weak(new[0]), Weak(args[0]), kind.name, place)
                self._lent.setdefault(id(args[0]), []).append(taken)
                if len(self._taken) > _TAKEN:
                    self._taken.clear()
                    self._lent.clear()

    def op(
        self,
        name: str,
        place: int,
        inputs: list[int],
        outputs: list[tuple[int, Any]],
        detached: bool = False,
        kind: int = j.OP,
    ) -> int:
        """Write one row, and return where it begins."""
        journal = self.journal
        first = outputs[0][1]
        if not detached and first.dim() == 0:
            self.scalars.add(outputs[0][0])
        if detached:
            name += CUT
        elif not first.requires_grad:
            if inputs and self._any_requires(inputs):
                if not graphs.keeps_graphs():
                    self._pause(place)
                elif name not in k.STOPS and not any(each.requires_grad for _, each in outputs):
                    # Integers alone say so by their dtype.
                    name += CUT * any(each.dtype.is_floating_point for _, each in outputs)
            elif self.paused and graphs.keeps_graphs():
                self._go_on(place)
        else:
            if self.paused:
                self._go_on(place)
            if not graphs.is_leaf(first):
                self.sequence.append((self.latest(), journal.position))
            elif not any(each > 0 for each in inputs):
                self.leaf(first, outputs[0][0], place)
        for each in self.strangers:  # made out of sight: `from_numpy`, a loader of data
            journal.add(j.ENTRY, "outside", place, (j.NUMPY,), (each,))
        self.strangers.clear()
        at = journal.position
        numbers = tuple([serial << 8 | k.DTYPES.get(tensor.dtype, 0) for serial, tensor in outputs])
        journal.add(kind, name, place, tuple(inputs), numbers)
        return at

    def _any_requires(self, inputs: list[int]) -> bool:
        known = self.serials.requires
        return any(known(each) and not self._is_frozen(each) for each in inputs)

    def _is_frozen(self, serial: int) -> bool:
        """Whether a leaf that required a gradient once does so no more."""
        leaf = self.leaves.get(serial)
        tensor = leaf() if leaf is not None else None
        return tensor is not None and not tensor.requires_grad

    def _in_place(self, name: str, target: Any, others: list[Any], place: int, call: tuple[Any, Any, Any]) -> None:
        before = self.serial(target)
        if self._stored_in(name, target, before, others, place):
            return
        inputs: list[int] = []
        self._inputs(others, True, inputs)
        given, named = self.calls.arguments(*call[1:])
        after = self.serials.new(target)
        if before in self.grads:
            of = self.grads[after] = self.grads[before]
            self.on_grad(of, "change", place)
        self.op(name, place, [before, *inputs], [(after, target)])
        self.calls.note(call[0], name, given or None, named, (after,), [target], place, changes=True)
        base = target._base
        if base is not None:
            held = self.serial(base)
            if not self._stored_in(name, base, held, [target], place):
                strides = target.size(), target.stride(), target.storage_offset() - base.storage_offset()
                first = self.calls.arguments((base, target, *strides), {})
                number = self.serials.new(base)
                self.op(name, place, [held, after], [(number, base)])
                self.calls.note(write_into, name, first[0], {}, (number,), [base], place)
        self._through(target if base is None else base, place)
        for changed in (target,) if base is None else (target, base):
            self._overtake(name, changed, place)

    def _stored_in(self, name: str, changed: Any, before: int, values: list[Any], place: int) -> bool:
        """Whether what changes is a leaf, or shares its memory: then this is a store, which no graph knows."""
        leaf = before if before in self.leaves or before in self.parameters else self._alias.get(before)
        if leaf is None:
            return False
        inputs: list[int] = []
        self._inputs(sorted(values, key=_is_index), True, inputs)
        row = self.journal.position
        self._store(name, leaf, inputs, place)
        if leaf != before:
            after = self.serials.new(changed)
            self._alias[after], self.shared[after] = leaf, row
        return True

    def _through(self, changed: Any, place: int) -> None:
        """What a changed tensor was taken from holds the new values, too, and hands no gradient on to them."""
        taken = self._taken.get(id(changed))
        origin = taken.origin() if taken is not None and taken.result() is changed else None
        if taken is None or origin is None:
            return
        given, _ = self.calls.arguments((origin, changed), {})
        held, cut = self.serial(origin), self.serials.next()
        dtype = k.DTYPES.get(changed.dtype, 0)
        self.journal.add(j.OP, taken.by, place, (self.serial(changed),), (cut << 8 | dtype,))
        number = self.serials.new(origin)
        self.op("copy_", place, [held, cut], [(number, origin)])
        self.calls.note(write_through, "copy_", given, {}, (number,), [origin], place)

    def _overtake(self, name: str, changed: Any, place: int) -> None:
        """What was taken from a tensor that changed has other values now."""
        for taken in self._lent.get(id(changed), ()):
            result = taken.result()
            if result is not None and taken.origin() is changed and len(self.overtaken) < _TAKEN:
                given, _ = self.calls.arguments((changed,), {})
                number, dtype = self.serials.new(result), k.DTYPES.get(result.dtype, 0)
                self.journal.add(j.OP, taken.by, place, (self.serial(changed),), (number << 8 | dtype,))
                self.calls.note(torch.Tensor.detach, taken.by, given, {}, (number,), [result], place)
                self.overtaken[number] = Overtaken(taken, self.journal.position, name, place)

    def _store(self, name: str, leaf: int, inputs: list[int], place: int) -> None:
        name = STORE + name
        self.stores.add(name)
        self.journal.add(j.OP, name, place, (leaf, *inputs))
        self.on_grad(leaf, "store", place)

    def _entry(self, name: str, args: Any, result: Any, place: int) -> None:
        inputs: list[int] = []
        self._inputs(args[:1], True, inputs)
        for each in graphs.tensors(result):
            if self.serials.known(each) is None or self.serials.known(each) not in inputs:
                serial = self.serials.new(each)
                dtype = k.DTYPES.get(each.dtype, 0)
                if each.dim() == 0:
                    self.scalars.add(serial)
                self.journal.add(j.ENTRY, name, place, tuple(inputs) or (j.PYTHON,), (serial << 8 | dtype,))
                self.calls.note(None, name, None, {}, (serial,), [each], place)
                if each.requires_grad:
                    self.leaf(each, serial, place)

    def _set_data(self, target: Any, value: Any, place: int) -> None:
        before, given = self.serial(target), self.serial(value)
        if before in self.leaves or before in self.parameters:
            self._store("data =", before, [given], place)
        else:
            self.op("data", place, [given], [(self.serials.new(target), target)], detached=True)

    def _required(self, tensor: Any, place: int) -> None:
        serial = self.serials.known(tensor)
        made_here = serial is not None and serial not in self.parameters and serial not in self.leaves
        serial = self.serial(tensor)
        if not tensor.is_leaf:
            return
        row = self.journal.position
        if (leaf := self._alias.get(serial)) is not None:
            self.set_aside[leaf] = Aside(serial, tensor.requires_grad, row, place)
        if not tensor.requires_grad:
            self.frozen[serial] = place
            self.thawed[serial] = Thawed(row, row, place)
            return
        if self.frozen.pop(serial, None) is not None:
            self.thawed[serial] = Thawed(self.thawed[serial].since, row, place)
        if made_here:
            self.forced[serial] = place
            if tensor.dim() == 0:
                self.numbers.add(serial)
        self.leaf(tensor, serial, place)

    # -- whether a graph is kept ---------------------------------------------------------------------------------

    def _grad_mode(self, enabled: bool, frame: FrameType | None) -> None:
        if enabled and self.paused and graphs.keeps_graphs():
            self._go_on(self.place(frame))

    def _pause(self, place: int) -> None:
        if not self.paused:
            self.paused = True
            off, word = self.inferring if torch.is_inference_mode_enabled() else self.switch
            self.off[off] = word
            self.journal.add(j.RECORDER_REMOVE, "stop_recording", off, (GRAPH,))

    def settle(self) -> None:
        """End a time without a graph before something is asked: what comes before is all that counts."""
        if self.paused:
            self._go_on(-1)

    def _go_on(self, place: int) -> None:
        self.paused = False
        self.journal.add(j.RECORDER_ADD, "graph", place, (GRAPH,))


def _is_index(value: Any) -> bool:
    """Whether something only says where values are put: the lineage goes by what is first among the rest."""
    return not isinstance(value, torch.Tensor) or not (value.is_floating_point() or value.is_complex())


def write_through(origin: Any, changed: Any) -> Any:
    """Return what a tensor holds once another one that shares its memory has changed; its gradient stays the same."""
    result = origin.clone()
    result.detach().copy_(changed)
    return result


def write_into(base: Any, view: Any, size: Any, stride: Any, offset: int) -> Any:
    """Return what a tensor holds once a view of it has changed (`as_strided_scatter` has a wrong gradient)."""
    result = base.clone()
    result.as_strided(size, stride, offset).copy_(view)
    return result
