"""Leaves that get gradients again and again, and that no optimizer has, beside others that are trained.

Parameters that a module has beside those of an optimizer are told in `left_out`; these are all others: whole modules,
parameters outside of modules, plain tensors, and everything where an optimizer has no parameter at all.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.torch.seen import Reader, Recording
from tensorwhy.adapters.torch.training.unheld import Whole
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_OFTEN, _SHORT = 3, 40
_LOOKS = frozenset({"print", "zero_", "detach_"})
"""Calls that only show a gradient, or clear it."""


class Untrained(Reader):
    """Reads which leaves nobody trains, at the end of a run in which optimizers made steps."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        super().__init__(session, sources)
        self._leaves = session.training.fates.leaves
        self._unheld = session.unheld
        self._made_first = next((self._at(state.made) for state in self._states if state.members), None)

    def facts(self) -> Iterator[Observed]:
        """One fact for each optimizer without parameters, each module, and each attribute or name."""
        given = self._session.training.given()
        self._unheld.look(self._leaves, given)
        asked = self._session.asking.asked_for
        asked = asked | self._session.lineage().ancestors(tuple(asked), self._session.journal.position)
        used = given | asked | self._computed_with() | self._changed_by_hand()
        left = [number for number, leaf in self._leaves.items() if leaf.arrived and number not in used]
        left = [number for number in left if not self._leaves[number].steps]
        often = [number for number in left if self._leaves[number].arrived >= _OFTEN]
        empty = next((state for state in self._states if not state.members and state.steps >= _OFTEN), None)
        if empty is not None and often and (not self._members or all(number > empty.born for number in often)):
            yield self._empty(empty, often)
        elif self._members:
            yield from self._resting()
            yield from self._modules({*often})
            yield from self._bare({*often})

    # -- optimizers without parameters ---------------------------------------------------------------------------

    def _empty(self, state: Any, left: list[int]) -> Observed:
        """An optimizer without any parameter; where it was created before the first of those that it should have."""
        late, first = all(number > state.born for number in left), self._recorder.made.get(left[0], -1)
        one, other = _parting(self._chain(state.made), self._chain(first)) if late else (None, None)
        lines = {"earlier": one, "source": other or self._at(first), "step": self._at(state.place)}
        about = [self._about(number) for number in left]
        key = "empty-too-early" if late else "empty"
        return say(key, self._at(state.made), lines, about, name=_named(about), kind=state.kind, steps=state.steps)

    def _resting(self) -> Iterator[Observed]:
        """Optimizers of nothing but tensors that never required a gradient, which nobody froze."""
        for state in self._states:
            numbers = {*state.members.values()}
            still = numbers == state.resting and not numbers & (self._recorder.frozen.keys() | state.frozen.keys())
            if numbers and still and state.steps >= _OFTEN:
                call = call_at(self._sources, self._at(state.made))
                text = ast.unparse(call.args[0]).strip("[]") if call is not None and call.args else ""
                about = [self._ref(number) for number in sorted(numbers)]
                name = about[0].name or (text if len(about) == 1 and len(text) <= _SHORT else "")
                about[0] = msgspec.structs.replace(about[0], name=name)
                said, lines = f"`{name}`" if name else "what it was given", {"step": self._at(state.place)}
                made = self._at(state.made)
                yield say("never-required", made, lines, about, name=said, steps=state.steps, kind=state.kind)

    def _about(self, number: int, name: str = "") -> Any:
        name = name or self._names.get(number, "") or self._bound(self._made(number))
        return self._ref(number, name, self._leaves[number].tensor())

    # -- modules -------------------------------------------------------------------------------------------------

    def _modules(self, left: set[int]) -> Iterator[Observed]:
        """Modules of which no optimizer has anything.

        A network that others only look at has layers, and mostly its values from elsewhere. What has parameters of its
        own beside them, such as a loss, or a head that is smaller than what comes before it, is made to be trained.
        """
        found = [each for each in self._unheld.whole.values() if left.issuperset(each.numbers)]
        merged = self._merged({number for each in found for number in each.numbers})
        for each in found:
            behind = merged.issuperset(each.numbers) and each.size <= self._trained_with(each.numbers[0])
            if each.alone or behind:
                yield self._module(each)

    def _module(self, found: Whole) -> Observed:
        about = [self._about(number) for number in found.numbers]
        key, lines = "module-forgotten" if found.own else "head-forgotten", {"optimizer": self._made_first}
        return say(key, about[0].location, lines, about, name=_named(about), owner=found.own or found.kind)

    def _trained_with(self, number: int) -> int:
        """So many numbers those have that are trained by the last loss that a leaf is a part of."""
        lineage = self._session.lineage()
        behind = (lineage.ancestors(each.targets, each.event) for each in reversed(self._session.asking.backwards))
        found = next((each for each in behind if number in each), set[int]())
        return sum(self._unheld.sizes.get(each, 0) for each in found & self._members)

    def _merged(self, wanted: set[int]) -> set[int]:
        """Leaves that meet what is computed from trained ones, alone or with what comes from such leaves alone."""
        trained, pure, found = {*self._members}, {number: {number} for number in wanted}, set[int]()
        for event in self._session.journal.events() if wanted else ():
            given = [number for number in event.inputs if number > 0]
            if event.kind > j.RECORDED or not event.outputs or not given:
                continue
            behind = {leaf for number in given for leaf in pure.get(number, ())}
            if not trained.isdisjoint(given):
                found |= behind
                trained.update(event.outputs)
            elif behind and all(number in pure for number in given):
                pure.update(dict.fromkeys(event.outputs, behind))
        return found

    # -- tensors outside of modules ------------------------------------------------------------------------------

    def _bare(self, left: set[int]) -> Iterator[Observed]:
        """Plain tensors, and parameters that no module has."""
        others = any(state.steps in state.nones.values() for state in self._states)
        found = defaultdict[tuple[str, str], list[Any]](list)
        for number, each in self._unheld.bare.items():
            made = self._made(number) if number in left else None
            if made is None or self._is_read(number, made.file) or (not each.owner and self._is_data(number)):
                continue
            if each.owner or not others:  # what the optimizer has instead is told
                about = self._about(number, each.path)
                found[each.owner, each.path.partition("[")[0] or about.name].append(about)
        for (owner, _), about in found.items():
            key, lines = "plain-attribute" if owner else "plain-tensor", {"optimizer": self._made_first}
            more = f" and {len(about) - 1} more" if len(about) > 1 else ""
            yield say(key, about[0].location, lines, about, name=_named(about) + more, owner=owner)

    def _is_data(self, number: int) -> bool:
        """Whether a plain tensor only goes into layers: data that need no gradient, or latents, which look the same."""
        recorder, own, enters = self._recorder, {number}, False
        if number in recorder.parameters:
            return False
        for event in self._session.journal.events():
            if event.kind > j.RECORDED or own.isdisjoint(event.inputs):
                continue
            others = [each for each in event.inputs if each > 0 and each not in own and recorder.serials.requires(each)]
            if not others:
                own.update(filter(recorder.serials.requires, event.outputs))
            elif event.inputs[0] in own and recorder.parameters.keys() >= {*others}:
                enters = True
            else:
                return False
        return enters

    def _is_read(self, number: int, file: str) -> bool:
        """Whether the gradient of a leaf is looked at; where only a file says so, after recording came to rest.

        A plain tensor may be there for its gradient alone. Who prints that of a parameter still wants it trained.
        """
        parameter, nodes = number in self._recorder.parameters, self._sources.nodes(file)
        idle = {id(inner) for node in nodes if parameter and _only_looks(node) for inner in ast.walk(node)}
        idle |= {id(node.func) for node in nodes if isinstance(node, ast.Call)}  # `autograd.grad`
        reads = (node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "grad")
        written = any(isinstance(node.ctx, ast.Load) and id(node) not in idle for node in reads)
        return written or (not parameter and number in self._recorder.read)


def _only_looks(node: ast.AST) -> bool:
    """Whether what is below a node is only shown, cleared, or compared with None."""
    if isinstance(node, ast.Call):
        return (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) in _LOOKS
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot))


def _named(about: list[Any]) -> str:
    return f"`{about[0].name}`" if about[0].name else "this tensor"


def _parting(one: Iterable[Location], other: Iterable[Location]) -> tuple[Location | None, Location | None]:
    """Where two chains of calls, each from the inside, part in one function."""
    for first, second in zip(reversed([*one]), reversed([*other])):
        if first.order != second.order:
            same = first.file == second.file and first.function == second.function
            return (first, second) if same else (None, None)
    return None, None
