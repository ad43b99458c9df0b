"""Text in terminal cells: what is safe to print, how wide it is, and how it wraps."""

from __future__ import annotations

from rich.cells import cell_len

from tensorwhy.model.plain_text import plain

_TAB = 4
_ASCII = {
    "…": "...",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u00d7": "x",
    "\u2192": "->",
}


def safe(text: str, unicode: bool = True) -> str:
    """The text as `plain` has it, on one line; ASCII only if need be."""
    shown = plain(text).replace("\n", "\\n")
    if unicode or shown.isascii():
        return shown
    return "".join(each if each.isascii() else _ASCII.get(each, "?") for each in shown)


def expand(text: str, unicode: bool = True) -> tuple[str, list[int]]:
    """The text as printed, tabs expanded, and for each code point the cell where it starts (and one for the end)."""
    printed: list[str] = []
    starts: list[int] = []
    width = 0
    for character in text:
        starts.append(width)
        piece = " " * (_TAB - width % _TAB) if character == "\t" else safe(character, unicode)
        printed.append(piece)
        width += cell_len(piece)
    starts.append(width)
    return "".join(printed), starts


def wrap(text: str, width: int, first: int | None = None) -> list[str]:
    """Lines of at most `width` cells (`first` for the first one), broken at blanks; a longer word is cut."""
    lines: list[str] = []
    line = ""
    room = width if first is None else first
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= room:
            line = joined
            continue
        if line:
            lines.append(line)
            room = width
        while cell_len(word) > room:
            head = crop(word, room)
            lines.append(head)
            word = word[len(head) :]
            room = width
        line = word
    if line or not lines:
        lines.append(line)
    return lines


def crop(text: str, width: int) -> str:
    """The longest beginning of at most `width` cells, but at least one character."""
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > width and index:
            return text[:index]
    return text
