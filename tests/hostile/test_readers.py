"""Whatever a reader is given, it ends soon, with a report or one clear line, and writes text only.

CI tries some thousand inputs; `make fuzz-readers N=100000` tries as many as one has time for.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hostile.commands import Commands, emptied
from hostile.inputs import NUMBERS, TEXTS, changed_bytes, changed_json, changed_lines
from rendering.reports import REPORTS
from support import parquet
from tensorwhy import rendering
from traces import samples

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no forks to run them in")

TRIES = int(os.environ.get("TENSORWHY_FUZZ", "2000"))
TESTS = Path(__file__).parents[1]
FORMATS = st.sampled_from(rendering.formats())


def tried(share: float) -> settings:
    """So much of all tries: the same ones, unless so many are asked for. What fails is not made smaller."""
    return settings(
        max_examples=max(int(TRIES * share), 1),
        deadline=None,
        derandomize="TENSORWHY_FUZZ" not in os.environ,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    commands = Commands(tmp_path_factory.mktemp("hostile"))
    yield commands
    commands.close()


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a real trace of one worker."""
    folder = tmp_path_factory.mktemp("trace")
    found = samples.report(
        samples.diagnosis(), samples.diagnosis(line=20, code="TW106", id="d2", together_with=("d1",))
    )
    with pytest.MonkeyPatch.context() as patch:
        worker = samples.worker(folder, "worker-0", found, patch)
    return {file.name: file.read_bytes() for file in worker.iterdir()}


REPORT_VALUES = [msgspec.to_builtins(make()) for make in REPORTS.values()]


@tried(0.25)
@given(data=st.one_of(*(changed_json(value) for value in REPORT_VALUES)), format_name=FORMATS)
def test_reports(commands: Commands, data: bytes, format_name: str) -> None:
    folder = emptied(commands.folder / "given")
    (folder / "report.json").write_bytes(data)
    commands.harmless("report", "--format", format_name, "report.json", cwd=folder)


@tried(0.05)
@given(data=st.one_of(*(changed_bytes(json.dumps(value).encode()) for value in REPORT_VALUES)), format_name=FORMATS)
def test_damaged_reports(commands: Commands, data: bytes, format_name: str) -> None:
    folder = emptied(commands.folder / "given")
    (folder / "report.json").write_bytes(data)
    commands.harmless("report", "--format", format_name, "report.json", cwd=folder)


def written(folder: Path, files: dict[str, bytes]) -> Path:
    worker = emptied(folder / "given") / "worker-0"
    worker.mkdir()
    for name, data in files.items():
        (worker / name).write_bytes(data)
    return worker


@parquet.needed
@tried(0.15)
@given(choice=st.data(), format_name=FORMATS)
def test_traces_with_other_words(commands: Commands, trace: dict[str, bytes], choice: Any, format_name: str) -> None:
    worker = written(commands.folder, trace)
    if choice.draw(st.booleans()):
        manifest = json.loads(trace["manifest.json"])
        (worker / "manifest.json").write_bytes(choice.draw(changed_json(manifest)))
    else:
        _with_columns(worker / "diagnoses.parquet", choice)
    commands.harmless("report", "--format", format_name, str(worker.parent), cwd=worker.parent)


DOCUMENTS = {
    "document": msgspec.json.encode(samples.diagnosis()),
    "excerpts": b'{"/work/train.py": {"12": "y = tf.stop_gradient(x)", "14": "g = tape.gradient(loss, w)"}}',
}
COLUMN_VALUES = st.one_of(
    st.sampled_from(TEXTS), st.sampled_from(NUMBERS), st.none(), st.sampled_from([[1], {"a": 1}, b"\xff"])
)


