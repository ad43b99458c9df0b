"""What optimizers are given, step by step: which parameters, and with which gradients."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer
from torch.optim import optimizer as base

from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.questions.asking import Asking, Backward
from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.unseen import Guarded
from tensorwhy.adapters.torch.training import rounding
from tensorwhy.adapters.torch.training.between_steps import first_gradient, given_closure, members, memory
from tensorwhy.adapters.torch.training.effects import Effects
from tensorwhy.adapters.torch.training.fates import Fates
from tensorwhy.adapters.torch.training.loaders import Loaders
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.passing import Passing
from tensorwhy.adapters.torch.training.samples import Samples
from tensorwhy.adapters.torch.training.undone import Undone

WINDOW = 3
"""So many steps of each optimizer are recorded from the beginning."""
_STATES = 64
"""So many optimizers are remembered that are gone."""
_ARMING = 16
"""So many optimizers begin a recording."""
_MOST = 30
"""After so many steps of one optimizer recording rests, although another one made fewer."""
_WINDOWS = 64
"""What so many steps apply is kept."""
_NOBODY = -2
"""A module, in the place of an optimizer that clears gradients."""
_CALLS = 40
"""After so many calls of `backward` without a step recording rests."""
_CYCLE, _AWAKE = 256, 32
"""At rest, gradients are followed in the first 32 of each 256 steps: most programs do the same in all of them."""


class Training:
    """Watches all optimizers of a program."""

    def __init__(self, recorder: Recorder, asking: Asking, always: bool) -> None:
        self._recorder = recorder
        self._asking = asking
        self._always = always
        self._hidden: list[tuple[Any, bool | None]] = []
        self.states: dict[int, State] = {}
        self._samples = Samples(recorder, asking, self.states)
        self.attended = False
        self.norms: dict[int, list[tuple[int, float]]] = {}
        self.refused: list[tuple[int, int]] = []
        self.asleep: Callable[[set[int]], set[int]] = lambda numbers: set()
        self.on_step: Callable[[State], int] = lambda state: state.steps + 1
        """Told of a step that is made; returns the next one that it is to be told of at rest."""
        self.tell: Callable[[State], None] | None = None
        self.fates = Fates(recorder)
        asking.on_begin = lambda: self.fates.begin(self.states.values())
        asking.on_backward = self._backward
        asking.on_ended = self._computed
        self._idle: list[State] = []
        self._rested = 0
        self.rates: dict[int, float] = {}
        """The last learning rate of each optimizer, by where it was made."""
        self._former: set[int] = set()
        self.used_lost = False
        """A step used the gradients of the first loss that was not finite."""
        self.used: set[int] = set()
        """The recorded calls of `backward` whose gradients a step used."""
        self.effects = Effects(recorder, asking, self.states)
        self._passing = Passing(recorder, asking, self.states, self.effects, self.rates)
        self.loaders = Loaders(recorder, asking)
        self.undone = Undone(recorder)

    def install(self) -> None:
        """Put the hooks in."""
        recorder = self._recorder
        creating = self.effects.creating
        watch(recorder, Optimizer, "__init__", creating, self._made, self._refused, hidden=True)
        for owner in (Optimizer, torch.nn.Module):
            watch(recorder, owner, "zero_grad", after=self._cleared, hidden=True, dozes=True)
        for name in ("register_full_backward_hook", "register_full_backward_pre_hook", "register_backward_hook"):
            watch(recorder, torch.nn.Module, name, after=self._hooked)
        self.effects.install()
        self.loaders.install()
        self.undone.install()
        recorder.at_stop(base.register_optimizer_step_pre_hook(self._before).remove)
        recorder.at_stop(base.register_optimizer_step_post_hook(self._after).remove)

    def _made(self, call: Call) -> None:
        """There is a new optimizer: record its first steps."""
        recorder = self._recorder
        recorder.dozing = False
        self.on_step(self._state(call.args[0], recorder.place(call.frame)))
        if not self._always and len(self.states) <= _ARMING:
            recorder.short.end()  # a short recording would take these steps for its own
            recorder.arm()

    def _refused(self, call: Call) -> None:
        """An optimizer may have been given something that is no leaf."""
        recorder = self._recorder
        given = call.args[1] if len(call.args) > 1 else call.kwargs.get("params", ())
        for each in tensors(given if isinstance(given, (list, tuple, dict, torch.Tensor)) else ()):
            if not each.is_leaf and recorder.serials.known(each) is not None:
                self.refused.append((recorder.place(call.frame), recorder.serial(each)))
                return

    def _hooked(self, call: Call) -> None:
        self._recorder.watched = True

    def _state(self, optimizer: Any, place: int = -1) -> State:
        state = self.states.get(id(optimizer))
        if state is None or state.optimizer() is not optimizer:
            if state is not None:
                self.states[-len(self.states) - 1] = state
            if len(self.states) > _STATES:  # a program that makes an optimizer for each task
                gone = [key for key, each in self.states.items() if each.optimizer() is None]
                self._former.update(number for key in gone for number in self.states.pop(key).members.values())
            state = self.states[id(optimizer)] = State(
                optimizer, place, self._recorder.serials.last, self._samples.gone
            )
            self._idle = [*self._idle[-_STATES:], state]
        return state

    def _cleared(self, call: Call) -> None:
        place, owner, by = self._recorder.place(call.frame), call.args[0], _NOBODY
        if isinstance(owner, Optimizer):
            state = self._state(owner)
            state.clears, by = place, state.key
        self.fates.cleared(place, by)

    def _computed(self) -> None:
        """A `backward` has returned: look at the optimizers that nobody has used yet."""
        self.fates.end(self._asking.number)
        self.effects.computed()
        self.undone.computed()
        for state in [*self._idle]:
            optimizer = state.optimizer()
            if state.steps or state.without_backward or optimizer is None:
                self._idle.remove(state)
            else:
                state.idle.look(optimizer, self._recorder.serials.known)

    def _backward(self) -> None:
        recorder = self._recorder
        if recorder.armed and not self._always:
            last = max((state.seen_backward for state in self.states.values()), default=0)
            if self._asking.number - last > _CALLS:
                recorder.rest()

    def _before(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        recorder = self._recorder
        try:
            plain = recorder.dozing and len(args) == 1 and not (kwargs or self._hidden or self.attended)
            if plain and self._passing.begins(optimizer):
                return
        except Exception as error:  # the program goes on whatever happens to the recording
            recorder.fail(error)
        if not recorder.active or recorder.silent or not recorder.mine():
            return
        self._passing.state = None
        recorder.short.end()
        closure = given_closure(args, kwargs)
        recorder.dozing = recorder.dozing and closure is None
        on = None if closure is not None or recorder.dozing else recorder.hide()
        self._hidden.append((weakref.ref(optimizer), on))
        with Guarded(recorder.fail):
            if closure is None:
                self._look(self._state(optimizer), optimizer, sys._getframe(1))
            else:
                self._state(optimizer).closures.begin(optimizer, self._asking.number, closure)

    def _after(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        recorder = self._recorder
        if (state := self._passing.ends(optimizer)) is not None:
            self._passed(state)
            return
        if not recorder.mine():
            return
        on = None
        while self._hidden:
            recorder.show(on)  # a step that was left by an exception
            reference, on = self._hidden.pop()
            if reference() is optimizer:
                break
        try:
            with Guarded(recorder.fail):
                enough = recorder.active and self._made_step(optimizer, args, kwargs)
        finally:
            recorder.show(on)
        if not recorder.active:
            return
        with Guarded(recorder.fail):
            if enough:
                recorder.rest()
            state = self._state(optimizer)
            due = self.on_step(state)
            if self.tell is not None:
                self.tell(state)
            if not recorder.armed:
                self._doze()
                state.stirred, state.due = recorder.stirred, min(due, self._passing.due(state))

    def _passed(self, state: State) -> None:
        """A step that there was nothing to look at in is made."""
        recorder = self._recorder
        self.used_lost |= 0 < self._asking.lost == state.seen_backward
        self._rested += 1
        if not self._rested % _CYCLE:
            recorder.dozing = False
        if self.tell is not None and recorder.active:
            with Guarded(recorder.fail):
                self.tell(state)

    def _doze(self) -> None:
        """At rest, follow gradients in some steps of many."""
        recorder = self._recorder
        self._rested += 1
        dozing = self._rested % _CYCLE >= _AWAKE and not (self._idle or self.attended or recorder.masked)
        if dozing and not recorder.dozing:
            dozing = not any(state.nones or state.closures.steps for state in self.states.values())
            if dozing:
                self.fates.forget()
                for state in self.states.values():
                    state.fresh = True
        recorder.dozing = dozing

    def _made_step(self, optimizer: Any, args: Any, kwargs: Any) -> bool:
        """Look at what a step has left; return whether enough is recorded."""
        recorder, state = self._recorder, self._state(optimizer)
        if given_closure(args, kwargs) is not None:
            with recorder.hidden():
                state.closures.end(optimizer, self._asking.number)
                self._look(state, optimizer, sys._getframe(2))
        self.effects.stepped(optimizer, state)
        state.seen_backward = self._asking.number
        self.used_lost |= 0 < self._asking.lost == state.seen_backward
        self._samples.stepped(state, optimizer)
        if not recorder.armed or not recorder.writing:
            return recorder.armed
        state.step_rows.append(recorder.journal.position)
        return not self._always and self._seen_enough()

    def _seen_enough(self) -> bool:
        """Whether each optimizer made its first steps, or one of them many more than another."""
        if self._samples.waiting():
            return False
        alive = [each for each in self.states.values() if each.optimizer() is not None]
        return all(each.steps >= WINDOW for each in alive) or max(each.steps for each in alive) >= _MOST

    def _look(self, state: State, optimizer: Any, frame: Any) -> None:
        recorder, asking = self._recorder, self._asking
        if asking.number == state.seen_backward:
            state.without_backward += 1
            if not asking.number and first_gradient(optimizer) is None:
                state.empty, state.place = state.empty + 1, recorder.place(frame)
            if not recorder.dozing and self.fates.step(state).again and state.steps:
                state.repeated, state.repeating = state.repeated + 1, recorder.place(frame)
            return
        state.steps += 1
        state.looked = {}
        self.effects.step(optimizer, state, frame)
        groups = optimizer.param_groups
        self.rates[state.made] = state.rate
        settled = not recorder.armed and state.steps > WINDOW and not state.nones and not self.attended
        if not recorder.armed and state.members:
            self._samples.step(state, groups)
        if settled and len(groups) == state.groups:
            self._apply(state)
            return
        state.groups = len(groups)
        none: list[int] = []
        numbers: list[int] = []
        missing: list[tuple[int, Any]] = []
        numbered, given, armed, first = state.members, members(optimizer), recorder.armed, state.first
        for parameter, by_now in zip(given, recorder.serials.all_known(given)):
            number = numbered.get(id(parameter))
            if number is None or (armed and number != by_now):
                number = numbered[id(parameter)] = recorder.serial(parameter)
            if parameter.requires_grad:
                if parameter.grad is None:
                    none.append(len(numbers))
                    missing.append((number, parameter))
                numbers.append(number)
                if number not in first:
                    first[number] = parameter._version, memory(parameter)
        if recorder.armed:
            rounding.note(optimizer, state)
        if self.attended:
            self._attend(state, groups)
        self._apply(state)
        for number, parameter in missing:
            known = state.first.get(number)
            if known is not None and known != (parameter._version, memory(parameter)):
                state.moved.add(number)
        lost = {numbers[at] for at in none} if none else set[int]()
        if state.steps == 1:
            state.nones = dict.fromkeys(lost, 1)
        elif state.nones:
            state.nones = {each: count + 1 for each, count in state.nones.items() if each in lost}
        if recorder.armed:
            self._samples.step(state, groups, not asking.signals.suspects().isdisjoint(numbers))
            place = state.place = recorder.place(frame)
            self._ask(state, numbers, none, place)

    def _apply(self, state: State) -> None:
        """Note which gradients a step uses, and which were cleared before it."""
        if state.fresh:
            state.unfollowed += 1
        if self._recorder.dozing:
            return
        found = self.fates.step(state)
        state.closures.left(found.now)
        if state.fresh:  # some of what it uses may have come before it was followed
            state.fresh = False
            return
        self.used |= found.now
        for each in self._asking.after(state.seen_backward) if found.now else ():
            if each.number in found.now:
                each.users.append(state)
        state.summed += bool(found.now and found.again)
        lost = next(reversed(found.lost.values()), None)
        if lost is not None and not found.now and not found.again and not self.fates.has_any(state):
            state.cleared_steps += 1
            state.cleared = lost.place if lost.place >= 0 else state.cleared
        if self._recorder.armed and found.now | found.lost.keys() and len(state.windows) < _WINDOWS:
            state.windows.append(found)

    def given(self) -> set[int]:
        """The numbers of all parameters that optimizers have or had."""
        known = self._recorder.serials.known
        states = self.states.values()
        alive = (optimizer for state in states if (optimizer := state.optimizer()) is not None)
        found = {number for optimizer in alive for each in members(optimizer) if (number := known(each)) is not None}
        return found.union(self._former, *(state.members.values() for state in states))

    def _attend(self, state: State, groups: Any) -> None:
        """Somebody will ask: keep the norms of gradients, and whether values change."""
        for group in groups:
            for parameter in group["params"]:
                number = state.members.get(id(parameter), -1)
                if parameter.grad is not None:
                    norm = float(parameter.grad.detach().float().norm())
                    self.norms.setdefault(number, []).append((state.steps, norm))
                first = state.first.get(number)
                if first is not None and state.steps > 1:
                    state.changed[number] = first != (parameter._version, memory(parameter))

    def _thawed(self, state: State, numbers: list[int], last: Backward) -> None:
        """Note which parameters without a gradient were set free only after `backward`."""
        recorder = self._recorder
        thawed = ((number, recorder.thawed.get(number)) for number in numbers if number not in recorder.frozen)
        late = {number: each.place for number, each in thawed if each and each.since < last.event <= each.until}
        if late:
            state.late, state.thawed, state.backward = state.late + 1, late, last.place

    def _ask(self, state: State, numbers: list[int], none: list[int], place: int) -> None:
        asking = self._asking
        state.recorded += 1
        since = asking.after(state.seen_backward)
        if since:
            self._thawed(state, [numbers[at] for at in none], since[-1])
        targets = tuple(dict.fromkeys(number for each in since for number in each.targets))
        asked = asking._asked(
            "step",
            targets,
            numbers,
            none,
            place,
            backward=since[-1].place if since else -1,
        )
        if not all(each.whole for each in since):
            return
        state.asleep = self.asleep({numbers[at] for at in none}) if none else set()
        for at in none:
            if numbers[at] in state.nones:
                state.last[numbers[at]] = asked
