"""Where the documentation of a reason is hosted: what codes lead to, in terminals and editors."""

from __future__ import annotations

DOCUMENTATION = "https://tensorwhy.readthedocs.io/en/latest"


def page(code: str, slug: str) -> str:
    """Return the name of a reason's page: its code and slug, which never change."""
    return f"{code.lower()}-{slug}"


def catalogue(code: str, slug: str) -> str:
    """Return the address of a reason's page."""
    return f"{DOCUMENTATION}/catalogue/{page(code, slug)}.html"
