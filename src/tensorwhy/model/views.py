"""How values of the model show themselves: in one line at a prompt, as text when printed, rich in a notebook.

What draws them lies above this room and imports it. `tensorwhy` itself sets `presenter` when it is imported; the
presenter is loaded when something is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from tensorwhy.model import plain_text, source_text

if TYPE_CHECKING:
    from tensorwhy.model.location import Location


class Presenter(Protocol):
    """Draws finished reports and histories; the module `tensorwhy.pipeline.presenting` is the one there is."""

    @property
    def text(self) -> Callable[[Any], str]:
        """A report as plain text."""

    @property
    def diagnoses(self) -> Callable[[Any], str]:
        """The diagnoses of a report as plain text."""

    @property
    def fragment(self) -> Callable[[Any], str]:
        """A report as a piece of HTML."""

    @property
    def page(self) -> Callable[[Any], str]:
        """A report as a whole HTML document."""

    @property
    def json(self) -> Callable[[Any], str]:
        """A report as JSON."""

    @property
    def show(self) -> Callable[[Any], None]:
        """Display a report."""

    @property
    def history(self) -> Callable[[Any], str]:
        """A history as a piece of HTML."""


presenter: Callable[[], Presenter]

_LONGEST = 100


def line(kind: str, words: str) -> str:
    """What a prompt shows of a value: its kind, and a short text in one line."""
    words = plain_text.plain(" ".join(words.split()))
    return f"<{kind}: {words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'}>"


cells: dict[str, str] = {}
"""The file of each cell of a notebook, by the name that people see (`In[3]`)."""


def excerpts(locations: Iterable[Location | None]) -> dict[str, dict[int, str]]:
    """The source lines of some locations, as far as Python itself would find them for a traceback."""
    found: dict[str, dict[int, str]] = {}
    for location in locations:
        if location is not None and (
            source := source_text.line(cells.get(location.file, location.file), location.line)
        ):
            found.setdefault(location.file, {})[location.line] = source.rstrip("\r\n")
    return found
