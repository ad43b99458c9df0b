"""Checks reports against the JSON Schema file that is shipped with the package."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema

import tensorwhy.model

PATH = Path(tensorwhy.model.__path__[0], "report.schema.json")


def check(report: Any) -> None:
    """Raises jsonschema.ValidationError when the report breaks the schema."""
    _validator().validate(report)


@functools.cache
def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(PATH.read_text(encoding="utf-8")))
