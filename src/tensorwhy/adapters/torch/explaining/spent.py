"""Why `backward` was refused although there is a graph: it was freed, or a value that it saved was changed in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tensorwhy.adapters.torch.operations.kinds import VIEWS, is_in_place
from tensorwhy.adapters.torch.operations.rules import STORE
from tensorwhy.adapters.torch.questions import keepers
from tensorwhy.adapters.torch.questions.asking import Asked, Backward
from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import operation
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source import reading
from tensorwhy.source.answers.calls import call_at

_LATER = (
    Fix(summary="change the parameter after `backward()`, or before what uses it is computed"),
    Fix(summary="or use it under `torch.no_grad()`, if what it computes is only a target"),
)
_SHORT = 40


class _Carried(NamedTuple):
    """A result that is used after what it was computed with has changed, or is gone, and what to do about it."""

    name: str
    location: Location | None
    made: Location | None
    fixes: tuple[Fix, ...]


class Spent(Reader):
    """Looks at the graph of a target while it is alive."""

    def facts(self, asked: Asked, stale: tuple[tuple[int, bool], ...]) -> Iterator[Observed]:
        """Facts about nodes that refuse: their numbers in the graph's sequence, and whether they were freed."""
        freed = all(each for _, each in stale)  # what a failing call went through itself is freed, too
        rows = [row for number, each in stale if each is freed and (row := self._recorder.event(number)) is not None]
        if freed:
            yield self._again(asked)
            return
        for row in rows:
            found = self._changed(row, asked)
            if found is not None:
                yield found
                return

    def _loss(self, asked: Asked) -> str:
        """What a call of `backward` is asked of, as it is written."""
        call = call_at(self._sources, self._at(asked.place))
        method = call is not None and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
        return f"`{ast.unparse(call.func.value)}`" if method else "the second loss"  # type: ignore[union-attr]

    # -- changed in place ----------------------------------------------------------------------------------------

    def _changed(self, used: Event, asked: Asked) -> Observed | None:
        saved = {*used.inputs, *used.outputs}
        memory = self._memory(saved)
        found = None
        for event in self._journal.events(used.index, asked.event):
            if event.kind != j.OP or event.index == used.index or not event.inputs:
                continue
            name = self._op(event)
            if not name.startswith(STORE) and not is_in_place(name):
                continue
            if event.inputs[0] in saved:
                found = event
                break
            if found is None and memory & self._memory({event.inputs[0]}):
                found = event
        if found is not None:
            return self._in_place(found, self._op(found).removeprefix(STORE), used, asked)
        own = self._session.asking.custom.own_change(used.index, self._sources)
        if own is not None:
            lines = {"used": self._at(used.place), "asked": self._at(asked.place)}
            return say("saved-then-changed-by-itself", own, lines, name=self._op(used))
        return self._stepped(used, saved, asked)

    def _memory(self, numbers: set[int]) -> set[int]:
        """Those tensors, and the ones that they may be views of."""
        lineage = self._session.lineage()
        found, stack = set(numbers), list(numbers)
        while stack:
            for event in lineage.makers(stack.pop()):
                name = self._op(event)
                if event.inputs and (name in VIEWS or is_in_place(name)) and event.inputs[0] not in found:
                    found.add(event.inputs[0])
                    stack.append(event.inputs[0])
        return found

    def _in_place(self, event: Event, name: str, used: Event, asked: Asked) -> Observed:
        location = self._at(event.place)
        text = self._sources.expression(location) if location is not None else name
        lines = {"used": self._at(used.place), "asked": self._at(asked.place)}
        known = event.inputs[0] in self._recorder.parameters
        made = self._recorder.calls.maker(event.outputs[0]) if event.outputs else None
        asked_for = made is not None and bool(made[1].kwargs.get("inplace") or made[1].owner)
        fixes = _LATER if known else (self._new_tensor(location, text, asked_for),)
        return say(
            "saved-then-changed", location, lines, fixes=fixes, name=operation(name), used=operation(self._op(used))
        )

    def _new_tensor(self, location: Location | None, text: str, asked_for: bool) -> Fix:
        """What to do about a change in place, as the statement is written, or `asked_for` by an argument."""
        caveat = "unless the value that was saved is not needed; then move the change before its use"
        if asked_for:
            return Fix(summary="make a new tensor: `inplace=False`, here or where the layer is created", caveat=caveat)
        lines = edits.new_tensor(location, self._sources)
        if lines is None:
            also = f" of `{text}`" if len(text) <= _SHORT else ""
            return Fix(summary=f"make a new tensor instead{also}, or change a `clone()`", caveat=caveat)
        return Fix(summary=lines[0], edits=lines[1], caveat=caveat)

    def _stepped(self, used: Event, saved: set[int], asked: Asked) -> Observed | None:
        """A step of an optimizer changed a parameter between the forward pass and this backward pass."""
        for state in self._session.training.states.values():
            members = {*state.members.values()}
            after = [row for row in state.step_rows if used.index < row <= asked.event]
            if not after or not saved & members:
                continue
            name = next((f"`{self._names[each]}`" for each in saved & members if each in self._names), "")
            lines = {"step": self._at(state.place), "asked": self._at(asked.place)}
            over = [each for each in self._entries(asked, after[-1]) if self._leads_to(each[2], used)]
            if over:
                carried = self._carried(over, after[-1], asked)
                lines["made"] = carried.made
                return say("carried-over-a-step", carried.location, lines, fixes=carried.fixes, name=carried.name,
                           changed=name or "parameters")  # fmt: skip
            lines["used"] = self._at(used.place)
            seen: dict[str, Any] = {
                "name": name or "a parameter",
                "parameter": name or "the parameter",
                "loss": self._loss(asked),
            }
            return say("stepped-between", lines["step"], lines, **seen)
        return None

    def _leads_to(self, given: int, used: Event) -> bool:
        """Whether a result was computed by way of a row."""
        found = self._session.lineage().ancestors((given,), self._journal.position) | {given}
        return bool(found & {*used.outputs})

    # -- a graph that was freed ----------------------------------------------------------------------------------

    def _again(self, asked: Asked) -> Observed:
        """The target reaches back into what an earlier `backward` went through and freed."""
        last = self._last(asked)
        entries = self._entries(asked, last.event) if last is not None else []
        if last is None or not entries:
            return self._second(asked, last)
        carried, asking = self._carried(entries, last.event, asked), self._session.asking
        lines = {"made": carried.made, "asked": self._at(asked.place)}
        event, maker, given = _first(entries)
        keeper = asking.keepers.get(given)
        named = keeper is not None and bool(keeper.attribute) and carried.name.endswith(f"{keeper.attribute}`")
        if keeper is None or named or (keeper.attribute and self._is_state(maker, given, last.event)):
            return say("carried-over", carried.location, lines, fixes=carried.fixes, name=carried.name)
        chain = [each.location for each in self._journal.chain(asked.place)]
        lines |= {"made": self._at(maker.place), "kept": keepers.location(keeper, chain, self._sources)}
        return say("kept-by-cache", self._at(event.place), lines, **keeper._asdict())

    def _second(self, asked: Asked, last: Backward | None) -> Observed:
        """Two losses of one forward pass, or one loss twice."""
        lines = {"asked": self._at(last.place) if last is not None else None}
        shared = self._shared(asked, last) if last is not None else []
        if not shared:
            return say("second-backward", self._at(asked.place), lines)
        event, maker, given = _first(shared)
        name, made, used = self._kept(event, maker, given), self._at(maker.place), self._at(event.place)
        lines |= {"made": made, "used": used if used != made else None}
        return say("shared-graph", self._at(asked.place), lines, name=f"`{name}`" if name else "a result")

    def _last(self, asked: Asked) -> Backward | None:
        """The call of `backward` before a question."""
        calls = self._session.asking.backwards
        earlier = calls[:-1] if asked.call == "backward" else calls
        return earlier[-1] if earlier else None

    def find_keepers(self, asked: Asked) -> None:
        """Note what keeps a result that is carried over, while that is alive."""
        last, asking = self._last(asked), self._session.asking
        entries = self._entries(asked, last.event) if last is not None else []
        given = _first(entries)[2] if entries else 0
        tensor = self._recorder.calls.living(given)
        if tensor is not None and given not in asking.keepers and (keeper := keepers.find(tensor)) is not None:
            asking.keepers[given] = keeper

    # -- what is carried over ------------------------------------------------------------------------------------

    def _carried(self, entries: list[tuple[Event, Event, int]], border: int, asked: Asked) -> _Carried:
        """The words for results from before a row of the journal that are used after it; those of the first one."""
        event, maker, given = _first(entries)
        made = self._keeping(maker) or self._at(maker.place)
        name = self._kept(event, maker, given)
        again = f"`{name}`" if name else "it"
        fix = (
            self._cut(entries, asked)
            if self._is_state(maker, given, border)
            else Fix(
                summary=f"compute {again} again for each `backward()`, and keep only what it is computed from",
                caveat="unless it should be a constant; then cut it with `detach()`, and it trains nothing",
            )
        )
        where = self._at(event.place)
        return _Carried(
            f"`{name}`" if name else "a result",
            where,
            made if made != where else None,
            (fix,),
        )

    def _cut(self, entries: list[tuple[Event, Event, int]], asked: Asked) -> Fix:
        """Detach all that is carried over, where it is put into what keeps it."""
        lines: dict[Location, list[str]] = {}
        stored = True
        for event, maker, given in entries:
            made, name = self._keeping(maker), self._kept(event, maker, given)
            several = made is not None and len(maker.outputs) > len(self._sources.names(made)) > 0
            at, kept = edits.keeping(made, name, self._at(asked.place), self._sources)
            stored = stored and at is not None
            cut = f"tuple(each.detach() for each in {kept})" if several else f"{kept}.detach()"
            place = at or made
            if place is not None and name and f"{kept} = {cut}" not in lines.setdefault(place, []):
                lines[place].append(f"{kept} = {cut}")
        texts = [f"`{text}`" for each in lines.values() for text in each]
        one = next(iter(lines)) if stored and len(lines) == 1 else None
        where = f"after line {one.end_line or one.line}" if one is not None else "after each `backward()`"
        return Fix(
            summary=f"detach it {where}: {' and '.join(texts) or '`x = x.detach()`'}",
            edits=edits.after(one, self._sources, *lines[one]) if one is not None else (),
            caveat="unless the gradient should go back through all steps; then call `backward()` once",
        )

    def _is_state(self, maker: Event, given: int, border: int) -> bool:
        """Whether what was carried over is followed by a value of the same line that is computed from it."""
        lineage = self._session.lineage()
        later = (each for each in self._journal.events() if each.index >= border and each.place == maker.place)
        return any(each.outputs and given in lineage.ancestors(each.outputs, each.index + 1) for each in later)

    def _entries(self, asked: Asked, border: int) -> list[tuple[Event, Event, int]]:
        """Where the computation of a target takes results that were made before a row of the journal."""
        return self._taken(asked, lambda _, makers: bool(makers) and makers[0].index < border, border)

    def _shared(self, asked: Asked, last: Backward) -> list[tuple[Event, Event, int]]:
        """Where the computation of a target takes results that an earlier call of `backward` went back through."""
        behind = self._session.lineage().ancestors(last.targets, last.event) | {*last.targets}
        if not (asked.whole and last.whole) or behind.intersection(asked.targets):
            return []
        return self._taken(asked, lambda _, makers: any(behind.intersection(each.outputs) for each in makers))

    def _taken(
        self, asked: Asked, is_one: Callable[[int, Sequence[Event]], bool], border: int = 0
    ) -> list[tuple[Event, Event, int]]:
        """The rows after the border that take such a result, each with the row that made it, and its number."""
        lineage, recorder = self._session.lineage(), self._recorder
        found: list[tuple[Event, Event, int]] = []
        seen, stack = set(asked.targets), list(asked.targets)
        while stack:
            tensor = stack.pop()
            for event in lineage.makers(tensor):
                if event.index < border or event.kind > j.RECORDED:
                    continue
                for given in event.inputs:
                    if given <= 0 or given in seen or given in recorder.leaves or not recorder.serials.requires(given):
                        continue
                    seen.add(given)
                    makers = lineage.makers(given)
                    if is_one(given, makers):
                        found.append((event, makers[0], given))
                    else:
                        stack.append(given)
        return found

    def _kept(self, event: Event, maker: Event, given: int) -> str:
        """What the program calls a result that it keeps: of several names, the one that is read where it is used."""
        used, kept = self._journal.chain(event.place), self._keeping(maker)
        names = self._sources.names(kept) if kept is not None else ()
        if len(names) == len(maker.outputs) > 1 and given in maker.outputs:
            return names[maker.outputs.index(given)]
        if len(names) == 1:
            return names[0]
        for frame in used:
            statement = self._sources.statement(frame.location)
            value = getattr(statement, "value", None)
            texts = {ast.unparse(each) for each in ast.walk(value)} if isinstance(value, ast.expr) else set()
            read = [each for each in names if each in texts]
            if len(read) == 1:
                return read[0]
        return ""

    def _keeping(self, maker: Event) -> Location | None:
        """The statement that gives a result its name: outward from where it is made, past what only returns it."""
        for frame in self._journal.chain(maker.place):
            statement = self._sources.statement(frame.location)
            value, node = getattr(statement, "value", None), reading.node_at(frame.location, self._sources)
            if not isinstance(statement, ast.Expr) and value is not None and node and not _is_whole(value, node):
                return None  # only what is computed from it has a name
            if not isinstance(statement, ast.Return):
                return frame.location
        return None


def _first(entries: list[tuple[Event, Event, int]]) -> tuple[Event, Event, int]:
    """The first row after an earlier `backward` that takes a result from before it, the row that made that, and its
    number."""
    return min(entries, key=lambda each: each[0].index)


def _is_whole(value: ast.expr, node: ast.expr) -> bool:
    """Return whether an expression gives the value of another one, or a part of it."""
    if ast.unparse(value) == ast.unparse(node):
        return True
    if isinstance(value, (ast.Tuple, ast.List)):
        return any(_is_whole(each, node) for each in value.elts)
    if isinstance(value, ast.IfExp):
        return _is_whole(value.body, node) or _is_whole(value.orelse, node)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return _is_whole(value.func.value, node)
    return isinstance(value, (ast.Subscript, ast.Attribute, ast.NamedExpr)) and _is_whole(value.value, node)
