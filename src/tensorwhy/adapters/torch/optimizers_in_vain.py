"""Optimizers that are used in vain: never, after their gradients were cleared or without, or with a rate of zero.

Also those that use only a part of what `backward` computed for them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.adapters.torch.optimizer_state import State
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

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
            yield from self._dropped(state)
            yield from self._closed(state)
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

    def _dropped(self, state: State) -> Iterator[Observed]:
        """In each window of several calls of `backward`, what the earlier ones computed is cleared before the step."""
        used = self._session.training.used
        lost = [window - used for window in state.between.windows]
        if len(lost) < 2 or not all(lost) or {*state.members.values()} & changed_by_hand(self._session):
            return
        sizes = sorted(state.between.sizes)
        yield Observed(
            slug="loop-misuse",
            message=f"each step of this {state.kind} uses only a part of the gradients: of {sizes[len(sizes) // 2]}"
            f" calls of `backward()` before it, the gradients of {len(lost[-1])} are cleared unused",
            label="gradients that no step has used are cleared here",
            location=self._at(state.between.place),
            related=(
                *marked(self._at(self._session.asking.last_place), "they are computed here", "asked"),
                *marked(self._at(state.place), "this step finds only the last ones", "step"),
            ),
            severity="warning",
            fixes=(
                Fix(
                    summary="clear the gradients only after `step()`, in the same branch",
                    caveat="unless the other calls of `backward()` are meant to have no effect",
                ),
            ),
        )

    def _closed(self, state: State) -> Iterator[Observed]:
        """The function that `step` calls again and again computes no gradient."""
        closures = state.closures
        if not closures.without or closures.without < closures.steps:
            return
        file, line = closures.code
        made = [
            self._sources.place(file, node)
            for node in self._sources.nodes(file)
            if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node.lineno == line
        ]
        yield Observed(
            slug="loop-misuse",
            message=f"this {state.kind} calls its closure {closures.calls} times in a step, and the closure never runs"
            " `backward()`: all calls see the same gradients",
            label="this calls the closure again for each new value of the parameters",
            location=self._at(state.place),
            related=(
                *marked(made[0] if made else None, "the closure", "closure"),
                *marked(self._at(self._session.asking.last_place), "the gradients are computed here", "asked"),
            ),
            severity="error",
            fixes=(Fix(summary="move `zero_grad()`, the computation of the loss, and `backward()` into the closure"),),
        )

    def _never_stepped(self) -> Iterator[Observed]:
        """Optimizers that nobody uses, although their parameters get gradients again and again."""
        session = self._session
        asking = session.asking
        members = {number for state in self._used() for number in state.members.values()}
        changed, leaves = changed_by_hand(session), session.recorder.leaves.keys()
        wanted = ((changed | session.recorder.read) & leaves) - members  # an input may be what is optimized
        for state in self._session.training.states.values():
            idle = state.idle
            if (
                state.steps
                or state.without_backward
                or idle.calls < _OFTEN
                or not idle.gradients
                or idle.changed
                or idle.numbers & members
                or idle.numbers & changed
                or wanted - idle.numbers
            ):
                continue
            computed = self._at(asking.last_place)
            call = self._step_call(state, computed)
            yield Observed(
                slug="never-updated",
                message=f"no parameter of this {state.kind} ever changes: `step()` was never called, after"
                f" {idle.calls} calls of `backward()`",
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


def changed_by_hand(session: Recording) -> set[int]:
    """The tensors that the program stored something in, other than where they were made."""
    journal, recorder = session.journal, session.recorder
    stored = (event for event in journal.events() if journal.names[event.name] in recorder.stores)
    return {event.inputs[0] for event in stored if event.place != recorder.made.get(event.inputs[0])}
