"""What is advised for a loop variable that changes its shape fits how it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.reason import Case
from tensorwhy.model.facts.loops import LoopShapeChange
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom
from tensorwhy.reasons.tw503_loop_shape_invariant import rule
from tensorwhy.source.files import Sources


@pytest.mark.parametrize(
    ("line", "after", "advised"),
    [
        ("state = cell(x, state)", None, "start with the shape [?, 4]"),
        ("state = cell(x, state)", 5, "start with the shape [5, 4]"),
        ("state = longer(x, state)", 2, "`tf.TensorArray("),
        ("state = tf.concat([state, x], axis=0)", None, "`tf.TensorArray("),
    ],
)
def test_a_size_of_one_is_stretched_where_nothing_is_joined(
    tmp_path: Path, line: str, after: int | None, advised: str
) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"for x in rows:\n    {line}\n")
    fact = LoopShapeChange(
        construct="for",
        statement=Location(file=str(path), line=1),
        variable="state",
        entry=(1, 4),
        exit=(after, 4),
        changed=Location(file=str(path), line=2),
    )
    found = rule.match(Case(fact=fact, symptom=Symptom(kind="exception"), sources=Sources()))
    assert found is not None
    assert advised in found.fixes[-1].summary
