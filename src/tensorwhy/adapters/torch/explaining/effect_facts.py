"""What the ledger of effects comes to at the end: calls that changed nothing, too much, or what nobody uses."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tensorwhy.adapters.effects import Effect
from tensorwhy.adapters.torch.operations.kinds import STOPS
from tensorwhy.adapters.torch.seen import Reader, Recording
from tensorwhy.adapters.torch.training.between_steps import members
from tensorwhy.adapters.torch.training.groups import Left
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.read_once import loops
from tensorwhy.adapters.torch.training.readings import Clipped, Compared, rates
from tensorwhy.adapters.torch.training.rounding import stuck
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_OFTEN = 3
"""After so many calls of `backward`, an optimizer would have been used."""
_AT_REST = 5
"""So many steps with a rate of 0 are more than how a schedule ends."""
_SHARE, _EARLY = 10, 3
"""At rest in one of so many steps is too early: for a rate of 0, and for one that is practically 0."""
_NOTHING = 1e-7
"""A rate that changes no number of usual size, whatever it was before."""
_LONG = 60
_MOVES = {
    "momentum": (
        "what the optimizer keeps of earlier gradients",
        "set what the optimizer keeps for these values (`optimizer.state[parameter]`) to 0 as well",
    ),
    "decay": ("weight decay", "create the optimizer with `weight_decay=0` for these parameters"),
}
"""What moves values without a gradient, and what helps."""


class EffectFacts(Reader):
    """Reads the ledger, and what was noted of each optimizer."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        super().__init__(session, sources)
        self._effects = session.training.effects
        self._asked = self._at(session.asking.last_place)

    def facts(self) -> Iterator[Observed]:
        """One fact for each mistake."""
        for state in self._states:
            left = state.left.changed() if state.optimizer() is not None else None
            yield from self._used_in_vain(state) if left is None else self._of_groups_before(state, left)
        yield from self._never_stepped()
        yield from self._no_backward()
        for effect in self._effects.of("clip"):
            yield from self._clip(effect)
        for each in self._effects.iterators.values():
            if each.changed and each.idle >= _OFTEN and (where := self._at(each.place)) is not None:
                text = self._sources.expression(where)
                yield say("iterator-exhausted", where, {"asked": self._asked}, text=text, calls=each.idle)
        for name, at, begun, loop in loops(self._session.journal, self._effects.exhausted, self._sources):
            lines = {"step": at, "loop": loop if begun is not None else None}
            yield say("loop-exhausted", begun or loop, lines, text=name)
        for state in self._states:
            yield from self._at_rest(state)
        yield from self._of_another()
        yield from self._no_epochs()
        for loaded, made in self._effects.overwritten:
            yield say(
                "rate-overwritten",
                self._at(made.place),
                {"loaded": self._at(loaded.place)},
                rates=_text(loaded.after),
                after=_text(made.after[0]),
                schedule=made.of,
            )
        yield from self._modes()
        yield from self._states_and_loads()
        for state in self._states:
            yield from self._frozen(state)
            yield from self._rounded(state)
        yield from self._masked()
        yield from self._ignored()

    # -- optimizers ----------------------------------------------------------------------------------------------

    def _used_in_vain(self, state: State) -> Iterator[Observed]:
        """Steps without a rate, and those whose closure computes nothing."""
        step, kind, steps = self._at(state.place), state.kind, state.steps
        lines = {"step": step, "asked": self._asked}
        if state.zero_in_row >= steps >= 2:
            yield say("no-rate", self._at(state.made), lines, kind=kind, steps=steps)
        closures = state.closures
        closed = 0 < closures.steps <= closures.without
        if closed or 0 < closures.several <= closures.summed:
            file, line = closures.code
            made = [
                self._sources.place(file, node)
                for node in self._sources.nodes(file)
                if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node.lineno == line
            ]
            lines["closure"] = made[0] if made else None
            owner = self._owner(step, "optimizer")
            yield say(
                "closed" if closed else "closure-summed", step, lines, kind=kind, calls=closures.calls, owner=owner
            )

    def _no_backward(self) -> Iterator[Observed]:
        """Steps without a gradient, in a program that computes with the parameters, and computes no gradient."""
        for state in self._session.training.states.values():
            idle = state.steps or state.empty < _OFTEN or state.empty < state.without_backward
            if not idle and self._is_used(state.optimizer()):
                lines = {"optimizer": self._at(state.made)}
                yield say("no-backward", self._at(state.place), lines, kind=state.kind, steps=state.empty)

    def _is_used(self, optimizer: Any) -> bool:
        """Whether something is computed from a parameter. Who only looks at a schedule makes empty steps, too."""
        known, journal = self._recorder.serials.known, self._session.journal
        numbers = {known(each) for each in members(optimizer)} if optimizer is not None else set()
        return any(
            not numbers.isdisjoint(event.inputs)
            for event in journal.events()
            if event.kind == j.OP and journal.names[event.name] not in self._recorder.stores | STOPS
        )

    def _rounded(self, state: State) -> Iterator[Observed]:
        """Steps that change nothing, as the numbers of a dtype are too far from each other."""
        found = stuck(state) if state.steps >= _OFTEN and state.low else []
        if not found:
            return
        _, dtype, largest, gap = found[0]
        of = [self._ref(each, tensor=state.low[each][0]()) for each, *_ in found]
        yield say(
            "rounded-away",
            self._at(state.place),
            {"optimizer": self._at(state.made)},
            of,
            name=f"`{of[0].name}`" if of[0].name else "a parameter",
            them_get="it gets" if len(of) == 1 else "they get",
            steps=state.steps,
            kind=state.kind,
            dtype=str(dtype).removeprefix("torch."),
            largest=largest,
            gap=gap,
            rate=state.rate,
        )

    def _never_stepped(self) -> Iterator[Observed]:
        """Optimizers that nobody uses, although their parameters get gradients again and again."""
        session, recorder = self._session, self._session.recorder
        used = {number for state in self._states for number in state.members.values()}
        changed, leaves = self._changed_by_hand(), recorder.leaves.keys()
        wanted = ((changed | recorder.read) & leaves) - used  # an input may be what is optimized
        elsewhere = [self._at(state.made) for state in self._states]  # in another part of the run
        for state in session.training.states.values():
            idle = state.idle
            if self._at(state.made) in elsewhere:
                continue
            if state.steps or state.without_backward or idle.calls < _OFTEN or not idle.gradients or idle.changed:
                continue
            if idle.numbers & (used | changed) or wanted - idle.numbers:
                continue
            made = self._at(state.made)
            name = self._bound(made)
            call = self._written_step(made, name)
            key, owner = "never-stepped" if call is None else "never-reached", name or "optimizer"
            lines = {"asked": self._asked, "optimizer": made}
            added = edits.after(self._asked, self._sources, f"{owner}.step()") if call is None and name else ()
            yield say(key, call or made, lines, edits=added, kind=state.kind, calls=idle.calls, owner=owner)

    def _written_step(self, made: Location | None, name: str) -> Location | None:
        """The only call that is written of `step` of what has this name: it was never reached."""
        wanted = {f"{name}.step", f"{name.rpartition('.')[2]}.step"}
        places = (self._asked, made) if name else ()
        return self._only(places, lambda node: isinstance(node, ast.Call) and ast.unparse(node.func) in wanted)

    def _frozen(self, state: State) -> Iterator[Observed]:
        """A step changes parameters that require no gradient."""
        if not state.frozen:
            return
        numbers = [*state.frozen]
        places = [self._session.recorder.frozen[each] for each in numbers if each in self._session.recorder.frozen]
        made = self._at(state.made)
        at = self._at(places[0]) if places else self._only([made], _freezes)
        several = len(numbers) > 1
        more = f" and {len(numbers) - 1} more parameter{'s' * (len(numbers) > 2)}" if several else ""
        stale = any(stale for _, stale in state.frozen.values())
        yield say(
            "frozen-but-changed",
            at or made,
            {"optimizer": made, "step": self._at(state.place)},
            name=f"`{self._names.get(numbers[0]) or 'a parameter'}`{more}",
            verb="are" if several else "is",
            them="them" if several else "it",
            their="their" if several else "its",
            what="an old gradient" if stale else "a tensor of zeros",
            kind=state.kind,
            moved=max(moved for moved, _ in state.frozen.values()),
            label="frozen here" if at is not None else "the optimizer that has them is created here",
        )

    def _masked(self) -> Iterator[Observed]:
        """Steps move values whose gradient the program has set to zero."""
        found = {at: each for at, each in self._effects.masked.found.items() if each.steps > 1 and not each.back}
        of = defaultdict[tuple[int, int], list[int]](list)
        for number, each in found.items():
            of[self._recorder.masked[number], each.state.key].append(number)
        for (place, _), numbers in of.items():
            first = found[numbers[0]]
            reasons = [text for key, text in _MOVES.items() if any(key in found[each].by for each in numbers)]
            yield say(
                "masked-but-moved",
                self._at(place),
                {"step": self._at(first.state.place), "optimizer": self._at(first.state.made)},
                [self._ref(each) for each in numbers],
                name=f"`{self._names.get(numbers[0]) or 'a parameter'}`",
                values=first.values,
                kind=first.state.kind,
                by=" and ".join(each[0] for each in reasons) or "something else",
                fix=", and ".join(each[1] for each in reasons) or "set these values back after each `step()`",
            )

    # -- gradients, rates ----------------------------------------------------------------------------------------

    def _clip(self, effect: Effect) -> Iterator[Observed]:
        """Calls that clip nothing, what nobody uses, or too much."""
        where, use = self._at(effect.place), effect.found
        if where is None:
            return
        call, name = call_at(self._sources, where), self._called(where)
        if effect.vain == effect.calls > 1:
            text = ast.unparse(call.args[0]) if call is not None and call.args else ""
            exhausted = isinstance(effect.before, tuple) and effect.before[1]
            at = self._only([where], lambda node: _names(node, text)) if exhausted else None
            key = "clip-exhausted" if exhausted else "clip-nothing"
            yield say(key, at or where, {"clip": where}, name=name, calls=effect.calls, text=text)
        elif use is not None and min(use.steps, effect.calls) >= _OFTEN and isinstance(effect.after, Clipped):
            lines = {"asked": self._at(use.backward), "step": self._at(use.step)}
            if use.late == use.steps:
                yield say("clip-spent" if use.spent >= use.steps - 1 else "clip-early", where, lines, name=name)
            elif len(use.scaled) == use.steps:
                scale, norm = use.scaled[-1]
                limit = effect.after.limit
                yield say("clip-scaled", where, lines, name=name, scale=scale, norm=norm, limit=limit)

    def _at_rest(self, state: State) -> Iterator[Observed]:
        """The rate of an optimizer is 0, or practically 0, long before the end."""
        zero = _AT_REST <= state.zero_in_row < state.steps <= state.zero_in_row * _SHARE
        tiny = _AT_REST <= state.still < state.steps <= state.still * _EARLY and state.rate <= _NOTHING
        if not zero and not tiny:
            return
        mine = [each for each in self._effects.of("schedule") if each.subject() is state.optimizer()]
        moves = [each for each in self._effects.of("rates") if each.subject() is state.optimizer()]
        dead = [each for each in mine if not any(each.before)] if zero else []
        made = dead[-1] if dead else mine[-1] if mine else None
        lines = {"step": self._at(state.place), "rates": self._at(moves[0].place) if moves else None}
        yield say(
            "rate-dead" if dead else "rate-zero" if zero else "rate-tiny",
            self._at(made.place if made is not None else state.place),
            lines,
            label="the schedule is created here" if made is not None else "these steps change next to nothing",
            kind=state.kind,
            row=state.zero_in_row if zero else state.still,
            steps=state.steps,
            peak=state.peak,
            rate=state.rate,
            schedule=made.of if made is not None else "",
            calls=moves[0].calls if moves else 0,
        )

    def _of_another(self) -> Iterator[Observed]:
        """A schedule changes the rates of an optimizer that makes no step, and is like one that does."""
        training = {id(state.optimizer()) for state in self._states}
        for effect in self._effects.of("rates"):
            other = effect.subject()
            if effect.calls < _OFTEN or other is None or id(other) in training:
                continue
            shapes = [each.shape for each in members(other)]
            for state in self._states:
                mine = state.optimizer()
                alike = mine is not None and type(mine) is type(other) and rates(mine) != rates(other)
                if alike and [each.shape for each in members(mine)] == shapes:
                    lines = {"optimizer": self._at(state.made), "step": self._at(state.place)}
                    stays = _text(rates(mine))
                    at, kind, calls = self._at(effect.place), state.kind, effect.calls
                    yield say("rate-of-another", at, lines, kind=kind, rates=stays, calls=calls)
                    break

    def _of_groups_before(self, state: State, left: Left) -> Iterator[Observed]:
        """The learning rate is set in groups that the optimizer had before it got others."""
        made = self._at(state.made)
        files = dict.fromkeys(each.file for each in (made, self._at(state.place)) if each is not None)
        assigned = [(file, n) for file in files for n in self._sources.nodes(file) if isinstance(n, ast.Assign)]
        kept = [self._sources.place(file, n) for file, n in assigned if _is_groups(n.value)]
        set_ = [self._sources.place(file, n) for file, n in assigned if any(map(_is_groups, n.targets))]
        others = [each for each in set_ if each not in kept]
        lines = {
            "optimizer": made if len(kept) == 1 else None,
            "replaced": others[0] if len(others) == 1 else None,
            "step": self._at(state.place),
        }
        yield say(
            "rate-of-groups-before",
            kept[0] if len(kept) == 1 else made,
            lines,
            label="these groups are kept" if len(kept) == 1 else "the optimizer is created here, with other groups",
            kind=state.kind,
            rates=_text(rates(state.optimizer())),
            before=left.before,
            now=left.now,
        )

    def _no_epochs(self) -> Iterator[Observed]:
        """Schedules that take a number for the epoch that is none: it falls again and again, and is not whole."""
        for seen in self._effects.epochs.values():
            if seen.falls * 4 < seen.calls or not seen.falls:
                continue
            where = self._at(seen.place)
            yield say(
                "no-epoch",
                where,
                edits=edits.without_arguments(where, self._sources),
                schedule=seen.of,
                first=seen.first,
                last=seen.last,
                calls=seen.calls,
                owner=self._owner(where, "scheduler"),
                before=_text(seen.before),
                after=_text(seen.after),
            )

    # -- modes, statistics, values of models ---------------------------------------------------------------------

    def _modes(self) -> Iterator[Observed]:
        """Models that are trained, or used, in evaluation mode with layers that nobody has prepared for that."""
        for turned in self._effects.of("eval"):
            where, row = self._at(turned.place), turned.found
            if isinstance(row, Compared):
                again = self._effects.used(row.row) & row.names.keys()
                if again and not self._session.asking.number:  # else training has begun after a first test
                    yield say("first-statistics", where, layers=_listed([row.names[each] for each in again]))
                continue
            self._effects.look(turned)
            if turned.found is None:
                continue
            state, since, layers, new = turned.found
            if state is None:
                yield say("copied-without-statistics", where, kind=turned.of, layers=_listed(layers))
                continue
            seen = {"since": since, "steps": state.steps, "kind": state.kind, "layers": _listed(layers)}
            lines = {"step": self._at(state.place)}
            yield say("always-in-evaluation" if new else "left-in-evaluation", where, lines, **seen)

    def _shared(self, key: str, place: int, lines: Mapping[str, Location | None]) -> Observed:
        at = self._at(place)
        text = self._sources.expression(at) if at is not None and at.column is not None else "model.state_dict()"
        return say(key, at, lines, edits=edits.copied(at, self._sources), text=text)

    def _states_and_loads(self) -> Iterator[Observed]:
        """States that share the memory of the model, or have other names than it has."""
        loads, told = self._effects.of("load"), set[int]()
        for load in loads:
            if load.before is not None and load.before[1] > 0 and load.before[0] not in told:
                told.add(load.before[0])
                yield self._shared("state-shared", load.before[0], {"loaded": self._at(load.place)})
            where, at = self._at(load.place), load.place
            own = load.before is not None and load.before[1] == 0 and at not in told
            merged = self._merged(where) if own else None
            second = self._second_name(self._at(load.before[0]), where) if own else None
            if second is not None:
                told.add(at)
                yield say("loaded-from-itself", second[2], {"load": where}, one=second[0], other=second[1])
            elif merged is not None and where is not None:
                told.add(at)
                yield say("load-own", where, {"merged": merged}, name=self._called(where))
            elif own and load.calls > 1 and where is not None and self._is_one_call(where, self._at(load.before[0])):
                told.add(at)
                yield say("load-itself", where, name=self._called(where))
        for taken in self._effects.of("state"):
            if taken.found is not None and taken.place not in told and taken.place != taken.found:
                told.add(taken.place)
                yield self._shared("state-moved", taken.place, {"saved": self._at(taken.found)})
        for load in loads:
            where = self._at(load.place)
            if load.after is None or where is None or load.place in told:
                continue
            told.add(load.place)
            given, lost, renaming = load.after
            call = call_at(self._sources, where)
            text = ast.unparse(call.args[0]) if call is not None and call.args else "state"
            advice = "compare the names in the state with those of `state_dict()`, and rename them"
            yield say(
                "load-nothing" if lost == given else "load-part",
                where,
                name=self._called(where),
                given=given,
                lost=lost,
                matched=renaming.matched if renaming is not None else 0,
                difference=renaming.difference if renaming is not None else "",
                advice=renaming.advice(text if len(text) <= _LONG else "state") if renaming is not None else advice,
            )

    def _is_one_call(self, where: Location, taken: Location | None) -> bool:
        """Whether the state that is loaded at a line is taken there, too, and handed over as it is."""
        call = call_at(self._sources, where)
        given = call.args[0] if call is not None and call.args else None
        return isinstance(given, ast.Call) and given is call_at(self._sources, taken)

    def _merged(self, where: Location | None) -> Location | None:
        """Where other values are put into the state that is loaded at a line, in the same function."""
        call = call_at(self._sources, where) if where is not None else None
        function = self._sources.function(where) if where is not None else None
        if call is None or where is None or len(call.args) != 1 or not isinstance(call.args[0], ast.Name):
            return None
        wanted = f"{call.args[0].id}.update"
        nodes = ast.walk(function) if function is not None else self._sources.nodes(where.file)
        found = [each for each in nodes if isinstance(each, ast.Call) and ast.unparse(each.func) == wanted]
        return self._sources.place(where.file, found[0]) if len(found) == 1 else None

    def _second_name(self, taken: Location | None, load: Location | None) -> tuple[str, str, Location] | None:
        """The assignment that made two names of the model whose state is taken by one and loaded by the other."""
        calls = [call_at(self._sources, each) if each is not None else None for each in (taken, load)]
        names = {ast.unparse(each.func.value) for each in calls if each and isinstance(each.func, ast.Attribute)}
        for node in self._sources.nodes(load.file) if load is not None and len(names) == 2 else ():
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                one, other = ast.unparse(node.value), ast.unparse(node.targets[0])
                if {one, other} == names and load is not None:
                    return one, other, self._sources.place(load.file, node)
        return None

    def _ignored(self) -> Iterator[Observed]:
        """Functions that are applied to modules in vain."""
        for effect in self._effects.of("apply"):
            where = self._at(effect.place)
            if effect.vain == effect.calls and where is not None:
                yield say("apply-nothing", where, name=self._called(where), kind=effect.of)

    # -- text ----------------------------------------------------------------------------------------------------

    def _called(self, where: Location) -> str:
        call = call_at(self._sources, where)
        text = ast.unparse(call.func) if call is not None else ""
        return f"`{text}`" if 0 < len(text) <= _LONG else "this call"


def _listed(names: Any) -> str:
    return " and ".join(f"`{each}`" for each in names[:2])


def _text(found: tuple[float, ...]) -> str:
    return ", ".join(f"{each:.3g}" for each in dict.fromkeys(found))


def _is_groups(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "param_groups"


def _freezes(node: ast.AST) -> bool:
    """Whether a statement or a call sets `requires_grad`."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]).endswith(".requires_grad")
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".requires_grad_")


def _names(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.Assign) and text in map(ast.unparse, node.targets)
