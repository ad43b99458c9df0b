"""Settings that reach no parameter: `requires_grad` of a module, or of a tensor that only shares memory with one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j


class IgnoredSettings(Reader):
    """Reads what was set in vain, at the end of a run in which optimizers made steps."""

    def facts(self) -> Iterator[Observed]:
        """One fact for each optimizer and line."""
        for state in self._states:
            numbers = {*state.members.values()}
            for place, (held, name) in self._session.modules.misnamed.items():
                if held & numbers:
                    where, text = self._setting(self._at(place), name)
                    yield say("attribute-ignored", where, {"step": self._at(state.place)}, name=text, kind=state.kind)
        yield from self._beside()

    def _beside(self) -> Iterator[Observed]:
        """What was set for a result of `detach()` or `.data`, which nothing used after that."""
        recorder, journal = self._recorder, self._session.journal
        found: dict[int, list[int]] = defaultdict(list)
        for leaf, aside in recorder.set_aside.items():
            requires = leaf not in recorder.frozen
            if leaf in self._members and requires is not aside.value:
                found[aside.place].append(leaf)
        first = min((recorder.set_aside[each].row for numbers in found.values() for each in numbers), default=0)
        used = (
            {number for event in journal.events(first) if event.kind == j.OP for number in event.inputs}
            if found
            else set()
        )
        for place, numbers in found.items():
            left = [each for each in numbers if recorder.set_aside[each].tensor not in used]
            step = next((self._at(state.place) for state in self._states if {*left} & {*state.members.values()}), None)
            if left:
                value = recorder.set_aside[left[0]].value
                about = [self._ref(each) for each in left]
                name = f"`{about[0].name}`" if about[0].name else "a parameter"
                does = "does not train it" if value else "still trains it"
                yield say("set-aside", self._at(place), {"step": step}, about, value=value, name=name, does=does)

    def _setting(self, made: Location | None, name: str) -> tuple[Location | None, str]:
        """The line that sets `requires_grad` of a module to False, and what it calls the module."""
        found = defaultdict[str, list[Location]](list)
        for node in self._sources.nodes(made.file) if made is not None else ():
            if isinstance(node, ast.Assign) and made is not None and isinstance(node.targets[0], ast.Attribute):
                target = node.targets[0]
                if target.attr == "requires_grad" and ast.unparse(node.value) == "False":
                    found[ast.unparse(target.value)].append(self._sources.place(made.file, node))
        for text, places in found.items():
            if text.rpartition(".")[2] == name.rpartition(".")[2] or len(found) == 1:
                return places[0], text
        return made, name or "module"
