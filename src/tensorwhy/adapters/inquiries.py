"""What all adapters do alike where somebody asks about one parameter, tensor or line."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.search import search
from tensorwhy.model.location import Location
from tensorwhy.model.report import PathStep
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.model.inquiry import Seen, Subject


class RecordedLines:
    """Reads one session: which lines of the program a row of the journal belongs to, and what they call things."""

    def __init__(self, journal: j.Journal, lineage: Lineage, sources: Sources) -> None:
        self._journal = journal
        self._lineage = lineage
        self._sources = sources

    def lines(self) -> Iterator[Location]:
        """Each user's line at which an operation was recorded."""
        for place in {event.place for event in self._journal.events() if event.kind <= j.RECORDED}:
            yield from self._chain(place)

    def _chain(self, place: int) -> tuple[Location, ...]:
        return tuple(frame.location for frame in self._journal.chain(place))

    def _called(self, created: Location | None) -> str:
        """What the program calls that which it creates at a line."""
        if created is None:
            return ""
        bound = self._sources.names(created)
        return self._sources.name(created) or (bound[0] if len(bound) == 1 else "")

    def _path(
        self, recorder: int, targets: tuple[int, ...], event: int, tensor: int, unwritten: Container[str] = ()
    ) -> tuple[PathStep, ...]:
        """The way from a target to a tensor, without steps of these kinds that nobody wrote."""
        return tuple(
            PathStep(op=step.edge.op, location=self._journal.location(step.edge.event.place), connected=not step.lost)
            for step in search(self._lineage, recorder, targets, event).path(tensor) or ()
            if step.lost or step.edge.op not in unwritten
        )


class Inquired:
    """A session that is asked, and hands the questions on."""

    def _inquiry(self) -> Any:
        raise NotImplementedError

    def subjects(self) -> Iterable[Subject]:
        yield from self._inquiry().subjects()

    def made_at(self, wanted: Callable[[Location], bool]) -> Iterable[Subject]:
        yield from self._inquiry().made_at(wanted)

    def lines(self) -> Iterable[Location]:
        yield from self._inquiry().lines()

    def seen(self, subject: Subject) -> Iterable[Seen]:
        yield from self._inquiry().seen(subject)

    def subject(self, thing: Any) -> Subject | None:
        found: Subject | None = self._inquiry().subject(thing)
        return found
