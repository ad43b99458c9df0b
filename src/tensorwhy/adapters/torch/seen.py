"""What the explanations read of a session, and what all have in common that read it at the end of a run."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch

from tensorwhy.adapters.torch.operations.kinds import STOPS
from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.recording.modules import Modules
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.training.replaced import Replaced
from tensorwhy.adapters.torch.training.steps import Training
from tensorwhy.adapters.torch.training.ties import Ties
from tensorwhy.adapters.torch.training.unheld import Unheld
from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.model.report import TensorRef
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_CLEARS = frozenset({"zero_", "fill_", "copy_", "mul_", "grad ="}) | STOPS


class Recording(Protocol):
    """One recording of one program."""

    journal: j.Journal
    recorder: Recorder
    asking: Asking
    training: Training
    modules: Modules
    replaced: Replaced
    unheld: Unheld
    ties: Ties

    def lineage(self) -> Lineage:
        """The index over everything that was recorded so far."""
        ...


class Reader:
    """Reads what hooks noted, once, at the end of a run."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session = session
        self._journal = session.journal
        self._recorder = session.recorder
        self._sources = sources
        self._states = [state for state in session.training.states.values() if state.steps]
        self._members = {number for state in self._states for number in state.members.values()}

    def _at(self, place: int) -> Location | None:
        return self._session.journal.location(place)

    def _chain(self, place: int) -> list[Location]:
        """The lines of a place, from the inside."""
        return [each.location for each in self._journal.chain(place)]

    @functools.cached_property
    def _names(self) -> dict[int, str]:
        """What the parameters are called, by number."""
        return self._session.modules.named(self._sources)

    def _op(self, event: Event) -> str:
        """The name of the function that a row is of."""
        return self._journal.names[event.name].partition("|")[0]

    def _made(self, number: int) -> Location | None:
        """Where a leaf was created."""
        return self._at(self._recorder.made.get(number, -1))

    def _computed_with(self) -> set[int]:
        """Leaves whose gradients the program computes with, more than to clear them."""
        grads, journal, found = self._recorder.grads, self._session.journal, set[int]()
        for event in journal.events():
            if event.kind <= j.EXIT and journal.names[event.name] not in _CLEARS:
                found.update(grads[number] for number in event.inputs if number in grads)
        return found

    def _changed_by_hand(self) -> set[int]:
        """The tensors that the program gave values of other tensors, or changed once there was a `backward`.

        What fills them with random numbers before that is a part of how they are made.
        """
        journal, recorder, asked = self._session.journal, self._recorder, self._session.asking.backwards
        first = asked[0].event if asked else journal.position
        return {
            event.inputs[0]
            for event in journal.events()
            if journal.names[event.name] in recorder.stores
            and event.place != recorder.made.get(event.inputs[0])
            and (event.index > first or any(number > 0 for number in event.inputs[1:]))
        }

    def _bound(self, location: Location | None) -> str:
        """The only name that the statements at a line bind."""
        names = self._sources.names(location) if location is not None else ()
        return names[0] if len(names) == 1 else ""

    def _owner(self, location: Location | None, unknown: str) -> str:
        """The object whose method is called at a line, as it is written."""
        call = call_at(self._sources, location)
        return ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else unknown

    def _only(self, places: Iterable[Location | None], is_wanted: Callable[[Any], bool]) -> Location | None:
        """The only statement or expression of this kind in the files of some places."""
        files = dict.fromkeys(each.file for each in places if each is not None)
        found = [(file, node) for file in files for node in self._sources.nodes(file) if is_wanted(node)]
        return self._sources.place(*found[0]) if len(found) == 1 else None  # type: ignore[arg-type]

    def _ref(self, number: int, name: str = "", tensor: Any = None) -> TensorRef:
        """A leaf, which may be gone by now."""
        known = isinstance(tensor, torch.Tensor)
        return TensorRef(
            name=name or self._names.get(number, ""),
            kind="variable" if number in self._recorder.parameters else "tensor",
            dtype=str(tensor.dtype).removeprefix("torch.") if known else "",
            shape=tuple(tensor.shape) if known else None,
            location=self._made(number),
        )


def reference(variable: Variable, name: str = "") -> TensorRef:
    """A leaf that the lineage knows."""
    return TensorRef(
        name=name or variable.name,
        kind="variable",
        dtype=variable.dtype,
        shape=variable.shape,
        location=variable.created,
    )
