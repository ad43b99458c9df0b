"""Reasons that a command line names."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwhy.integrations.cli.errors import BadInput


def selected(codes: Sequence[str]) -> frozenset[str]:
    """The codes of the reasons that `--select` names, by code or slug. Raises BadInput."""
    from tensorwhy import reasons

    found = set()
    for code in codes:
        reason = reasons.find(code)
        if reason is None:
            raise BadInput(f"--select {code}: there is no such reason; `tensorwhy explain --list` shows all")
        found.add(reason.meta.code)
    return frozenset(found)
