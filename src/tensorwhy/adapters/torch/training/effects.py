"""What PyTorch adds to the ledger of effects: which calls, and how the state is read before and after them.

Each kind of call is one row of `KINDS`; `effect_facts` tells at the end what they came to.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Mapping
from threading import get_ident
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim import lr_scheduler as schedulers

from tensorwhy.adapters.effects import MOST, Effect, Ledger
from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.training.between_steps import held_by, is_same, members
from tensorwhy.adapters.torch.training.masked import Masked
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.read_once import Exhausted, ParameterIterator, exhausted
from tensorwhy.adapters.torch.training.readings import (
    Clipped,
    Compared,
    Epochs,
    Use,
    behaves_otherwise,
    has_statistics,
    is_new,
    is_own,
    own_names,
    part_of_epoch,
    rate_of,
    rates,
    scaler_of,
    version,
)
from tensorwhy.adapters.torch.training.renaming import alike, other_names

_LOOKS = 16
"""So many calls that clip at one place, and so many steps of an optimizer after them, are looked at."""
_FAR = 0.1
"""A norm that is so much smaller than its limit was not clipped to that."""
OFTEN = 5
"""So many steps in evaluation mode are no accident of how a program ends."""
_SIZE = 1 << 22
"""So many numbers are copied, to see whether a call changes them."""
TINY = 1e-5
"""A rate that is so many times smaller than it was is practically 0."""
_BASE = getattr(schedulers, "LRScheduler", None)
_SETS = "_update_lr" if hasattr(_BASE, "_update_lr") else "step"
_SKIPPED = object()
_STIRRING = frozenset({"eval", "loaded rates"})
"""After these, a step is looked at."""
_INITIALISERS = frozenset({"copy_", "fill_", "zero_"} | {name for name in dir(nn.init) if name.endswith("_")})


class Kind(NamedTuple):
    """One kind of call: the functions, what it is meant for, and how its state is read before and after."""

    key: str
    owners: tuple[Any, ...]
    names: tuple[str, ...]
    subject: Callable[[Call], Any]
    before: Callable[[Effects, Call], Any]
    after: Callable[[Effects, Call], Any]


class Effects(Ledger):
    """The ledger of one recording."""

    def __init__(self, recorder: Recorder, asking: Asking, states: dict[int, State]) -> None:
        super().__init__()
        self.recorder = recorder
        self.asking = asking
        self.states = states
        self.rows = {kind.key: {} for kind in KINDS}
        self.overwritten: list[tuple[Effect, Effect]] = []
        """A state that an optimizer has loaded, and the schedule that set its rates anew."""
        self.epochs: dict[int, Epochs] = {}
        """What schedules were given for the epoch that is no whole number, by the id of their optimizer."""
        self.iterators: dict[int, ParameterIterator] = {}
        """Parameters that were asked for, by the place."""
        self.exhausted: list[Exhausted] = []
        """Iterators that optimizers have read."""
        self.woken: dict[int, int] = {}
        """Where frozen layers with statistics were put back into training mode, by the number of the weight."""
        self.masked = Masked(recorder, states)
        self._inside = 0
        self._modes: set[int] = set()
        """Where models were seen to be switched to evaluation, or back."""
        self._frozen: list[tuple[Weak, Any]] = []

    def install(self) -> None:
        """Put the hooks in."""
        for kind in KINDS:
            before, after = functools.partial(self._begin, kind), functools.partial(self._end, kind)
            for owner in kind.owners:
                for name in kind.names:
                    watch(self.recorder, owner, name, before, after, self._leave)

        watch(self.recorder, nn.Module, "parameters", after=self._iterator)

    def _iterator(self, call: Call) -> None:
        seen = self.recorder.armed and type(call.result) is types.GeneratorType  # what is kept is asked for early
        place = self.recorder.place(call.frame) if seen else -1
        if place >= 0 and (place in self.iterators or len(self.iterators) < MOST):
            self.iterators[place] = ParameterIterator(place, call.result, call.args[0])

    def computed(self) -> None:
        """A `backward` has returned."""
        self.masked.computed()
        alive = [each for each in self.iterators.values() if each.is_alive]
        used = {each for state in self.states.values() for each in state.members} if alive else set[int]()
        for each in alive:
            each.look(used)

    def _begin(self, kind: Kind, call: Call) -> None:
        call.kept = _SKIPPED
        if get_ident() == self.recorder.thread:
            self._inside += 1
            if self._inside == 1:  # others are a part of the call around them
                call.kept = kind.before(self, call)

    def _leave(self, call: Call) -> None:
        self._inside -= get_ident() == self.recorder.thread

    def _end(self, kind: Kind, call: Call) -> None:
        self._leave(call)
        if call.kept is _SKIPPED:
            return
        after, place = kind.after(self, call), self.recorder.place(call.frame)
        effect = self.enter(kind.key, place, kind.subject(call), call.kept == after, passing=kind.key == "state")
        if effect is not None:
            self.recorder.stirred += kind.key in _STIRRING
            effect.of, effect.row = type(call.args[0]).__name__, self.recorder.journal.position
            effect.before, effect.after = call.kept, after

    def creating(self, call: Call) -> None:
        """There will be a new optimizer: note what it was given that can be read only once."""
        given = call.args[1] if len(call.args) > 1 else call.kwargs.get("params")
        if len(self.exhausted) < MOST:
            self.exhausted += exhausted(given, self.recorder.place(call.frame))

    # -- steps of optimizers -------------------------------------------------------------------------------------

    def step(self, optimizer: Any, state: State, frame: Any) -> None:
        """An optimizer is about to make a step."""
        steps = state.steps
        self.rated(state, optimizer.param_groups)
        state.left.look(optimizer.param_groups)
        if self.rows["clip"] and steps <= _LOOKS:
            self._use(optimizer, state, frame)
        if self.rows["loaded rates"]:
            self._overwritten(optimizer, state)
        for effect in self.rows["eval"].values():
            since = steps - effect.after[0].get(state.key, 0)
            if since == OFTEN or (since > OFTEN and not since & (since - 1)):
                self.look(effect)
        self.masked.step(optimizer, state)
        self._frozen = []
        if not steps & (steps - 1) or not steps % _LOOKS:
            frozen = [each for each in members(optimizer) if not each.requires_grad]
            now = {number for each in frozen if (number := state.members.get(id(each))) is not None}
            state.resting = state.resting & now if steps > 2 else now
            self._frozen = [
                (Weak(each), each.detach().clone())
                for each in frozen
                if each.grad is not None and 0 < each.numel() <= _SIZE
            ]

    @staticmethod
    def rated(state: State, groups: Any) -> None:
        """Note the learning rate of a step."""
        only = groups[0].get("lr") if len(groups) == 1 else None
        rate = only if type(only) is float else max([rate_of(group, 1.0) for group in groups], default=1.0)
        state.rate, state.peak, state.first_rate = rate, max(rate, state.peak), state.first_rate or rate
        state.zero_in_row = 0 if rate else state.zero_in_row + 1
        state.still = state.still + 1 if rate <= TINY * min(state.peak, state.first_rate) else 0

    def due(self, state: State) -> int:
        """Return the next step of an optimizer that `step` is to be told of, unless something is `stirred` before."""
        due = (state.steps // _LOOKS + 1) * _LOOKS
        for effect in self.rows["eval"].values():
            before = effect.after[0].get(state.key, 0)
            since = state.steps - before
            due = min(due, before + (OFTEN if since < OFTEN else 1 << since.bit_length()))
        return due

    def stepped(self, optimizer: Any, state: State) -> None:
        """An optimizer has made a step: note what it has changed although that is frozen."""
        self.masked.stepped(optimizer)
        for reference, before in self._frozen:
            parameter = reference()
            number = state.members.get(id(parameter))
            if parameter is not None and number is not None:
                with torch._C.DisableTorchFunction():
                    moved = float((parameter.detach() - before).abs().max())
                    if moved > 0:
                        state.frozen[number] = moved, bool(parameter.grad.any())
        self._frozen = []

    def _use(self, optimizer: Any, state: State, frame: Any) -> None:
        """Compare the gradients that a step uses with those that were clipped."""
        given, place = {id(each): each for each in members(optimizer)}, self.recorder.place(frame)
        for effect in self.of("clip"):
            last = effect.after
            if not isinstance(last, Clipped) or not last.members & given.keys():
                continue
            use = effect.found = effect.found or Use()
            use.steps += 1
            use.step, use.backward = place, self.asking.last_place
            first = given.get(last.first)
            same = first is not None and is_same(held_by(first.grad), last.left)
            if last.number < self.asking.number and not same:
                use.late += 1
                use.spent += 0 < last.number <= state.seen_backward
            elif isinstance(last.norm, torch.Tensor) and float(last.norm) > last.limit and (scaler := scaler_of(frame)):
                grads = [p.grad for at, p in given.items() if at in last.members and p.grad is not None]
                norm = float(torch.stack([each.detach().float().norm() for each in grads]).norm())
                if norm < _FAR * last.limit:
                    use.scaled.append((float(scaler.get_scale()), norm))

    def _overwritten(self, optimizer: Any, state: State) -> None:
        """Compare the rates of a step with those that were loaded before it."""
        now = rates(optimizer)
        for loaded in [each for each in self.of("loaded rates") if each.subject() is optimizer]:
            wanted, state.loaded = loaded.after, loaded.place
            del self.rows["loaded rates"][loaded.place, id(optimizer)]
            for made in self.of("schedule") if now != wanted else ():
                after, scheduler = made.after
                goes_on = getattr(scheduler(), "last_epoch", 0) > 0 and now == after
                if made.subject() is optimizer and made.before == wanted != after and goes_on:
                    self.overwritten.append((loaded, made))

    def look(self, turned: Effect) -> None:
        """Note who changes the parameters of a model in evaluation mode: it may be gone at the end.

        `found` is the optimizer, its steps since then, the layers that worked otherwise in training, and whether those
        still have their first statistics; no optimizer where the program itself changes the parameters.
        """
        module = turned.subject()
        if module is None or any(each.training for each in module.modules()):
            turned.found = turned.found if module is None else None
            return
        steps, changes = turned.after
        new = [name for name, mean in turned.before if (held := mean()) is not None and not held.any()]
        kinds = sorted({type(each).__name__ for each in module.modules() if behaves_otherwise(each)})
        parameters = {id(each) for each in module.parameters() if each.requires_grad}
        turned.found = None
        for state in self.states.values() if kinds else ():
            before, since = steps.get(state.key, 0), state.steps - steps.get(state.key, 0)
            if since >= OFTEN and len(parameters & state.members.keys()) * 2 >= len(state.members) and (before or new):
                turned.found = state, since, kinds if before else new, not before
        theirs = {each for state in self.states.values() for each in state.members}
        if new and not theirs & {*map(id, module.parameters())} and version(module) >= changes + OFTEN:
            turned.found = None, 0, new, True

    def scheduled(self, call: Call) -> None:
        """A schedule has set rates: note what it was given for the epoch."""
        epoch, optimizer = part_of_epoch(call), _optimizer(call)
        if epoch is None:
            return
        seen = self.epochs.get(id(optimizer))
        if seen is None and len(self.epochs) < MOST:
            place = self.recorder.place(call.frame)
            seen = self.epochs[id(optimizer)] = Epochs(place, type(call.args[0]).__name__, epoch, call.kept)
        if seen is not None:
            seen.add(epoch, rates(optimizer))

    # -- what is read of a call ----------------------------------------------------------------------------------

    def given(self, call: Call) -> Any:
        """The parameters whose gradients are to be clipped, whether from an iterator, and the limit."""
        seen = self.row("clip", self.recorder.place(call.frame), nn.utils)
        if not call.args or (seen is not None and seen.calls >= _LOOKS):
            return _SKIPPED
        given = call.args[0]
        parameters = [given] if isinstance(given, torch.Tensor) else list(given)
        iterator = not isinstance(given, torch.Tensor) and iter(given) is given
        if iterator:  # it can be read only once, and stays as good as it was
            again = (each for each in parameters) if isinstance(given, types.GeneratorType) else iter(parameters)
            call.args = again, *call.args[1:]
        limits = (*call.args[1:2], *(call.kwargs[key] for key in ("max_norm", "clip_value") if key in call.kwargs))
        return parameters, iterator, float(next(iter(limits), 0.0))

    def clipped(self, call: Call) -> Any:
        """What was left of the gradients; what was there before, where no parameter was given."""
        parameters, _, limit = call.kept
        if not parameters:
            return call.kept
        call.kept = None
        with torch._C.DisableTorchFunction():
            first = next((each for each in parameters if each.grad is not None), None)
            left = held_by(first.grad) if first is not None else None
        given = frozenset(map(id, parameters))
        return Clipped(self.asking.number, given, call.result, limit, id(first), left)

    def turned(self, call: Call) -> Any:
        """The layers of a model whose statistics no batch has changed yet. Nothing where nothing is switched."""
        module = call.args[0]
        if not module.training:
            return _SKIPPED
        kind = type(module).__name__
        named = ((f"{kind}.{name}".rstrip("."), each) for name, each in module.named_modules())
        return [(name, Weak(each.running_mean)) for name, each in named if is_new(each)]

    def resting(self, call: Call) -> tuple[dict[int, int], int]:
        """How many steps each optimizer has made, and how often the values of the model were changed."""
        self._new_mode(call)
        return {state.key: state.steps for state in self.states.values()}, version(call.args[0])

    def _new_mode(self, call: Call) -> None:
        """A model is in another mode, in which it may compute otherwise: see the first pass after each such line."""
        place = self.recorder.place(call.frame)
        if place not in self._modes and len(self._modes) < MOST:
            self._modes.add(place)
            if self.recorder.gap is not None:
                self.recorder.short.wake()

    def trained(self, call: Call) -> Any:
        """A model goes back to training: was it used before, with statistics that no batch had changed?"""
        known = self.recorder.serials.known
        for turned in self.rows["eval"].values():
            if turned.subject() is call.args[0] and not turned.found:
                means = {known(mean()): name for name, mean in turned.before}
                names = {number: means[number] for number in self.used(turned.row) & means.keys()}
                turned.found = Compared(self.recorder.journal.position, names) if names else None
        if call.args[1:2] != (False,) and call.kwargs.get("mode", True) and self.recorder.frozen:
            for each in call.args[0].modules():
                weight = getattr(each, "weight", None) if not each.training and has_statistics(each) else None
                if weight is not None and not weight.requires_grad and (number := known(weight)) is not None:
                    self.woken[number] = self.recorder.place(call.frame)
        return _SKIPPED

    def used(self, row: int) -> set[int]:
        """Return what was read since a row of the journal."""
        return {number for event in self.recorder.journal.events(row) for number in event.inputs}

    def loading(self, call: Call) -> Any:
        """Where a state was taken that is the memory of the model itself, and has changed since; else nothing."""
        module, state = call.args[0], call.args[1] if len(call.args) > 1 else call.kwargs.get("state_dict")
        for taken in self.rows["state"].values():
            if taken.subject() is state and state is not None and is_own(module, state):
                return taken.place, version(module) - taken.after[0]
        return None

    def loaded(self, call: Call) -> Any:
        """Where too few names of a state are those of the model: how many there are, how many not, and why."""
        module, state = call.args[0], call.args[1] if len(call.args) > 1 else call.kwargs.get("state_dict")
        for effect in self.rows["load"].values():
            if effect.subject() is module:
                effect.after = None  # the program has tried, and does it again
        missing, unexpected = getattr(call.result, "missing_keys", ()), getattr(call.result, "unexpected_keys", ())
        if not (unexpected and isinstance(state, Mapping)):
            return None
        missing = [*missing, *own_names(module, state)]  # what was put into a state of the model itself
        if not missing:
            return None
        given = {key: state.get(key) for key in unexpected}
        renaming = other_names(given, missing)
        fits = renaming is not None and renaming.matched * 2 >= min(len(unexpected), len(missing))
        if not fits:
            wanted = {**dict(module.named_parameters()), **dict(module.named_buffers())}
            renaming = alike(given, {key: wanted[key] for key in missing if key in wanted})
            fits = renaming is not None
        if fits or len(unexpected) == len(state):
            return len(state), len(unexpected), renaming if fits else None
        return None

    def saving(self, call: Call) -> Any:
        """Note states that are saved after the values of their model have changed."""
        given = call.args[0] if call.args else None
        parts = [given, *(given.values() if isinstance(given, dict) else ())]
        for taken in self.rows["state"].values():
            module = taken.after[1]()
            state = taken.subject()
            if module is None or state is None or not taken.after[2] or all(state is not each for each in parts):
                continue
            if version(module) > taken.after[0] and is_own(module, state):
                taken.found = self.recorder.place(call.frame)
        return _SKIPPED

    def state(self, call: Call) -> tuple[int, Any, bool]:
        """How often the values of a model had changed as its state was taken, the model, and whether it was trained."""
        return version(call.args[0]), weakref.ref(call.args[0]), any(each.steps for each in self.states.values())

    def initialising(self, call: Call) -> Any:
        """Copies of the parameters that a function of the program is to initialise."""
        function = call.args[1] if len(call.args) > 1 else None
        code = getattr(function, "__code__", None)
        files, values = self.recorder.places.files, [*call.args[0].parameters()]
        if code is None or not (files[code.co_filename] and files[call.frame.f_code.co_filename]):
            return _SKIPPED
        if not any(name in _INITIALISERS for name in code.co_names) or not values:
            return _SKIPPED
        if any(nn.parameter.is_lazy(each) for each in values) or sum(each.numel() for each in values) > _SIZE:
            return _SKIPPED
        with torch._C.DisableTorchFunction():
            return [each.detach().clone() for each in values]


def _applied(ledger: Effects, call: Call) -> bool:
    """Whether a function has changed a parameter."""
    with torch._C.DisableTorchFunction():
        pairs = zip(call.args[0].parameters(), call.kept)
        changed = any(one.shape != other.shape or not torch.equal(one, other) for one, other in pairs)
    call.kept = False
    return changed


def _owner(call: Call) -> Any:
    return call.args[0]


def _optimizer(call: Call) -> Any:
    """The optimizer of a scheduler, or the one that it is created with."""
    found = getattr(call.args[0], "optimizer", None)
    return found or (call.args[1] if len(call.args) > 1 else call.kwargs.get("optimizer"))


def _nothing(ledger: Effects, call: Call) -> None:
    return None


def _plain(ledger: Effects, call: Call) -> Any:
    return _SKIPPED if len(call.args) > 1 or "destination" in call.kwargs else None


KINDS = (
    Kind("clip", (nn.utils, nn.utils.clip_grad), ("clip_grad_norm_", "clip_grad_value_"), lambda call: nn.utils,
         Effects.given, Effects.clipped),
    Kind("schedule", (_BASE,), ("__init__",), _optimizer, lambda _, call: rates(_optimizer(call)),
         lambda _, call: (rates(_optimizer(call)), weakref.ref(call.args[0]))),
    Kind("rates", (_BASE,), (_SETS,), _optimizer, lambda _, call: rates(_optimizer(call)), Effects.scheduled),
    Kind("loaded rates", (Optimizer,), ("load_state_dict",), _owner, _nothing, lambda _, call: rates(call.args[0])),
    Kind("eval", (nn.Module,), ("eval",), _owner, Effects.turned, Effects.resting),
    Kind("train", (nn.Module,), ("train",), _owner, Effects.trained, _nothing),
    Kind("state", (nn.Module,), ("state_dict",), lambda call: call.result, _plain, Effects.state),
    Kind("load", (nn.Module,), ("load_state_dict",), _owner, Effects.loading, Effects.loaded),
    Kind("save", (torch,), ("save",), _owner, Effects.saving, _nothing),
    Kind("apply", (nn.Module,), ("apply",), _owner, Effects.initialising, _applied),
)  # fmt: skip
"""What is followed. The state of each: gradients, rates, modes, statistics, values of parameters."""
