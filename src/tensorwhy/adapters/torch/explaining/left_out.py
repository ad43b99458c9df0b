"""Parameters that get a gradient, and that no optimizer was given."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.torch.operations.kinds import STOPS
from tensorwhy.adapters.torch.operations.rules import CUT
from tensorwhy.adapters.torch.recording.modules import Hidden
from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit, TensorRef
from tensorwhy.recording import journal as j
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources
from tensorwhy.source.reading import argument

_LONG = 60
CONTAINERS = {"list": "nn.ModuleList", "tuple": "nn.ModuleList", "set": "nn.ModuleList", "dict": "nn.ModuleDict"}


class LeftOut(Reader):
    """Reads which parameters optimizers have, at the end of a run in which some made steps."""

    def facts(self) -> Iterator[Observed]:
        """Parameters that get a gradient, and that no optimizer was given."""
        hidden: dict[tuple[str, str, int], list[tuple[int, Hidden]]] = defaultdict(list)
        modules = self._session.modules
        late: list[int] = []
        outside: list[int] = []
        around, changed = modules.given(self._members), self._changed_by_hand()
        given = self._session.training.given()
        replaced = {name for each in self._members if (name := modules.names.get(each)) is not None}
        new = {number: state for number, state in self._session.replaced.found.items() if number not in given}
        for state in dict.fromkeys(new.values()):
            yield self._replaced(state, [number for number, each in new.items() if each is state])
        for number, reference in self._recorder.parameters.items():
            parameter = reference()
            if number in given or number in changed or number in new or modules.names.get(number) in replaced:
                continue
            if parameter is not None and parameter.grad is not None:
                held = modules.hidden(parameter, around)
            elif number in modules.without_optimizer and (parameter is None or parameter.requires_grad):
                held = modules.without_optimizer[number]
            else:
                continue
            if held is not None:
                attribute = held.path.partition("[")[0] if not held.plain else held.path.split(".")[1]
                hidden[attribute, held.plain or held.container, held.owner_number].append((number, held))
            elif number in self._names and number in self._recorder.born and self._is_late(number):
                late.append(number)
            elif number in self._names and self._has_trained_siblings(number):
                outside.append(number)
        for (attribute, container, _), found in hidden.items():
            if found[0][1].plain:
                yield self._in_object(found)
            elif container == "Tensor":
                yield from (self._copied(number, held) for number, held in found)
            else:
                yield self._hidden(attribute, container, found)
        for numbers in self._by_place(late):
            yield self._plain("created-too-late", numbers)
        roots: dict[int, list[int]] = defaultdict(list)
        for number in outside:
            roots[self._session.modules.names[number][2]].append(number)
        for root, numbers in roots.items():
            if self._is_forgotten(root, numbers) and not self._are_picked():
                yield self._plain("forgotten", numbers)
            else:
                yield from (self._plain("in-no-optimizer", each) for each in self._by_place(numbers))

    def _is_late(self, number: int) -> bool:
        """Whether a parameter of a module that an optimizer has others of was made after that optimizer."""
        first = min((state.born for state in self._states), default=0)
        return number > first and self._has_trained_siblings(number)

    def _has_trained_siblings(self, number: int) -> bool:
        root = self._session.modules.names[number][2]
        names = self._session.modules.names.items()
        return any(place == root and other in self._members for other, (_, _, place) in names if other != number)

    def _is_forgotten(self, root: int, numbers: list[int]) -> bool:
        """Whether an optimizer has most of a module, and what it lacks is used after that: nobody freezes like this.

        Who trains only a head, or a few inputs, gives an optimizer the smaller part; what is frozen by leaving it out
        of a larger part comes first.
        """
        trained = [
            number
            for number, (_, _, place) in self._session.modules.names.items()
            if place == root and number in self._members
        ]
        used = [[self._used[each] for each in part if each in self._used] for part in (trained, numbers)]
        return len(trained) >= len(numbers) and all(used) and min(used[0]) < min(used[1])

    def _are_picked(self) -> bool:
        """Whether the program gives the optimizer single parameters by their names: then it means to leave some out."""
        made = self._at(self._states[0].made)
        call = call_at(self._sources, made) if made is not None else None
        given = argument(call, 0, "params") if call is not None else None
        return isinstance(given, (ast.List, ast.Tuple)) and all(isinstance(each, ast.Attribute) for each in given.elts)

    @functools.cached_property
    def _used(self) -> dict[int, int]:
        """The first row in which each tensor was used, other than for a copy of its value."""
        found: dict[int, int] = {}
        names = self._session.journal.names
        for event in self._session.journal.events():
            if event.kind <= j.RECORDED and event.outputs and names[event.name].removesuffix(CUT) not in STOPS:
                for number in event.inputs:
                    found.setdefault(number, event.index)
        return found

    def _by_place(self, numbers: Iterable[int]) -> Iterable[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number in numbers:
            found[self._recorder.made.get(number, -1)].append(number)
        return found.values()

    def _hidden(self, attribute: str, container: str, found: list[tuple[int, Hidden]]) -> Observed:
        first = found[0]
        bare = first[1].path.count(".") == 1
        wanted = (
            CONTAINERS[container] if not bare else ("nn.ParameterDict" if container == "dict" else "nn.ParameterList")
        )
        made = self._made(first[0])
        return say(
            "in-container",
            made,
            about=[self._parameter(number, held.path) for number, held in found],
            edits=_wrapped(self._sources, made, attribute, wanted),
            name=f"`{first[1].path}`{_more(found)}",
            attribute=attribute,
            owner=first[1].owner,
            container=container,
            wanted=wanted,
        )

    def _copied(self, number: int, held: Hidden) -> Observed:
        about = [self._parameter(number, held.path)]
        return say("copied-parameter", self._made(number), about=about, name=f"`{held.path}`", owner=held.owner)

    def _in_object(self, found: list[tuple[int, Hidden]]) -> Observed:
        number, held = found[0]
        listed = f", and keep its instances in `{CONTAINERS[held.container]}`" if held.container in CONTAINERS else ""
        return say(
            "in-object",
            self._made(number),
            about=[self._parameter(each, place.path) for each, place in found],
            name=f"`{held.path}`{_more(found)}",
            plain=held.plain,
            owner=held.owner,
            listed=listed,
        )

    def _replaced(self, state: State, numbers: list[int]) -> Observed:
        """New parameters of a model whose optimizer goes on with those before them."""
        made, optimizer = self._made(numbers[0]), self._at(state.made)
        at = self._attached(made, self._session.modules.names[numbers[0]][0])
        lines = {"optimizer": optimizer, "step": self._at(state.place), "source": made if at is not None else None}
        about = [self._parameter(number, self._names[number]) for number in numbers]
        call = call_at(self._sources, optimizer)
        text = ast.unparse(call) if call is not None else ""
        again = f": `{text}`" if 0 < len(text) <= _LONG and "parameters()" in text else ""
        name = f"`{self._names[numbers[0]]}`{_more(numbers)}"
        return say("replaced", at or made, lines, about, name=name, again=again, kind=state.kind)

    def _attached(self, made: Location | None, name: str) -> Location | None:
        """The only assignment in the function that creates a layer to an attribute on the path of its parameter."""
        function = self._sources.function(made) if made is not None else None
        path = name.split(".")[:-1]
        found = [
            self._sources.place(made.file, node)
            for node in (ast.walk(function) if function is not None else ())
            if made is not None
            and isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Attribute)
            and node.targets[0].attr in path
        ]
        return found[0] if len(found) == 1 else None

    def _plain(self, key: str, numbers: list[int]) -> Observed:
        """Parameters and the first optimizer: at that if they are forgotten, else where they are created."""
        made, optimizer = self._made(numbers[0]), self._at(self._states[0].made)
        about = [self._parameter(number, self._names[number]) for number in numbers]
        lines = {"optimizer": optimizer, "source": made}
        name = f"`{self._names[numbers[0]]}`{_more(numbers)}"
        return say(key, optimizer if key == "forgotten" else made, lines, about, name=name)

    def _parameter(self, number: int, name: str) -> TensorRef:
        return self._ref(number, name, self._recorder.parameters[number]())


def _more(found: list[Any]) -> str:
    return f" and {len(found) - 1} more parameters" if len(found) > 2 else " and 1 more parameter" * (len(found) - 1)


def _wrapped(sources: Sources, made: Location | None, attribute: str, wanted: str) -> tuple[Edit, ...]:
    """Put the list or dict that is assigned to an attribute into a container that modules look into."""
    for node in sources.nodes(made.file) if made is not None else ():
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or ast.unparse(node.targets[0]) != attribute:
            continue
        if made is None or not node.lineno <= made.line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node.value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple)):
            return edits.checked(edits.within(node.value, made.file, wanted, sources), sources)
    return ()
