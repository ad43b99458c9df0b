"""The HTML report: one file that opens offline, asks nothing of any server, and cannot be injected into.

`render` makes the page; `fragment` makes the part of it that a notebook shows under a cell.
"""

from __future__ import annotations

from tensorwhy.rendering.html.fragment import fragment
from tensorwhy.rendering.html.page import render

__all__ = ["fragment", "render"]
