"""Writes the published JSON Schema of the report from the types in `tensorwhy.model.report`."""

import json
from pathlib import Path

import tensorwhy.model
from tensorwhy.model.report import json_schema

path = Path(tensorwhy.model.__path__[0], "report.schema.json")
path.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")
print(f"wrote {path}")
