"""Builds HTML that cannot be injected into: text is escaped where it enters, and only `Html` passes as it is.

The same markup dresses two ways. In a page, a class name stays a class name. In a notebook, where neither ids nor
style sheets can be relied on, it becomes an inline style.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

from tensorwhy.rendering.text import safe


class Html(str):
    """Text that is already HTML."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]

_VOID = frozenset({"br", "hr", "meta", "wbr"})


def escape(text: str) -> Html:
    """The text as HTML, safe between tags and inside quoted attributes, with control characters spelled out."""
    if isinstance(text, Html):
        return text
    shown = html.escape("\n".join(safe(line) for line in text.splitlines()), quote=True)
    return Html(_LOG_COMMAND.sub("&#58;:", shown) if "\n" in shown else shown)


_LOG_COMMAND = re.compile(r"(?m)(?:^|(?<=\s))::(?=[A-Za-z])")
"""What begins a line of a page that is printed into GitHub's log would be a command."""


class Markup:
    """Makes elements. With `inline`, classes become the inline styles they stand for, and ids are dropped."""

    def __init__(self, inline: Mapping[str, str] | None = None) -> None:
        self._inline = inline

    @property
    def static(self) -> bool:
        """Return whether the result must do without a style sheet and a script."""
        return self._inline is not None

    def __call__(self, tag: str, classes: str = "", *children: Child, **attributes: str | int | bool | None) -> Html:
        """One element. Attribute names are given with `_` for `-` and may end in `_`; None and False leave one out."""
        shown = [f"<{tag}"]
        if self._inline is None:
            if classes:
                shown.append(f' class="{escape(classes)}"')
        else:
            style = ";".join(self._inline[name] for name in classes.split() if name in self._inline)
            if style:
                shown.append(f' style="{escape(style)}"')
        for name, value in attributes.items():
            name = name.rstrip("_").replace("_", "-")
            if value is None or value is False or (self.static and (name in ("id", "href") or name[:5] == "data-")):
                continue
            shown.append(f" {name}" if value is True else f' {name}="{escape(str(value))}"')
        shown.append(">")
        if tag not in _VOID:
            shown.append(join(children))
            shown.append(f"</{tag}>")
        return Html("".join(shown))

    def prose(self, text: str) -> Html:
        """A sentence in which backticks mark code."""
        parts = text.split("`")
        if len(parts) % 2 == 0:  # an unpaired backtick: show the text as it is
            return escape(text)
        if not all(parts[1::2]):  # nothing between two backticks: they mark no code
            return escape(text)
        return join(self("code", "code", part) if index % 2 else part for index, part in enumerate(parts))


def join(children: Iterable[Child]) -> Html:
    """Children, one after the other, each escaped unless it is HTML already."""
    parts: list[str] = []
    for child in children:
        if child is None:
            continue
        parts.append(escape(child) if isinstance(child, str) else join(child))
    return Html("".join(parts))
