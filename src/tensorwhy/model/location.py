"""Where in the user's source something happened.

Lines are 1-based, columns are 0-based and count code points, as in the report schema.
"""

from __future__ import annotations

import msgspec

_CELL = ".ipynb:cell "


def in_cell(file: str, number: int) -> str:
    """What takes the place of a file's name for a cell of a notebook: cells are counted from one."""
    return f"{file}:cell {number}"


def cell_of(file: str) -> tuple[str, str]:
    """The file that a name stands for, and the cell of it ("cell 3") where that is one of a notebook."""
    name, mark, number = file.rpartition(_CELL)
    return (f"{name}.ipynb", f"cell {number}") if mark and number.isdecimal() else (file, "")


class Location(msgspec.Struct, frozen=True, kw_only=True):
    """A range of source text. Columns are None where Python does not give them."""

    file: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    function: str = "<module>"

    @property
    def order(self) -> tuple[str, int, int]:
        """A key that sorts locations by file and position."""
        return (self.file, self.line, self.column or 0)

    @property
    def runs_once(self) -> str:
        """The method around it that runs once for each layer, `build` or `__init__`; empty in any other function."""
        name = self.function.rpartition(".")[2]
        return name if name in ("build", "__init__") else ""


class Marked(Location, frozen=True, kw_only=True):
    """A location with the words that a reader finds beside it.

    `role` is a short stable noun ("tape opened", "source", "used"), `label` the text under the caret.
    """

    label: str = ""
    role: str = ""

    @classmethod
    def at(cls, location: Location, label: str, role: str = "") -> Marked:
        """The same range of text, with words."""
        return cls(
            file=location.file,
            line=location.line,
            column=location.column,
            end_line=location.end_line,
            end_column=location.end_column,
            function=location.function,
            label=label,
            role=role,
        )
