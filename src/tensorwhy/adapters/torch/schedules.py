"""Learning rates that a schedule sets to 0, sets for another optimizer, or overwrites as it is created."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from typing import Any

import msgspec
from torch.optim import Optimizer
from torch.optim import lr_scheduler as schedulers

from tensorwhy.adapters.torch.between_steps import members
from tensorwhy.adapters.torch.optimizer_state import State
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j

_MOST = 64
_OFTEN = 3
_AT_REST = 5
"""So many steps with a rate of 0 are more than how a schedule ends."""
_SHARE = 10
_BASE = getattr(schedulers, "LRScheduler", None)
_SETS = "_update_lr" if hasattr(_BASE, "_update_lr") else "step"
_Rates = tuple[float, ...]


class Schedule(msgspec.Struct):
    """A scheduler as it was created: the rates before and after that, and what it is called."""

    scheduler: weakref.ref[Any]
    optimizer: weakref.ref[Any]
    kind: str
    place: int
    before: _Rates
    after: _Rates


class Overwritten(msgspec.Struct):
    """Rates that were loaded at one place, and overwritten at another before the next step."""

    loaded: int
    made: Schedule
    rates: _Rates


class Schedules:
    """Follows schedulers, and the states that optimizers load."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.made: list[Schedule] = []
        self.stepped: dict[int, tuple[weakref.ref[Any], int, int]] = {}
        """By the id of an optimizer: it, how often its rates were set, and where."""
        self.loaded: dict[int, tuple[int, _Rates]] = {}
        self.overwritten: list[Overwritten] = []
        self._making = 0

    def install(self) -> None:
        """Put the hooks in."""
        replace = self._recorder.patches.replace
        if _BASE is not None:
            replace(_BASE, "__init__", self._wrap_init)
            replace(_BASE, _SETS, self._wrap_step)
        replace(Optimizer, "load_state_dict", self._wrap_load)

    def _wrap_init(self, original: Any) -> Any:
        recorder = self._recorder

        def __init__(scheduler: Any, optimizer: Any, *args: Any, **kwargs: Any) -> None:
            before = rates(optimizer)
            self._making += 1
            try:
                original(scheduler, optimizer, *args, **kwargs)
            finally:
                self._making -= 1
            if recorder.active and len(self.made) < _MOST and isinstance(optimizer, Optimizer):
                try:
                    place = recorder.place(sys._getframe(1))
                    known = weakref.ref(scheduler), weakref.ref(optimizer), type(scheduler).__name__
                    self.made.append(Schedule(*known, place, before, rates(optimizer)))
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)

        __init__.__wrapped__ = original  # type: ignore[attr-defined]
        return __init__

    def _wrap_step(self, original: Any) -> Any:
        recorder = self._recorder

        def step(scheduler: Any, *args: Any, **kwargs: Any) -> Any:
            if recorder.active and not self._making:
                try:
                    self._stepped(scheduler.optimizer, sys._getframe(1))
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return original(scheduler, *args, **kwargs)

        step.__wrapped__ = original  # type: ignore[attr-defined]
        return step

    def _stepped(self, optimizer: Any, frame: Any) -> None:
        known = self.stepped.get(id(optimizer))
        if known is not None and known[0]() is optimizer:
            self.stepped[id(optimizer)] = known[0], known[1] + 1, known[2]
        elif len(self.stepped) < _MOST:
            self.stepped[id(optimizer)] = weakref.ref(optimizer), 1, self._recorder.place(frame)

    def _wrap_load(self, original: Any) -> Any:
        recorder = self._recorder

        def load_state_dict(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(optimizer, *args, **kwargs)
            if recorder.active and len(self.loaded) < _MOST:
                try:
                    self.loaded[id(optimizer)] = recorder.place(sys._getframe(1)), rates(optimizer)
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return result

        load_state_dict.__wrapped__ = original  # type: ignore[attr-defined]
        return load_state_dict

    def step(self, optimizer: Any) -> None:
        """An optimizer is about to make a step: compare its rates with those that it has loaded."""
        place, loaded = self.loaded.pop(id(optimizer), (-1, ()))
        if not loaded or rates(optimizer) == loaded:
            return
        for made in self.made:
            scheduler = made.scheduler()
            if made.optimizer() is not optimizer or made.before != loaded or made.after == loaded:
                continue
            if getattr(scheduler, "last_epoch", 0) > 0 and rates(optimizer) == made.after:  # it goes on, too
                self.overwritten.append(Overwritten(place, made, loaded))

    def facts(self, states: list[State], journal: j.Journal) -> Iterator[Observed]:
        """One fact for each schedule that goes wrong."""
        at = journal.location
        for state in states:
            row = state.zero_in_row
            if _AT_REST <= row < state.steps <= row * _SHARE:
                yield self._at_zero(state, journal)
        for optimizer, times, place in self.stepped.values():
            other = optimizer()
            if times >= _OFTEN and other is not None and id(other) not in {id(s.optimizer()) for s in states}:
                yield from self._of_another(other, states, times, place, journal)
        for each in self.overwritten:
            yield Observed(
                slug="not-restored",
                message=f"the learning rate {_text(each.rates)} that the optimizer has loaded is overwritten:"
                f" `{each.made.kind}` sets it to {_text(each.made.after)} as it is created",
                label="this sets the learning rate again",
                location=at(each.made.place),
                related=marked(at(each.loaded), "the state of the optimizer is loaded here", "loaded"),
                severity="warning",
                fixes=(Fix(summary="create the scheduler first, and load the state of both after that"),),
            )

    def _at_zero(self, state: State, journal: j.Journal) -> Observed:
        at = journal.location
        mine = [each for each in self.made if each.optimizer() is state.optimizer()]
        dead = [each for each in mine if not any(each.before)]
        last = dead[-1] if dead else mine[-1] if mine else None
        why = f": this `{last.kind}` was created while it was 0, and goes on from there" if dead and last else ""
        return Observed(
            slug="never-updated",
            message=f"the learning rate of this {state.kind} is 0 in the last {state.zero_in_row} of {state.steps}"
            f" steps{why}",
            label="the schedule is created here" if last is not None else "these steps change nothing",
            location=at(last.place if last is not None else state.place),
            related=marked(at(state.place), "these steps change nothing", "step") if last is not None else (),
            severity="warning",
            fixes=(
                Fix(summary='set `group["lr"]` of each group to where the schedule should begin before this line')
                if dead
                else Fix(
                    summary="check how long the schedule is, and whether it goes on once for each batch or each epoch",
                    caveat="unless training should stand still at the end",
                ),
            ),
        )

    def _of_another(
        self, other: Any, states: list[State], times: int, place: int, journal: j.Journal
    ) -> Iterator[Observed]:
        """A schedule changes the rates of an optimizer that makes no step, and is like one that does."""
        at = journal.location
        for state in states:
            trained = state.optimizer()
            if trained is None or type(trained) is not type(other) or rates(trained) == rates(other):
                continue
            if [each.shape for each in members(trained)] == [each.shape for each in members(other)]:
                yield Observed(
                    slug="cloned-or-rebuilt",
                    message=f"the schedule changes the learning rate of another {state.kind}, which makes no step:"
                    f" the rate of the one that trains stays at {_text(rates(trained))}",
                    label=f"this sets the rate of the other one, {times} times",
                    location=at(place),
                    related=(
                        *marked(at(state.made), "the one that trains is created here", "optimizer"),
                        *marked(at(state.place), "and makes its steps here", "step"),
                    ),
                    severity="warning",
                    fixes=(
                        Fix(
                            summary="keep no scheduler with its optimizer in a saved state: load its `state_dict()`"
                            " into one that was created with the optimizer that trains"
                        ),
                    ),
                )
                return


def rates(optimizer: Any) -> _Rates:
    """The learning rate of each group."""
    return tuple(float(group.get("lr", 0.0)) for group in getattr(optimizer, "param_groups", ()))


def _text(found: _Rates) -> str:
    return ", ".join(f"{each:.3g}" for each in dict.fromkeys(found))
