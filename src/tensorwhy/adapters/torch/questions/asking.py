"""What gradients were asked for, and what came of it: `backward`, `autograd.grad`, and reads of `.grad`."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterable
from threading import get_ident
from types import FrameType
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.torch.operations.graphs import apart, is_spent, keeps_graphs, leaves, reached, stale, tensors
from tensorwhy.adapters.torch.questions import keepers
from tensorwhy.adapters.torch.questions.custom_functions import CustomFunctions
from tensorwhy.adapters.torch.questions.keepers import Keeper
from tensorwhy.adapters.torch.questions.loss_inputs import LossInputs
from tensorwhy.adapters.torch.questions.pairs import Pairs
from tensorwhy.adapters.torch.recording.calls import GRAD, SLOPE, Slice
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.rows import Switch
from tensorwhy.adapters.torch.recording.unseen import DISPATCHED, Guarded, Unseen
from tensorwhy.adapters.torch.recording.warned import WARNED
from tensorwhy.adapters.torch.replays.first_lost import Graphs
from tensorwhy.adapters.torch.replays.replay import gradient
from tensorwhy.adapters.torch.replays.signals import Signals, leaves_of
from tensorwhy.adapters.torch.replays.terms import Terms
from tensorwhy.model.facts import Fact

_MODES = torch._C._len_torch_function_stack
_LATE, _LATES = 60_000, 2
"""So many numbers of the journal are written for a leaf that is made late, and so often."""
_FEW = 8
"""The graphs of so many gradients of one call are looked at."""
MOST = 200
"""So many questions are kept."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One question. `call` is what asked; `sources` are the numbers of those that got no gradient.

    `whole` says that everything since the recording began was seen. `problem` is the exception that it ended in,
    `rooted` that a target has a graph, and `stale` which of its nodes refuse what they saved (see `graphs.stale`).
    What comes before the row `since` belongs to an earlier step. `switch` is what keeps graphs off where it was asked,
    or where the target was computed. `exception` is the id of the problem.
    """

    call: str
    event: int
    place: int
    targets: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    asked: int = -1
    positions: tuple[int, ...] = ()
    problem: str = ""
    backward: int = -1
    stale: tuple[tuple[int, bool], ...] = ()
    rooted: bool = False
    whole: bool = True
    switch: Switch | None = None
    exception: int = 0
    since: int = 0

    def __post_init__(self) -> None:
        if self.asked < 0:  # all that were asked about are lost
            msgspec.structs.force_setattr(self, "asked", len(self.sources))
        if not self.positions:
            msgspec.structs.force_setattr(self, "positions", tuple(range(len(self.sources))))

    @classmethod
    def refused(cls, call: str, error: BaseException, recorder: Recorder, place: int, **more: Any) -> Asked:
        """The question of a call that ends in an exception now."""
        event, problem = recorder.journal.position, _problem(error)
        return cls(call=call, event=event, place=place, problem=problem, exception=id(error), **more)

    def about(self, sources: Iterable[int], **more: Any) -> Asked:
        """The same question, about other sources."""
        return msgspec.structs.replace(self, sources=tuple(sources), asked=-1, positions=(), **more)


class Backward(msgspec.Struct, kw_only=True):
    """One call of `backward`: its targets, where it stood, and its number.

    `forced` are the leaves of its graph, if all of them are results that the program made leaves. `terms` are those of
    the loss, and `users` the states of the optimizers whose steps used the gradients.
    """

    number: int
    targets: tuple[int, ...]
    place: int
    event: int
    whole: bool
    forced: frozenset[int] = frozenset()
    terms: tuple[int, ...] = ()
    users: list[Any] = []


class Asking:
    """Replaces what a program asks for gradients with."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._inside = 0
        self.terms = Terms(recorder)
        self.signals = Signals(recorder, self.terms)
        self.pairs = Pairs(recorder)
        self.inputs = LossInputs(recorder)
        self.graphs = Graphs(recorder)
        self.questions: list[Asked] = []
        self.backwards: list[Backward] = []
        self.number = self._lates = 0
        self._late = False
        """What is recorded now began with a leaf that was made after recording came to rest."""
        self.last_place = -1
        self.refused: Asked | None = None
        self.late: Asked | None = None
        """The last refusal of what was not recorded."""
        self.moment: tuple[Asked, tuple[Fact, ...]] | None = None
        """What was found out of a refusal while its frames were alive."""
        self.custom = CustomFunctions(recorder)
        self.straight: dict[int, dict[int, set[int]]] = {}
        """By the row of gradients with a graph, and by their numbers: the sources that the graph does not lead to."""
        self.told: set[int] = set()
        """Leaves whose lost gradient made the program fail: that has been told."""
        self.asked_for: set[int] = set()
        """What `autograd.grad` was asked for."""
        self.keepers: dict[int, Keeper] = {}
        """What caches keep of the graph that a call was refused for."""
        self.off_within = 0
        """The last exception of a call inside of another one, while no graph was kept."""
        self.reads: dict[int, int] = {}
        self.nones: dict[int, int] = {}
        """By place: the leaf whose `.grad` was None there last, after a `backward`."""
        self.recorded = 0
        self.on_begin: Callable[[], None] = lambda: None
        self.on_backward: Callable[[], None] = lambda: None
        self.on_lost: Callable[[], None] = lambda: None
        self.lost = 0
        """The first call of `backward` for a loss that was not finite, after recording came to rest."""
        self.on_ended: Callable[[], None] = lambda: None
        recorder.on_grad_read = self._grad_read

    def install(self) -> None:
        """Replace the entry points."""
        replace = self._recorder.patches.replace
        replace(torch.Tensor, "backward", self._wrap_method)
        replace(torch.autograd, "backward", self._wrap_backward)
        replace(torch.autograd, "grad", self._wrap_grad)
        self._recorder.patches.override(torch.Tensor, "requires_grad_", self._wrap_require)
        self.custom.install()
        replace(torch.nn.Parameter, "__new__", self._wrap_parameter)
        self._recorder.patches.override(torch.autograd.Variable, "__new__", self._wrap_variable)

    # -- backward ------------------------------------------------------------------------------------------------

    def _wrap_method(self, original: Any) -> Any:
        recorder = self._recorder

        def backward(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            begun = WARNED.begin()
            try:
                if recorder.dozing and type(tensor) is torch.Tensor and self._is_free():
                    return self._dozing(original, tensor, args, kwargs)
                return self._around(original, (tensor,), (tensor, *args), kwargs, sys._getframe(1))
            finally:
                WARNED.end(begun)

        return _like(backward, original)

    def _wrap_backward(self, original: Any) -> Any:
        def backward(tensors_: Any, *args: Any, **kwargs: Any) -> Any:
            if self._inside:
                return self._within(original, tensors_, *args, **kwargs)
            begun = WARNED.begin()
            try:
                return self._around(original, tuple(tensors(tensors_)), (tensors_, *args), kwargs, sys._getframe(1))
            finally:
                WARNED.end(begun)

        return _like(backward, original)

    def _around(self, original: Any, targets: tuple[Any, ...], args: Any, kwargs: Any, frame: Any) -> Any:
        recorder = self._recorder
        if self._inside or not recorder.active or recorder.silent or not recorder.mine():
            return self._within(original, *args, **kwargs)
        result = self._observed(
            lambda: original(*args, **kwargs),
            lambda: self._began(targets, frame, _given(args, kwargs, "gradient", "grad_tensors")),
            lambda sliced, _: self._ended(sliced),
            lambda error, sliced: self._failed(error, targets, frame, sliced),
        )
        if not self._late:
            recorder.short.end()
        self._late = False  # the gradient is read next
        return result

    def _observed(
        self,
        run: Callable[[], Any],
        before: Callable[[], Slice | None],
        after: Callable[[Slice | None, Any], None],
        refused: Callable[[BaseException, Slice | None], None],
    ) -> Any:
        """Make the program's own call out of sight, and look before it, after it, and when it is refused."""
        recorder = self._recorder
        self._inside += 1
        sliced = None
        with recorder.hidden():
            try:
                with Guarded(recorder.fail):
                    sliced = before()
                result = run()
                with Guarded(recorder.fail):
                    after(sliced, result)
                return result
            except RuntimeError as error:
                with Guarded(recorder.fail):
                    refused(error, sliced)
                raise
            finally:
                sliced = None  # a traceback would keep it
                self._inside -= 1

    def _is_free(self) -> bool:
        """Whether the program's own call is seen, and no mode would be told of what is read."""
        recorder = self._recorder
        alone = not (self._inside or recorder.silent or _MODES() or DISPATCHED())
        return alone and recorder.active and get_ident() == recorder.thread

    def _dozing(self, original: Any, target: Any, args: Any, kwargs: Any) -> Any:
        """Call a method for a target whose gradients are not followed: only look whether it is finite."""
        recorder = self._recorder
        self._late, self.number = False, self.number + 1
        recorder.backwards = self.number
        self._inside += 1
        recorder.silent += 1
        try:
            try:
                self._glance((target,))
            except Exception as error:  # the program goes on whatever happens to the recording
                recorder.fail(error)
            result = original(target, *args, **kwargs)
            if not recorder.dozing:
                with Guarded(recorder.fail):
                    self._ended(None)
            return result
        except RuntimeError as error:
            with Guarded(recorder.fail):
                self._failed(error, (target,), sys._getframe(2), None)
            raise
        finally:
            recorder.silent -= 1
            self._inside -= 1

    def _within(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """A call inside of another one, or out of sight: note only that it is refused where graphs are off."""
        try:
            return original(*args, **kwargs)
        except RuntimeError as error:
            if not keeps_graphs():
                self.off_within = id(error)
            raise

    def _began(self, targets: tuple[Any, ...], frame: Any, grads: Any) -> Slice | None:
        recorder = self._recorder
        if not recorder.dozing:
            self.on_begin()
        self.number = recorder.backwards = self.number + 1
        if not recorder.armed:
            self._glance(targets)
            return None
        numbers = tuple(recorder.serial(each) for each in targets)
        recorder.settle()
        place = self.last_place = recorder.place(frame)
        self.recorded += 1
        del self.backwards[:-64]
        self.backwards.append(
            Backward(
                number=self.number,
                targets=numbers,
                place=place,
                event=recorder.journal.position,
                whole=recorder.is_whole(),
                forced=self._forced(targets),
            )
        )
        if recorder.writing and not recorder.short.on:
            self.backwards[-1].terms = self.terms.look(numbers, place)
        self.pairs.look(numbers, place)
        self.inputs.look(numbers, place)
        self.graphs.look(targets, place)
        self.on_backward()
        if recorder.short.on:
            return None
        return self.signals.began(targets, grads, place, "backward")

    def _forced(self, targets: tuple[Any, ...]) -> frozenset[int]:
        if not self._recorder.forced:
            return frozenset()
        ends = frozenset(self._recorder.serial(each) for each in leaves(targets))
        return ends if ends <= self._recorder.forced.keys() else frozenset()

    def _ended(self, sliced: Slice | None) -> None:
        if self._recorder.dozing:
            return
        if self._recorder.short.on and not self._late:
            del self.backwards[-1:]  # what was seen of it began somewhere in between
        self.signals.ended(sliced, self.last_place)
        self.on_ended()

    def _glance(self, targets: tuple[Any, ...]) -> None:
        """Look at a loss while recording rests; note the first that is not finite."""
        loss = targets[0]
        if self.lost or len(targets) > 1 or loss.dim() or not loss.is_cpu or not loss.is_floating_point():
            return
        if not math.isfinite(loss.item()):
            self.lost = self.number
            with Unseen():
                self.graphs.lost(loss, self.number)
                self.on_lost()

    def after(self, number: int) -> list[Backward]:
        """The recorded calls of `backward` after one, in order."""
        first = len(self.backwards)
        while first and self.backwards[first - 1].number > number:
            first -= 1
        return self.backwards[first:]

    def _failed(self, error: BaseException, targets: tuple[Any, ...], frame: Any, sliced: Slice | None) -> None:
        recorder = self._recorder
        last = self.backwards[-1] if self.backwards and self.backwards[-1].number == self.number else None
        rooted = any(each.requires_grad for each in targets)
        refused = Asked.refused(
            "backward",
            error,
            recorder,
            last.place if last is not None else recorder.place(frame),
            targets=last.targets if last is not None else (),
            whole=last is not None and last.whole,
            rooted=rooted,
            stale=self._stale(error, targets) if rooted and last is not None else (),
            switch=self._switch(targets),
        )
        if refused.stale:
            self.keepers = {recorder.serial(each): keeper for each, keeper in keepers.parametrized()}
        if last is not None:
            self.refused = refused
            self.signals.failed(sliced, refused.place, refused.problem)
        else:
            self.late = refused

    def _stale(self, error: BaseException, targets: tuple[Any, ...]) -> tuple[tuple[int, bool], ...]:
        """The nodes that refuse, where what happened to them was recorded."""
        return stale(targets) if is_spent(error) and not self._recorder.short.on else ()

    def _switch(self, targets: Any) -> Switch | None:
        """What keeps graphs off, or did for a target."""
        if torch.is_inference_mode_enabled() or any(each.is_inference() for each in targets):
            return self._recorder.inferring
        return None if torch.is_grad_enabled() else self._recorder.switch

    # -- autograd.grad -------------------------------------------------------------------------------------------

    def _wrap_grad(self, original: Any) -> Any:
        def grad(outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            begun = WARNED.begin()
            try:
                return given(outputs, inputs, args, kwargs, sys._getframe(1))
            finally:
                WARNED.end(begun)

        def given(outputs: Any, inputs: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
            recorder = self._recorder
            if self._inside or not recorder.active or recorder.silent or not recorder.mine():
                found = self._within(original, outputs, inputs, *args, **kwargs)
                if self._inside and not keeps_graphs() and any(each is None for each in found):
                    self.custom.asked_without_graph(frame)
                return found
            place = recorder.place(frame)
            grads = _given((outputs, *args), kwargs, "grad_outputs")
            found = self._observed(
                lambda: original(outputs, inputs, *args, **kwargs),
                lambda: self._before_grad(outputs, grads, place),
                lambda sliced, found: self._after_grad(sliced, inputs, found, place),
                lambda error, _: self._grad_failed(error, outputs, inputs, place),
            )
            with Guarded(recorder.fail):
                self._answered(outputs, inputs, found, place, args, kwargs)
            return found

        return _like(grad, original)

    def _before_grad(self, outputs: Any, grads: Any, place: int) -> Slice | None:
        recorder = self._recorder
        if recorder.armed and not recorder.short.on:
            return self.signals.began(tuple(tensors(outputs)), grads, place, "grad")
        return None

    def _after_grad(self, sliced: Slice | None, inputs: Any, found: Any, place: int) -> None:
        if sliced is not None:
            self.signals.ended(sliced, place, dict(zip(map(self._recorder.serial, tensors(inputs)), found)))

    def _answered(self, outputs: Any, inputs: Any, found: Any, place: int, args: Any, kwargs: Any) -> None:
        recorder = self._recorder
        if not recorder.armed:
            return
        targets = tuple(recorder.serial(each) for each in tensors(outputs))
        sources = [recorder.serial(each) for each in tensors(inputs)]
        self.asked_for.update(sources)
        lost = [at for at, each in enumerate(found) if each is None]
        self.number = recorder.backwards = self.number + 1
        self.recorded += 1
        if lost and len(self.questions) < MOST and not recorder.short.on:
            self.questions.append(self._asked("grad", targets, sources, lost, place))
        made = [each for each in found if each is not None and recorder.serials.known(each) is None]
        if made:
            outs = [(recorder.serials.new(each), each) for each in made]
            graphed = kwargs.get("create_graph", args[2] if len(args) > 2 else False)
            constant = graphed and not any(each.requires_grad for each in made)
            row = recorder.op(SLOPE if constant else GRAD, place, [*targets, *sources], outs)
            if graphed and not constant and len(self.straight) < MOST and len(made) <= _FEW:
                alive = leaves_of(recorder.leaves, recorder)
                others = {**{recorder.serial(each): each for each in tensors(inputs)}, **alive}
                numbers = {id(each): number for number, each in others.items()}
                self.straight[row] = {
                    number: {numbers[id(one)] for one in apart((each,), others.values())} for number, each in outs
                }
            if not kwargs.get("is_grads_batched"):
                given, _ = recorder.calls.arguments(
                    (outputs, inputs, _given((outputs, *args), kwargs, "grad_outputs")), {}
                )
                recorder.calls.note(gradient, GRAD, given, {}, tuple(number for number, _ in outs), made, place)

    def _asked(
        self, call: str, targets: tuple[int, ...], sources: list[int], lost: list[int], place: int, **more: Any
    ) -> Asked:
        recorder = self._recorder
        recorder.settle()
        return Asked(
            call=call,
            event=recorder.journal.position,
            place=place,
            targets=targets,
            sources=tuple(sources[at] for at in lost),
            positions=tuple(lost),
            asked=len(sources),
            whole=recorder.is_whole(),
            **more,
        )

    def _grad_failed(self, error: BaseException, outputs: Any, inputs: Any, place: int) -> None:
        serial, targets = self._recorder.serial, tuple(tensors(outputs))
        sources, numbers = [serial(each) for each in tensors(inputs)], tuple(map(serial, targets))
        lost = [at for at, each in enumerate(tensors(inputs)) if not reached(targets, each)]
        rooted = not lost and any(each.requires_grad for each in targets)
        self.refused = self._asked(
            "grad",
            numbers,
            sources,
            lost,
            place,
            problem=_problem(error),
            rooted=rooted,
            stale=self._stale(error, targets) if rooted else (),
            switch=self._switch(targets),
            exception=id(error),
        )

    # -- reads of .grad, parameters ------------------------------------------------------------------------------

    def _wrap_require(self, original: Any) -> Any:
        recorder = self._recorder

        def requires_grad_(tensor: Any, requires_grad: bool = True) -> Any:
            result = original(tensor, requires_grad)
            late = recorder.active and not recorder.armed and requires_grad and type(tensor) is torch.Tensor
            if late and self._lates < _LATES and not self._inside and recorder.mine():
                with Guarded(recorder.fail):
                    self._late = tensor.is_leaf and recorder.short.begin(_LATE)
                    if self._late:
                        self._lates += 1
                        recorder.made[recorder.serial(tensor)] = recorder.place(sys._getframe(1))
            return result

        return _like(requires_grad_, original)

    def _grad_read(self, tensor: Any, place: int) -> None:
        if tensor.is_leaf:
            if not self.backwards or len(self.nones) >= MOST:
                return
            number, last = self._recorder.serial(tensor), self.backwards[-1]
            if place not in self.nones and not isinstance(tensor, torch.nn.Parameter) and last.number == self.number:
                self.questions.append(self._asked("read", last.targets, [number], [0], place, backward=last.place))
            self.nones[place] = number
        elif not tensor.retains_grad and self.number:
            self.reads.setdefault(place, self._recorder.serial(tensor))

    def _wrap_parameter(self, original: Any) -> Any:
        recorder = self._recorder
        new = original.__func__ if isinstance(original, staticmethod) else original

        def __new__(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
            made = new(cls, data, requires_grad)
            if recorder.active and not recorder.silent and isinstance(made, torch.Tensor):
                with Guarded(recorder.fail):
                    recorder.parameter(made, data, recorder.place(sys._getframe(1)))
            return made

        return staticmethod(_like(__new__, new))

    def _wrap_variable(self, original: Any) -> Any:
        recorder = self._recorder

        def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
            made = original(cls, *args, **kwargs)
            given = args[0] if args else kwargs.get("data")
            if recorder.armed and not recorder.silent and isinstance(given, torch.Tensor) and recorder.mine():
                with Guarded(recorder.fail):
                    recorder.variable(made, given, recorder.place(sys._getframe(1)))
            return made

        return staticmethod(__new__)


def _given(args: Any, kwargs: Any, *names: str) -> Any:
    """The gradients that a target begins with, where the call says some."""
    return args[1] if len(args) > 1 else next((kwargs[name] for name in names if name in kwargs), None)


def _problem(error: BaseException) -> str:
    first, _, _ = str(error).partition("\n")
    return f"{type(error).__name__}: {first}"


def _like(wrapper: Any, original: Any) -> Any:
    """Give a wrapper the name, documentation and signature of what it wraps."""
    return functools.wraps(original)(wrapper)
