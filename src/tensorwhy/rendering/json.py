"""The report itself, as JSON of the schema `tensorwhy.report/1`."""

from __future__ import annotations

import msgspec

from tensorwhy.model.report import Report
from tensorwhy.rendering import Options


def render(report: Report, options: Options) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"
