"""docs/howto/traces.md names every table, column and kind of event that a trace has, and shows SQL that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import parquet
from tensorwhy.traces.columns import KINDS
from tensorwhy.traces.layout import DIAGNOSIS_COLUMNS, SCHEMA, TABLES
from traces import samples

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "traces.md"


def documented() -> dict[str, set[str]]:
    """Table -> the names in code style of its rows on the page."""
    found: dict[str, set[str]] = {}
    for block in re.split(r"\n\n", PAGE.read_text(encoding="utf-8")):
        if head := re.match(r"\| `(\w+)` \|", block):
            found[head[1]] = set(re.findall(r"`(\w+)`", block)) | {"worker"}
    return found


def test_the_page_names_every_column() -> None:
    tables = {**TABLES, "diagnoses": DIAGNOSIS_COLUMNS}
    page = documented()
    assert set(page) == set(tables)
    assert {name: set(columns) - page[name] for name, columns in tables.items()} == {name: set() for name in tables}


def test_the_page_names_the_version_and_every_kind_of_event() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"`{SCHEMA}`" in text
    assert [kind for kind in KINDS.values() if f"`{kind}`" not in text] == []


@parquet.needed
def test_the_queries_on_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    for name in ("worker-0", "worker-1"):
        samples.worker(tmp_path, name, samples.report(samples.diagnosis()), monkeypatch)
    for query in re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        rows = duckdb.connect().execute(query.replace("DIR", str(tmp_path))).fetchall()
    assert rows == [("worker-0", 2, 1), ("worker-1", 2, 1)]
