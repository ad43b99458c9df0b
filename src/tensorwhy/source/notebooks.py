"""Jupyter notebooks as one script: the code of their cells, in their order, without what only IPython understands.

The format is that of nbformat 4 (https://nbformat.readthedocs.io/en/latest/format_description.html).
"""

from __future__ import annotations

import ast
import bisect
import copy
import keyword
import linecache
import re
from typing import NamedTuple, TypeVar

import msgspec

from tensorwhy.model.location import in_cell

_KEPT = {"capture", "memit", "prun", "time", "timeit", "why"}
"""Magics of a whole cell that run its code as Python."""
_TIMED = re.compile(r"(\s*)%(?:time|timeit)\s+(?![-\s])(.+)", re.DOTALL)
_ASSIGNED = re.compile(r"(\s*[\w.,\s()\[\]]+=\s*)[!%](?!=)")
_AUTOMATIC = re.compile(r"(?:cat|cd|conda|cp|ls|mkdir|mv|pip|rm|rmdir)\s+[^\s=(\[].*")
_ALONE = re.compile(r"(?<=\bdef\s)[^\W\d]\w*|(?<=\bclass\s)[^\W\d]\w*|(?<![\w.])[^\W\d]\w*\b(?!\s*[.(\[])")
_SHELL = "get_ipython()"
"""What a magic becomes: some call of which nothing is known."""

_Node = TypeVar("_Node", bound="ast.expr | ast.stmt")


class NoNotebook(ValueError):
    """Says what a file that is called a notebook lacks."""


class NoPython(NoNotebook):
    """A notebook of another language: nothing is wrong with it."""


class Cell(NamedTuple):
    """A code cell. `number` counts all cells from one, as editors show them; `above` the lines before it."""

    number: int
    above: int
    lines: list[str]


class Notebook:
    """The code cells of a notebook. `text` is the script that they make together.

    `unread` says of each cell that is no Python what is wrong with it.
    """

    def __init__(self, cells: list[Cell], unread: list[str]) -> None:
        self._cells = cells
        self.unread = unread
        self._above = [cell.above for cell in cells]
        self.text = "".join(line for cell in cells for line in cell.lines)

    def placed(self, file: str, node: _Node) -> tuple[str, _Node]:
        """The name of the cell of a node of the script, and the node with lines that count from the cell's first."""
        cell = self._cells[bisect.bisect_left(self._above, node.lineno) - 1]
        name = in_cell(file, cell.number)
        linecache.cache[name] = len(cell.lines), None, cell.lines, name
        moved = copy.copy(node)
        moved.lineno -= cell.above
        moved.end_lineno = (node.end_lineno or node.lineno) - cell.above
        return name, moved


class _Cell(msgspec.Struct, frozen=True):
    cell_type: str
    source: str | list[str] = ""


class _Language(msgspec.Struct, frozen=True):
    name: str = "python"


class _Kernel(msgspec.Struct, frozen=True):
    language: str = "python"


class _Metadata(msgspec.Struct, frozen=True):
    language_info: _Language = _Language()
    kernelspec: _Kernel = _Kernel()


class _File(msgspec.Struct, frozen=True):
    nbformat: int
    cells: list[_Cell] = []
    metadata: _Metadata = _Metadata()


def read(data: bytes) -> Notebook:
    """Raises NoNotebook, also where no cell is Python."""
    try:
        file = msgspec.json.decode(data, type=_File)
    except msgspec.MsgspecError as error:
        raise NoNotebook(f"not a notebook: {error}") from None
    if file.nbformat != 4:
        raise NoNotebook(
            f"a notebook of format {file.nbformat}; `jupyter nbconvert --to notebook` converts it to format 4"
        )
    languages = {file.metadata.language_info.name, file.metadata.kernelspec.language} - {"python", "ipython"}
    if languages:
        raise NoPython(f"its language is {languages.pop()}")
    cells: list[Cell] = []
    unread: list[str] = []
    above = 0
    for number, each in enumerate(file.cells, start=1):
        if each.cell_type != "code":
            continue
        source = each.source if isinstance(each.source, str) else "".join(each.source)
        lines, wrong = _python(source)
        if wrong is not None:
            unread.append(f"cell {number}, line {wrong.lineno}: {wrong.msg}")
        cells.append(Cell(number, above, lines))
        above += len(lines)
    if unread and len(unread) == sum(any(line.strip() for line in cell.lines) for cell in cells):
        raise NoNotebook(unread[0])
    return Notebook(cells, unread)


def _python(source: str) -> tuple[list[str], SyntaxError | None]:
    """The lines of a cell as Python has them, and what is wrong where it is no Python."""
    lines = [f"{line}\n" for line in source.split("\n")]
    if _error(lines) is None:
        return lines, None
    lines = _without_magics(lines)
    error = _error(lines)
    return (lines if error is None else _unknown(lines)), error


def _unknown(lines: list[str]) -> list[str]:
    """As many lines, after which nothing is known of the names that the cell might give a value.

    Another Python may run the cell. It can rebind a name that stands somewhere alone: not called, not asked for a part.
    """
    names = dict.fromkeys(each for each in _ALONE.findall("".join(lines)) if not keyword.iskeyword(each))
    return [f"{''.join(f'{name} = ' for name in names)}{_SHELL}\n", *("\n" for _ in lines[1:])]


def _error(lines: list[str]) -> SyntaxError | None:
    try:
        ast.parse("".join(lines))
    except SyntaxError as error:
        return error
    return None


def _without_magics(lines: list[str]) -> list[str]:
    """As many lines, in which calls stand for what IPython does itself, without the indent of the first."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    magic = first.split()[0] if first.startswith("%%") else ""
    if magic and magic[2:] not in _KEPT:
        return [f"{_SHELL}\n", *("\n" for _ in lines[1:])]
    found: list[str] = []
    goes_on = False
    for line in (each.removeprefix(indent) for each in lines):
        text = line.strip()
        if goes_on:
            goes_on = text.endswith("\\")
            found.append("\n")
        elif text.startswith("%%"):
            found.append("\n")
        elif (timed := _TIMED.fullmatch(line)) is not None:
            found.append(f"{timed[1]}{timed[2]}")
        elif text.startswith(("%", "!", "?")) or _AUTOMATIC.match(text) or (text.endswith("?") and "#" not in text):
            found.append(f"{line[: len(line) - len(line.lstrip())]}{_SHELL}\n")
            goes_on = text.endswith("\\")
        elif (assigned := _ASSIGNED.match(line)) is not None:
            found.append(f"{assigned[1]}{_SHELL}\n")
            goes_on = text.endswith("\\")
        else:
            found.append(line)
    return found
