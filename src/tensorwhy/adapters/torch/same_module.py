"""One module under two names that a program uses as if they were two."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tensorwhy.adapters.torch.found_words import say
from tensorwhy.adapters.torch.rows import GRAPH
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.aliases import Alias, aliases
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_MOST = 200


class SameModule:
    """Reads at the end what each name was used for: by two optimizers, or only without a graph by one of them."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session = session
        self._sources = sources

    def facts(self) -> Iterator[Observed]:
        """One fact for each second name."""
        for alias in self._aliases():
            found = self._trained_twice(alias) or self._loaded(alias) or self._constant(alias)
            if found is not None:
                yield found

    def _aliases(self) -> list[Alias]:
        made = dict[int, Location]()
        for place in [*dict.fromkeys(self._session.modules.made.values())][:_MOST]:
            outer = (each.location for each in self._session.journal.chain(place))
            location = next((each for each in outer if ".__init__(" not in self._sources.expression(each)), None)
            if location is not None:
                made[place] = location
        found = [each for location in dict.fromkeys(made.values()) for each in aliases(self._sources, location)]
        return [*{each.place.order: each for each in found}.values()]

    def _trained_twice(self, alias: Alias) -> Observed | None:
        """An optimizer trains it under one name, a later one under the other, and then the first name is used again."""
        states = [state for state in self._session.training.states.values() if state.steps]
        by_name: dict[str, list[tuple[Location, set[int]]]] = defaultdict(list)
        for state in states:
            for frame in self._session.journal.chain(state.made):
                node = call_at(self._sources, frame.location) if self._is_in(frame.location, alias) else None
                if node is not None:
                    by_name[alias.reads(node)].append((frame.location, {*state.members.values()}))
                    break
        for first, members in by_name[alias.one]:
            for second, others in by_name[alias.other]:
                again = self._read_after(alias, second) if members & others and first.line < second.line else None
                if again is not None and alias.place.line < second.line:
                    lines = {"first": first, "second": second, "again": again}
                    return say("trained-twice", alias.place, lines, one=alias.one, other=alias.other)
        return None

    def _read_after(self, alias: Alias, line: Location) -> Location | None:
        """The first line after another at which the first name is read."""
        nodes = ast.walk(alias.function) if alias.function is not None else self._sources.nodes(line.file)
        found = [
            self._sources.place(line.file, node)
            for node in nodes
            if isinstance(node, (ast.Name, ast.Attribute))
            and isinstance(node.ctx, ast.Load)
            and node.lineno > line.line
            and ast.unparse(node) == alias.one
        ]
        return min(found, key=lambda each: each.line, default=None)

    def _loaded(self, alias: Alias) -> Observed | None:
        """The state of one name is loaded into the other one."""
        for load in self._session.training.effects.of("load"):
            call = call_at(self._sources, self._session.journal.location(load.place)) if load.before else None
            given = call.args[0] if call is not None and call.args else None
            if call is None or not isinstance(call.func, ast.Attribute) or not isinstance(given, ast.Call):
                continue
            into, taken = ast.unparse(call.func.value), ast.unparse(given.func).removesuffix(".state_dict")
            if {into, taken} == {alias.one, alias.other}:
                lines = {"load": self._session.journal.location(load.place)}
                return say(
                    "loaded-from-itself",
                    alias.place,
                    lines,
                    one=taken,
                    other=into,
                    source=alias.one,
                    target=alias.other,
                )
        return None

    def _constant(self, alias: Alias) -> Observed | None:
        """All results of one name that a loss uses are constants, and the other one is trained: no target network."""
        graphed: dict[str, Location] = {}
        constant: dict[str, Location] = {}
        lineage, leaves = self._session.lineage(), self._session.recorder.leaves
        asked = self._session.asking.backwards
        behind = set[int]().union(*(lineage.ancestors(each.targets, each.event) for each in asked))
        for event in self._session.journal.events():
            if event.kind > j.RECORDED or not behind & {*event.outputs} or not any(i in leaves for i in event.inputs):
                continue
            for frame in self._session.journal.chain(event.place):
                call = call_at(self._sources, frame.location)
                name = ast.unparse(call.func) if call is not None else ""
                if name in (alias.one, alias.other) and frame.location.file == alias.place.file:
                    kept = lineage.timeline.span(GRAPH, event.index, event.thread) is not None
                    cut = ast.unparse(call) + ".detach()" in self._statement(frame.location) if call else False
                    (graphed if kept and not cut else constant).setdefault(name, frame.location)
                    break
        only = constant.keys() - graphed.keys()
        if len(only) != 1 or len(graphed) != 1:
            return None
        (aside,), (trained,) = only, graphed.keys()
        lines = {"first": graphed[trained], "second": constant[aside]}
        return say(
            "target-is-the-same", alias.place, lines, one=trained, other=aside, source=alias.one, target=alias.other
        )

    def _statement(self, location: Location) -> str:
        statement = self._sources.statement(location)
        return ast.unparse(statement) if statement is not None else ""

    def _is_in(self, location: Location, alias: Alias) -> bool:
        return location.file == alias.place.file and self._sources.function(location) is alias.function
