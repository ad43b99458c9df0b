"""Explanations under notebook cells: `%load_ext tensorwhy`, `%%why`.

Once loaded, a cell that fails or gets a None gradient is followed by its explanation; other cells are not affected.
`%%why` at the top of a cell always asks for an answer. Only public parts of IPython are used: its events, what shows
tracebacks, and an input transformer that turns the line `%%why` into a comment before the cell runs. So a cell runs as
it would without the extension: same line numbers, same outputs, same exceptions.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from tensorwhy.model.plain_text import one_line
from tensorwhy.pipeline import Observation

_WHY = re.compile(r"\s*%%why\b[^\n]*\n?")
_KEY = "_tensorwhy_notebook"


class Notebook:
    """Observes one IPython shell from `load` to `unload`."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._observation = Observation(program="notebook")
        self._asked = False
        self._show: Any = None

    def load(self) -> None:
        """Observe from now on, including frameworks that are already imported."""
        self._shell.input_transformers_cleanup.insert(0, without_why)
        self._shell.events.register("pre_run_cell", self._before)
        self._shell.events.register("post_run_cell", self._after)
        self._shell.register_magic_function(self._why, "cell", "why")
        self._show, self._shell.showtraceback = self._shell.showtraceback, self._showtraceback
        self._observation.start()

    def unload(self) -> None:
        """Remove every hook."""
        self._shell.input_transformers_cleanup.remove(without_why)
        self._shell.events.unregister("pre_run_cell", self._before)
        self._shell.events.unregister("post_run_cell", self._after)
        self._shell.magics_manager.magics["cell"].pop("why", None)
        if vars(self._shell).get("showtraceback") == self._showtraceback:
            del self._shell.showtraceback
        self._observation.close()

    def _why(self, line: str, cell: str) -> None:
        """Run this cell and explain lost gradients, histories and graphs in it, or say that there are none."""
        # Called only by name (`run_cell_magic`): a cell that begins with %%why has met the transformer first.
        self._shell.run_cell("%%why\n" + cell).raise_error()

    def _showtraceback(self, *args: Any, **kwargs: Any) -> Any:
        """Look at an exception before it is shown: that takes the frames of our hooks out of its traceback."""
        exception = sys.exc_info()[1]
        if isinstance(exception, Exception) and not _of_the_shell(exception):
            self._guarded(lambda: self._observation.failed(exception))
        return self._show(*args, **kwargs)

    def _before(self, info: Any) -> None:
        self._asked = _WHY.match(info.raw_cell or "") is not None

    def _after(self, result: Any) -> None:
        self._guarded(lambda: self._explain(result.error_in_exec))

    def _guarded(self, look: Callable[[], None]) -> None:
        try:
            look()
        except Exception as error:  # the bulkhead: what fails here must not fail the user's cells
            unload_ipython_extension(self._shell)
            reason = one_line(f"{type(error).__name__}: {error}")
            print(f"tensorwhy: switched off because it failed ({reason})", file=sys.stderr)

    def _explain(self, exception: BaseException | None) -> None:
        if exception is not None and not _of_the_shell(exception):
            self._observation.failed(exception)
        report = self._observation.so_far()
        found = tuple(one for one in report.diagnoses if self._asked or one.severity != "note")
        if found or self._asked:
            msgspec.structs.replace(report, diagnoses=found).show()
        self._asked = False


def _of_the_shell(exception: BaseException) -> bool:
    """Return whether IPython itself refused the cell: a magic that does not exist, say."""
    return type(exception).__module__.partition(".")[0] == "IPython"


def without_why(lines: list[str]) -> list[str]:
    """Return the lines of a cell with a leading `%%why` turned into a comment; the other lines keep their numbers."""
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None or not _WHY.fullmatch(lines[first]):
        return lines
    return [*lines[:first], "# " + lines[first].lstrip(), *lines[first + 1 :]]


def load_ipython_extension(shell: Any) -> None:
    """Load the extension (`%load_ext tensorwhy`). Loading it twice changes nothing."""
    if getattr(shell, _KEY, None) is None:
        notebook = Notebook(shell)
        setattr(shell, _KEY, notebook)
        notebook.load()


def unload_ipython_extension(shell: Any) -> None:
    """Unload the extension (`%unload_ext tensorwhy`)."""
    notebook = getattr(shell, _KEY, None)
    if notebook is not None:
        delattr(shell, _KEY)
        notebook.unload()
