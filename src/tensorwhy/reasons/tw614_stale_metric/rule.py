"""TW614 stale-metric: a reported metric says something about other steps than the reader thinks."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import about

META = about(
    __name__,
    summary="A reported metric still counts earlier passes over the data, or no step updates it.",
    severity="warning",
)
