"""A trace may come from anybody: it is a report, or one clear line, in any case soon."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support import parquet
from tensorwhy.recording import regular_files
from tensorwhy.traces import merge, reader
from tensorwhy.traces.layout import DIAGNOSES, DIAGNOSIS_COLUMNS, MANIFEST, OPTIONAL
from traces import samples

pytestmark = parquet.needed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return samples.worker(tmp_path, "worker-0", samples.report(samples.diagnosis()), monkeypatch)


def report(folder: Path):
    return merge.report(reader.workers(str(folder.parent)), "0.1.0")


def rewrite(folder: Path, **changed: Any) -> None:
    """The table of diagnoses with other columns (name -> pyarrow array, or values of the usual type)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(folder / DIAGNOSES)
    for name, values in changed.items():
        at = table.schema.get_field_index(name)
        array = values if isinstance(values, pa.Array) else pa.array(values, table.schema.field(at).type)
        table = table.set_column(at, name, array)
    pq.write_table(table, folder / DIAGNOSES)


@pytest.mark.parametrize("name", sorted(set(DIAGNOSIS_COLUMNS) & set(merge.ASKED) - OPTIONAL))
def test_a_row_without_what_it_needs_is_refused(folder: Path, name: str) -> None:
    rewrite(folder, **{name: [None]})
    with pytest.raises(reader.BadTrace, match=name):
        report(folder)


def test_numbers_of_any_size_are_added_up(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rewrite(folder, seen=[2**62])
    table = pq.read_table(folder / DIAGNOSES)
    pq.write_table(pa.concat_tables([table] * 4), folder / DIAGNOSES)
    assert report(folder).diagnoses[0].seen > 10**9


def test_a_column_that_is_there_twice_is_refused(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(DIAGNOSIS_COLUMNS) * 2
    pq.write_table(pa.Table.from_arrays([pa.array(["x"])] * len(names), names=names), folder / DIAGNOSES)
    with pytest.raises(reader.BadTrace, match="more than one column"):
        report(folder)


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, 1.5, b"\xff\xfe", "\x1b[31m", None], ids=str)
def test_columns_of_other_types_are_refused(folder: Path, value: object) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({name: pa.array([value]) for name in DIAGNOSIS_COLUMNS}), folder / DIAGNOSES)
    with pytest.raises(reader.BadTrace):
        report(folder)


def test_what_was_not_read_is_told(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(folder / DIAGNOSES)
    many = pa.concat_tables([table] * 32_000)
    many = many.set_column(many.schema.get_field_index("finding"), "finding", pa.array(map(str, range(32_000))))
    pq.write_table(many, folder / DIAGNOSES)
    said = " ".join(report(folder).coverage.unobserved)
    assert "rows of the trace were not read" in said and "findings were omitted" in said


def pipe(path: Path) -> None:
    os.mkfifo(path)


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("name", [MANIFEST, DIAGNOSES])
@pytest.mark.parametrize("make", [pipe, zeros, link, sparse, directory])
def test_only_regular_files_of_some_size_are_read(folder: Path, name: str, make: Callable[[Path], None]) -> None:
    (folder / name).unlink()
    make(folder / name)
    with pytest.raises(reader.BadTrace):
        report(folder)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 11)
    with pytest.raises(OSError, match="larger than 10 bytes"):
        regular_files.read(tmp_path / "file", 10)


@pytest.mark.parametrize(
    "manifest", [b"[" * 5_000_000, b'{"schema":"tensorwhy.trace/1","variables":' + b"[" * 3_000_000]
)
def test_a_manifest_that_is_nested_without_end_is_refused(folder: Path, manifest: bytes) -> None:
    (folder / MANIFEST).write_bytes(manifest)
    with pytest.raises(reader.BadTrace):
        report(folder)


def test_a_name_that_is_no_text_is_written_as_one(folder: Path) -> None:
    from tensorwhy import rendering

    manifest = msgspec.json.decode((folder / MANIFEST).read_bytes())
    manifest["worker"] = "w\udcff"
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest | {"worker": "x"}).replace(b'"x"', b'"\\udcff"'))
    try:
        found = report(folder)
    except reader.BadTrace:
        return
    assert rendering.renderer("json")(found, rendering.Options()).encode()
