"""An operation is named as the user wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.operations import as_written
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


@pytest.mark.parametrize(
    ("text", "op", "shown"),
    [
        ("x > 0", "Greater", "`>` (Greater)"),
        ("-x", "Neg", "`-` (Neg)"),
        ("tf.argmax(x, -1)", "ArgMax", "`tf.argmax`"),
        ("tf.one_hot(x, 3)", "OneHot", "`tf.one_hot`"),
        ("layer(x)", "Round", "`layer` (Round)"),
        ("tf.gather(x, i)", "GatherV2", "`tf.gather`"),
        ("x[mask]", "StridedSlice", "`x[mask]` (StridedSlice)"),
    ],
)
def test_what_stands_at_the_line_is_named(text: str, op: str, shown: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"y = {text}\n")
    place = Location(file=str(file), line=1, column=4, end_line=1, end_column=4 + len(text))
    assert as_written(op, place, Sources()) == shown


def test_without_columns_there_is_only_the_kernel(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("y = x > 0\n")
    assert as_written("Greater", Location(file=str(file), line=1), Sources()) == "`Greater`"
