"""Optimizers that are used in vain: never, after their gradients were cleared or without, or with a rate of zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.training import State
from tensorwhy.adapters.torch.words import marked
from tensorwhy.diagnosis.asked import call_at
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording.sources import Sources

_OFTEN = 3
"""After so many calls of `backward`, an optimizer would have been used."""


class OptimizersInVain:
    """Reads what was noted of each optimizer, at the end of a run."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session = session
        self._sources = sources

    def facts(self) -> Iterator[Observed]:
        """One fact for each optimizer that is used in vain."""
        for state in self._used():
            yield from self._cleared(state)
            yield from self._no_rate(state)
            yield from self._summed(state)
        yield from self._never_stepped()

    def _used(self) -> list[State]:
        return [state for state in self._session.training.states.values() if state.steps]

    def _cleared(self, state: State) -> Iterator[Observed]:
        """The gradients are cleared after `backward` and before the step, each time."""
        if state.cleared_steps < state.steps or state.cleared < 0:
            return
        yield Observed(
            slug="never-updated",
            message=f"no parameter of this {state.kind} ever changes: its gradients are cleared between `backward()`"
            " and `step()`",
            label="the new gradients are cleared here",
            location=self._at(state.cleared),
            related=(
                *marked(self._at(state.place), "and this step finds none", "step"),
                *marked(self._at(self._session.asking.last_place), "they are computed here", "asked"),
            ),
            severity="error",
            fixes=(Fix(summary="clear the gradients before `backward()`, or after `step()`"),),
        )

    def _no_rate(self, state: State) -> Iterator[Observed]:
        if state.zero_rate < state.steps or state.steps < 2:
            return
        yield Observed(
            slug="never-updated",
            message=f"no parameter of this {state.kind} ever changes: its learning rate is 0 in all of"
            f" {state.steps} steps",
            label="the optimizer is created here",
            location=self._at(state.made),
            related=marked(self._at(state.place), "this step changes nothing", "step"),
            severity="warning",
            fixes=(
                Fix(
                    summary="give the optimizer a learning rate above 0, and look at its scheduler",
                    caveat="unless the program only wants to see the optimizer run",
                ),
            ),
        )

    def _summed(self, state: State) -> Iterator[Observed]:
        """No step finds its gradients alone: those of all earlier steps are in them."""
        if state.steps < 3 or state.summed < state.steps - 1:
            return
        location = self._at(state.place)
        call = call_at(self._sources, location)
        owner = ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else ""
        yield Observed(
            slug="loop-misuse",
            message=f"the gradients of this {state.kind} are never cleared: each of its {state.steps} steps applies the"
            " sum over all steps before it, too",
            label="the sum is applied here",
            location=location,
            related=marked(self._at(self._session.asking.last_place), "each call adds to `.grad`", "asked"),
            severity="warning",
            fixes=(
                Fix(
                    summary=f"call `{owner or 'optimizer'}.zero_grad()` before `backward()`",
                    caveat="unless each step is meant to apply the gradients of all earlier steps again",
                ),
            ),
        )

    def _never_stepped(self) -> Iterator[Observed]:
        """Optimizers that nobody uses, although their parameters get gradients again and again."""
        session = self._session
        asking, known = session.asking, session.recorder.serials.known
        members = {number for state in self._used() for number in state.members.values()}
        for state in self._session.training.states.values():
            optimizer = state.optimizer()
            if optimizer is None or state.steps or state.without_backward or asking.number < _OFTEN:
                continue
            given = [each for group in optimizer.param_groups for each in group["params"]]
            numbers = {known(each) or -1 for each in given}
            grads = [each.grad for each in given if each.grad is not None]
            if (
                not grads
                or numbers & members
                or any(is_changed(session, each) for each in numbers)
                or not _are_finite(grads)
            ):
                continue
            computed = self._at(asking.last_place)
            call = self._step_call(state, computed)
            yield Observed(
                slug="never-updated",
                message=f"no parameter of this {state.kind} ever changes: `step()` was never called, after"
                f" {asking.number} calls of `backward()`",
                label="this is never reached" if call is not None else "the optimizer is created here",
                location=call or self._at(state.made),
                related=(
                    *marked(computed, "the gradients are computed here", "asked"),
                    *(marked(self._at(state.made), "the optimizer is created here", "optimizer") if call else ()),
                ),
                severity="warning",
                fixes=(
                    Fix(
                        summary="check the condition that leads to this line, with the values that it has"
                        if call is not None
                        else "call `step()` after `backward()`",
                        caveat="unless only the gradients are wanted",
                    ),
                ),
            )

    def _step_call(self, state: State, computed: Location | None) -> Location | None:
        """The only call in the program's own text that would use this optimizer."""
        made = self._at(state.made)
        names = {each.rpartition(".")[2] for each in (self._sources.names(made) if made is not None else ())}
        files = dict.fromkeys(each.file for each in (computed, made) if each is not None)
        found = [
            self._sources.place(file, node)
            for file in files
            for node in self._sources.nodes(file)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "step"
            and ast.unparse(node.func.value).rpartition(".")[2] in names
        ]
        return found[0] if len(found) == 1 else None

    def _at(self, place: int) -> Location | None:
        return self._session.journal.location(place)


def is_changed(session: Recording, number: int) -> bool:
    """Whether the program stored something in a tensor, other than where it was made."""
    journal = session.journal
    stored = (event for event in journal.events() if journal.names[event.name].startswith("stored by "))
    return any(event.inputs[0] == number and event.place != session.recorder.made.get(number) for event in stored)


def _are_finite(gradients: list[Any]) -> bool:
    """Whether no gradient kept a scaler from using the optimizer."""
    return all(bool(torch.isfinite(each.detach()).all()) for each in gradients if not each.is_sparse)
