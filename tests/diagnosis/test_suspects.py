"""What made no difference is named as the program wrote it."""

from __future__ import annotations

from pathlib import Path

from tensorwhy.diagnosis.reason import Case
from tensorwhy.diagnosis.suspects import ruled_out
from tensorwhy.model.facts.gradient import NotWatched, Tried
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion
from tensorwhy.model.report import RuledOut, Symptom
from tensorwhy.source.files import Sources


def test_an_argument_that_is_often_blamed_is_named_with_its_call(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("y = tf.gather(x, rows, validate_indices=False)\nz = tf.gather(y, rows)\n")
    found = tuple(RuledOut(what="the gather", location=Location(file=str(file), line=line)) for line in (1, 2))
    fact = NotWatched(
        kind="not-watched",
        question=GradientQuestion(recorder=0, event=1, asked=1, location=None, sources=(), targets=()),
        sources=(),
        tried=Tried(ruled_out=(*found, RuledOut(what="the optimizer"))),
    )
    case = Case(fact=fact, symptom=Symptom(kind="none-gradient"), sources=Sources())
    assert [each.what for each in ruled_out(case)] == [
        "the gather with its `validate_indices`",
        "the gather",
        "the optimizer",
    ]
