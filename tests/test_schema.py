"""The published JSON Schema of the report."""

from __future__ import annotations

import json

import jsonschema
import pytest

from support.schema import PATH, check
from tensorwhy.model.report import json_schema


def test_the_published_schema_is_that_of_the_report_type() -> None:
    assert json.loads(PATH.read_text(encoding="utf-8")) == json.loads(json.dumps(json_schema())), "run `make schema`"


def test_the_published_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_a_report_of_another_schema_is_refused() -> None:
    report = {"tool_version": "0", "program": {"path": "p.py"}, "environment": {"python": "3"}}
    check(report | {"schema": "tensorwhy.report/1"})
    with pytest.raises(jsonschema.ValidationError, match=r"tensorwhy\.report/2"):
        check(report | {"schema": "tensorwhy.report/2"})
