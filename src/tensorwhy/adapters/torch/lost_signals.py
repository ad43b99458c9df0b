"""What the signal walk finds in the steps that were executed again: gradients that are zero or not finite."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from tensorwhy.adapters.torch.asking import Asked
from tensorwhy.adapters.torch.explaining import Explaining
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.signals import Site, leaves_of
from tensorwhy.adapters.torch.traits import WORDING
from tensorwhy.lineage.signal import Node
from tensorwhy.lineage.signal_facts import facts, group
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source

_STEADILY = 3
"""So many steps in a row a parameter that is trained gets a gradient of zero before it is one that is lost."""


class LostSignals:
    """Reads one session at its end."""

    wording = WORDING

    def __init__(self, session: Recording, explaining: Explaining) -> None:
        self._session = session
        self._recorder = session.recorder
        self._explaining = explaining
        self._sources = explaining.sources
        self._places: dict[int, tuple[int, int]] = {}
        self._states = list(session.training.states.values())
        self._waiting = self._never_stepped()
        self._members = {n for state in self._states for n in state.members.values()} | self._waiting
        self._stored = self._changed_by_hand()

    def groups(self) -> Iterator[CaseGroup]:
        """One group for each call site with a bad answer: what is not finite comes first."""
        told = set[int]()
        sites = self._session.asking.signals.sites.values()
        for kind in ("n", "z"):
            for site in sites:
                found = self._of(site, kind, told) if kind in site.steps else ()
                told.update(source.tensor for fact in found for source in fact.sources)
                if found:
                    yield group(found[0].question, found)

    def _of(self, site: Site, kind: str, told: set[int]) -> tuple[SignalBreak, ...]:
        bad = {number: row for number, (state, row) in site.bad.items() if state == kind}
        left = [number for number, row in bad.items() if number not in told and self._counts(site, number, kind, row)]
        if not left:
            return ()
        step = site.steps[kind]
        self._places = step.places
        steps = max(self._row(number, kind) or bad[number] for number in left)
        question = self._question(site, left, kind)
        return tuple(facts(self, question, step, steps, differentiated=site.differentiated))

    def _question(self, site: Site, left: list[int], kind: str) -> GradientQuestion:
        asked = Asked(
            call=site.call,
            event=site.events[kind],
            place=site.place,
            targets=site.targets,
            sources=tuple(left),
            positions=tuple(range(len(left))),
            asked=site.asked,
        )
        return self._explaining.question(asked)

    def _counts(self, site: Site, number: int, kind: str, row: int) -> bool:
        """Return whether a bad gradient does harm."""
        if number not in self._members:
            trained_elsewhere = bool(self._members) and number in self._recorder.parameters
            return not trained_elsewhere and row == site.looks
        if kind == "z":
            return self._row(number, kind) >= _STEADILY
        if number in self._waiting:
            return row >= _STEADILY
        return self._row(number, kind) > 0 or not self._is_finite(number)

    def _row(self, number: int, kind: str) -> int:
        rows = [state.bad[number][1] for state in self._states if state.bad.get(number, " ")[0] == kind]
        return max(rows, default=0)

    def _is_finite(self, number: int) -> bool:
        tensor = leaves_of([number], self._recorder).get(number)
        return tensor is None or bool(torch.isfinite(tensor.detach()).all())

    def _never_stepped(self) -> set[int]:
        """The parameters of optimizers that never made a step, although gradients were computed."""
        found = set[int]()
        known = self._recorder.serials.known
        for state in self._states:
            optimizer = state.optimizer() if not state.steps and not state.without_backward else None
            for group_ in optimizer.param_groups if optimizer is not None else ():
                found.update(number for each in group_["params"] if (number := known(each)) is not None)
        return found

    def _changed_by_hand(self) -> set[int]:
        journal = self._session.journal
        stored = (event for event in journal.events() if journal.names[event.name] in self._recorder.stores)
        return {event.inputs[0] for event in stored if event.place != self._recorder.made.get(event.inputs[0])}

    # -- what is known beside the numbers ------------------------------------------------------------------------

    def place(self, node: Node) -> tuple[Location | None, str]:
        """Return the user's line of an operation; of a ready-made module the line that made that, and its name."""
        place, owner = next((self._places[key] for key in node.outputs if key in self._places), (-1, 0))
        made = self._session.journal.location(self._session.modules.made.get(owner, -1)) if owner else None
        if made is not None:
            return made, self._session.modules.name_of(owner, self._sources)
        return self._session.journal.location(place), ""

    def created(self, source: Source) -> Location | None:
        """Return where a leaf was made."""
        return self._session.journal.location(self._recorder.made.get(source.tensor, -1))

    def is_trained(self, source: Source) -> bool:
        """Return whether an optimizer has a leaf, or the program changes it by hand."""
        return source.tensor in self._members or source.tensor in self._stored

    def is_unchanged(self, source: Source) -> bool:
        """Return whether the optimizer of a leaf never made a step."""
        return source.tensor in self._waiting and self._is_finite(source.tensor)