def _with_columns(file: Path, choice: Any) -> None:
    """Give some columns of the table other values, or other types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(file)
    for _ in range(choice.draw(st.integers(1, 3))):
        name = choice.draw(st.sampled_from(table.column_names))
        at = table.column_names.index(name)
        now = table.column(name)[0].as_py()
        if name in ("document", "excerpts") and now and choice.draw(st.booleans()):
            value: Any = choice.draw(changed_json(json.loads(DOCUMENTS[name]))).decode("utf-8", "replace")
        else:
            value = choice.draw(COLUMN_VALUES)
        try:
            column = pa.array([value] * table.num_rows)
        except (pa.ArrowException, OverflowError, UnicodeError):
            continue  # no table can hold it
        if choice.draw(st.booleans()):
            try:
                column = column.cast(table.schema.field(at).type)
            except pa.ArrowException:
                pass
        table = table.set_column(at, name, column)
    if choice.draw(st.booleans()):
        table = pa.concat_tables([table] * choice.draw(st.sampled_from([2, 600])))
    pq.write_table(table, file)


QUESTIONS = ("model.py:2", "model.py:2:weight", "encoder/kernel:0", "weight", "C:\\model.py:1", "nb.ipynb:cell 5:3")


@tried(0.05)
@given(
    text=st.one_of(
        st.sampled_from(TEXTS),
        st.sampled_from(QUESTIONS).flatmap(lambda text: changed_bytes(text.encode(), 3)).map(os.fsdecode),
        st.tuples(st.sampled_from(["model.py", "", "a" * 300, "\x1b[31m.py", "x.ipynb"]), st.sampled_from(NUMBERS)).map(
            lambda pair: f"{pair[0]}:{pair[1]}"
        ),
        st.sampled_from(["model.py:" + "9" * 5000, ":" * 3000, "model.py:1:" + "a." * 3000, "٣:٣", "model.py:٣"]),
        st.text(max_size=20),
    ),
    format_name=FORMATS,
)
def test_questions(commands: Commands, text: str, format_name: str) -> None:
    folder = emptied(commands.folder / "given")
    (folder / "model.py").write_text("weight = 1.0\nloss = weight * 2.0\n")
    options = ("--no-experiments", "--output", "report", "--format", format_name)
    code, _, _ = commands.harmless("run", *options, f"--ask={text}", "model.py", cwd=folder, report=folder / "report")
    assert code in (0, 2)


@parquet.needed
@tried(0.15)
@given(choice=st.data(), format_name=FORMATS)
def test_damaged_traces(commands: Commands, trace: dict[str, bytes], choice: Any, format_name: str) -> None:
    worker = written(commands.folder, trace)
    name = choice.draw(st.sampled_from(["manifest.json", "diagnoses.parquet", "diagnoses.parquet"]))
    how = choice.draw(st.sampled_from(["bytes", "bytes", "bytes", "bytes", "pipe", "link", "folder", "sparse", "gone"]))
    (worker / name).unlink()
    if how == "bytes":
        (worker / name).write_bytes(choice.draw(changed_bytes(trace[name])))
    elif how == "pipe":
        os.mkfifo(worker / name)
    elif how == "link":
        (worker / name).symlink_to(choice.draw(st.sampled_from(["/dev/zero", "/etc/passwd", name, "..", "/nowhere"])))
    elif how == "folder":
        (worker / name).mkdir()
    elif how == "sparse":
        with (worker / name).open("wb") as stream:
            stream.truncate(1 << 40)
    commands.harmless("report", "--format", format_name, str(worker.parent), cwd=worker.parent)


PROGRAMS = [
    path.read_text(encoding="utf-8")
    for path in [
        *sorted((TESTS / "checks" / "programs").glob("*.py")),
        *sorted((TESTS / "programs" / "broken").rglob("*.py")),
    ]
]


@tried(0.25)
@given(data=changed_lines(PROGRAMS), format_name=FORMATS, fix=st.sampled_from([(), (), ("--fix",), ("--diff",)]))
def test_sources(commands: Commands, data: bytes, format_name: str, fix: tuple[str, ...]) -> None:
    folder = emptied(commands.folder / "given")
    (folder / "model.py").write_bytes(data)
    commands.harmless("check", "--format", format_name, *fix, "model.py", cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["model.py"]
    assert "--fix" in fix or (folder / "model.py").read_bytes() == data


def notebook(program: str) -> dict[str, Any]:
    parts = program.split("\n\n\n")
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}]
    cells += [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": part.splitlines(keepends=True)} for part in parts
    ]
    kernel = {"kernelspec": {"language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}


@tried(0.1)
@given(
    data=st.sampled_from(PROGRAMS[::7]).flatmap(
        lambda text: st.one_of(changed_json(notebook(text)), changed_bytes(json.dumps(notebook(text)).encode()))
    ),
    format_name=FORMATS,
)
def test_notebooks(commands: Commands, data: bytes, format_name: str) -> None:
    folder = emptied(commands.folder / "given")
    (folder / "notes.ipynb").write_bytes(data)
    commands.harmless("check", "--format", format_name, "notes.ipynb", cwd=folder)
    assert (folder / "notes.ipynb").read_bytes() == data


CONFIG = {
    "select": ["TW101"],
    "ignore": ["TW102"],
    "exclude": ["build"],
    "fail-on": "error",
    "keep-steps": 3,
    "verbose": True,
}


LISTS = (["[a-" * 100_000], ["*a" * 200], [f"*{number}*" for number in range(90_000)], list(TEXTS))


@tried(0.05)
@given(choice=st.data())
def test_configurations(commands: Commands, choice: Any) -> None:
    folder = emptied(commands.folder / "given")
    text = "[tool.tensorwhy]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in CONFIG.items())
    name = choice.draw(st.sampled_from(list(CONFIG)))
    lines = [
        f"{name} = {json.dumps(choice.draw(st.sampled_from([*TEXTS, *NUMBERS, [], {}, [''], *LISTS])))}\n"
        if line.startswith(name)
        else line
        for line in text.splitlines(keepends=True)
    ]
    data = "".join(lines).encode("utf-8", "surrogatepass")
    data += choice.draw(
        st.sampled_from(
            [
                b"",
                b"a" + b".a" * choice.draw(st.sampled_from([2000, 300_000])) + b" = 1\n",
                b"x = " + b"[" * 900 + b"]" * 900 + b"\n",
                b"y = " + b"9" * 5000,
            ]
        )
    )
    data = choice.draw(changed_bytes(data)) if choice.draw(st.booleans()) else data
    (folder / "pyproject.toml").write_bytes(data)
    (folder / "model.py").write_text("import tensorflow as tf\n")
    commands.harmless("check", "model.py", cwd=folder)
