"""What is wrong with a training although nothing was refused: parameters that no optimizer reaches, and the like."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tensorwhy.adapters.torch.explaining.effect_facts import EffectFacts
from tensorwhy.adapters.torch.explaining.fate_facts import FateFacts
from tensorwhy.adapters.torch.explaining.ignored_settings import IgnoredSettings
from tensorwhy.adapters.torch.explaining.left_out import LeftOut
from tensorwhy.adapters.torch.explaining.shared_values import SharedValues
from tensorwhy.adapters.torch.explaining.still_frozen import StillFrozen
from tensorwhy.adapters.torch.explaining.uncalled import Uncalled
from tensorwhy.adapters.torch.explaining.untrained import Untrained
from tensorwhy.adapters.torch.operations.kinds import CASTS, SAME_MEMORY
from tensorwhy.adapters.torch.operations.rules import STORE
from tensorwhy.adapters.torch.questions import loss_inputs, pairs
from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.adapters.torch.words.words import operation
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.answers.rebinding import rebound
from tensorwhy.source.reading import last_name

_CONVERTING = CASTS | {"cuda", "cpu", "clone", "contiguous"}


class Findings(Reader):
    """Reads all that a training may have lost."""

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each finding."""
        for fact in self._all():
            yield CaseGroup(symptom=Symptom(kind="silent", location=fact.location), facts=(fact,))

    def _all(self) -> Iterator[Observed]:
        yield from FateFacts(self._session, self._sources).facts()
        yield from EffectFacts(self._session, self._sources).facts()
        yield from self._session.training.loaders.facts(self._sources)
        yield from self._session.ties.facts(self._sources)
        yield from self._session.training.undone.facts(self._states)
        yield from self._session.asking.custom.facts(self._sources)
        yield from self._forced()
        yield from pairs.facts(self._session.asking.pairs.found.values(), self._recorder, self._sources)
        yield from loss_inputs.facts(self._session.asking.inputs, self._recorder, self._sources)
        yield from self._reads()
        yield from self._not_leaf()
        yield from self._overtaken()
        if self._states:
            yield from LeftOut(self._session, self._sources).facts()
            yield from Untrained(self._session, self._sources).facts()
            yield from StillFrozen(self._session, self._sources).facts()
            yield from IgnoredSettings(self._session, self._sources).facts()
            yield from Uncalled(self._session, self._sources).facts()
            yield from self._each_call()
            yield from self._onto_itself()
            yield from self._rebound()
            yield from SharedValues(self._session, self._sources).facts()
        yield from self._statistics()

    # -- tensors -------------------------------------------------------------------------------------------------

    def _forced(self) -> Iterator[Observed]:
        """A result without a graph was made a leaf, so that `backward` no longer raises."""
        asked = self._session.asking.backwards
        targets = {number for each in asked for number in each.targets}
        ends = {number for each in asked for number in each.forced}
        end, lineage = self._session.journal.position, self._session.lineage() if ends else None
        for number, place in self._recorder.forced.items():
            location = self._at(place)
            # A number that parameters were used for is a loss; any other tensor may be an input, unless asked itself.
            loss = number in self._recorder.numbers and number in ends and lineage is not None
            if loss and lineage is not None:
                loss = bool(lineage.ancestors((number,), end) & self._recorder.leaves.keys() - {number})
            if (loss or number in targets) and location is not None:
                yield say("forced-leaf", location, text=self._sources.expression(location))

    def _reads(self) -> Iterator[Observed]:
        """`.grad` of a tensor that is no leaf."""
        for place, number in self._session.asking.reads.items():
            made = self._made_by(number)
            read = self._at(place)
            if made is None or read is None or read.file != made.file:
                continue
            name = self._bound(made)
            lines, text = {"read": read}, name or self._sources.expression(made)
            again = name and self._binds_itself(made, name)
            copied = "" if again else self._copied(number)
            if copied:
                call = call_at(self._sources, made)
                how = f".{call.func.attr}(...)" if call is not None and isinstance(call.func, ast.Attribute) else ""
                yield say(copied, made, lines, name=name or "x", text=text, how=how)
                continue
            key = "rebound" if again else "not-retained"
            changed = edits.after(made, self._sources, f"{name}.retain_grad()") if name and not again else ()
            yield say(key, made, lines, edits=changed, name=name or "x", text=text)

    def _copied(self, number: int) -> str:
        """Whether a result is a leaf in another dtype, or on another device, that all steps use: then it is no result
        of theirs, but what was meant to be trained."""
        lineage = self._session.lineage()
        events = lineage.makers(number)
        name = self._session.journal.names[events[-1].name] if len(events) == 1 else ""
        leaf = next((each for each in events[-1].inputs if each in self._recorder.leaves), 0) if events else 0
        if not leaf or name not in _CONVERTING:
            return ""
        asked = self._session.asking.backwards
        uses = sum(number in lineage.ancestors(each.targets, each.event) for each in asked)
        if (
            (uses < 2 and len(asked) > 1)
            or leaf in self._session.modules.names
            or leaf in self._session.training.given()
        ):
            return ""
        return "copied-and-kept" if leaf in self._recorder.parameters else "converted-leaf"

    def _not_leaf(self) -> Iterator[Observed]:
        """An optimizer was given a result."""
        for place, number in self._session.training.refused:
            made = self._made_by(number)
            name = self._bound(made)
            what, at = f"`{name}`" if name else "a tensor", self._at(place)
            yield say("not-leaf", made or at, {"optimizer": at}, what=what)

    def _overtaken(self) -> Iterator[Observed]:
        """What `detach()` or `.data` gave, and is used once the values under it have changed."""
        journal, told = self._session.journal, set[int]()
        for number, found in self._recorder.overtaken.items():
            if found.taken.place in told or found.taken.place == found.place:
                continue
            uses = (e for e in journal.events(found.row) if e.kind == j.OP and number in e.inputs)
            used = next((each for each in uses if each.place not in (found.place, found.taken.place)), None)
            if used is not None:
                told.add(found.taken.place)
                lines = {"changed": self._at(found.place), "used": self._at(used.place)}
                by, name = "`.data`" if found.taken.by == "data" else "`detach()`", operation(found.name)
                yield say("overtaken", self._at(found.taken.place), lines, by=by, name=name)

    def _each_call(self) -> Iterator[Observed]:
        """Parameters that are made anew for each step, in `forward` or anywhere else, and that nobody asks for."""
        lineage, asking = self._session.lineage(), self._session.asking
        targets = tuple(number for each in asking.backwards for number in each.targets)
        used = lineage.ancestors(targets, self._session.journal.position)
        stepped, changed = self._session.modules.without_optimizer.keys(), self._changed_by_hand()
        looked_at, given = self._recorder.read | asking.asked_for | changed, self._session.training.given()
        by_place: dict[int, dict[int, int]] = defaultdict(dict)
        for number, born in self._recorder.born.items():
            if number in used and number not in given and self._recorder.serials.requires(number):
                by_place[self._recorder.made.get(number, -1)][born] = number
        for place, found in by_place.items():
            chain = self._session.journal.chain(place)
            if len(found) < 2 or not chain:
                continue
            lines = {"optimizer": self._at(self._states[0].made)}
            named = [(frame.location.function.rpartition(".")[2], frame.location) for frame in chain]
            where, at = next((each for each in named if each[0] != "__init__"), named[0])
            if any(name == "forward" for name, _ in named):
                yield say("created-each-call", chain[0].location, lines)
            elif lineage.ancestors(tuple(found.values()), self._session.journal.position) & given:
                continue  # made of what is trained: its lost gradient is what is told
            elif stepped & {*found.values()} and looked_at.isdisjoint(found.values()):
                inside = not where.startswith("<")
                how = f"in each call of `{where}`" if inside else "in each iteration"
                outside = f"outside of `{where}`" if inside else "before the loop"
                yield say("created-each-step", at, lines, how=how, outside=outside)

    def _onto_itself(self) -> Iterator[Observed]:
        """Parameters that get a copy of what they hold."""
        journal, lineage = self._session.journal, self._session.lineage()
        told = set[int]()
        for event in journal.events():
            if journal.names[event.name] == f"{STORE}copy_" and len(event.inputs) == 2 and event.place not in told:
                leaf, given = event.inputs
                while given != leaf and (made := lineage.makers(given)) and journal.names[made[-1].name] in SAME_MEMORY:
                    given = made[-1].inputs[0]
                call = call_at(self._sources, at := self._at(event.place)) if given == leaf else None
                if call is not None and last_name(call.func) == "copy_":
                    told.add(event.place)
                    yield say("copied-onto-itself", at, name=self._names.get(leaf, "") or self._owner(at, "it"))

    def _rebound(self) -> Iterator[Observed]:
        """Loops over parameters that change nothing, as they only bind their own variable."""
        for file in [file for file, own in self._recorder.places.files.items() if own]:
            for each in rebound(file, self._sources, "torch"):
                yield say("rebound-in-loop", each.made, {"loop": each.loop}, text=each.text, name=each.name)

    def _statistics(self) -> Iterator[Observed]:
        """Frozen layers whose running statistics move all the same."""
        found: dict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
        woken = self._session.training.effects.woken
        for number, kind in self._session.modules.moving.items():
            if (place := self._recorder.frozen.get(number)) is not None:
                name = self._names.get(number, "").removesuffix(".weight")
                found[place, woken.get(number, -1)].append((kind, name))
        for (place, again), kinds in found.items():
            at, turned, layers = self._at(place), self._at(again), _kinds(kinds)
            if turned is not None:
                yield say("frozen-statistics-again", turned, {"frozen": at}, layers=layers)
            else:
                yield say("frozen-statistics", at, layers=layers, owner=self._owner(at, "module"))

    # -- shared --------------------------------------------------------------------------------------------------

    def _made_by(self, number: int) -> Location | None:
        events = self._session.lineage().makers(number)
        return self._at(events[-1].place) if events else None

    def _binds_itself(self, location: Location, name: str) -> bool:
        statement = self._sources.statement(location)
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.expr):
            return False
        return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _kinds(kinds: list[tuple[str, str]]) -> str:
    kind, name = kinds[0]
    if len(kinds) > 1:
        return f"{len(kinds)} {kind} layers"
    return f"{kind} `{name}`" if name else f"this {kind}"
