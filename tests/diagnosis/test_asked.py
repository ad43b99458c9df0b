"""The words for what a question asked about, and for what the program got."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.diagnosis.asked import source_words, zeros_instead
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.source.files import Sources


def question(folder: Path, line: str, position: int = 0, asked: int = 1, **more: object) -> GradientQuestion:
    file = folder / "program.py"
    file.write_text(line + "\n")
    source = Source(tensor=1, name="kernel:0", variable=True, position=position)
    location = Location(file=str(file), line=1)
    return GradientQuestion(
        event=1, recorder=1, targets=(2,), sources=(source,), asked=asked, location=location, **more
    )


def words(asked: GradientQuestion) -> str:
    return source_words(Sources(), asked, asked.sources[0])


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ("[a, b]", "`b`"),
        ("{'x': b, 'w': a}", "`b`"),
        ("{'x': a, **more}", "variable `kernel`"),
        ("everything", "variable `kernel`"),
    ],
)
def test_a_source_is_called_as_it_was_asked_for(tmp_path: Path, sources: str, expected: str) -> None:
    assert words(question(tmp_path, f"g = tape.gradient(y, {sources})", position=1, asked=2)) == expected


def test_a_variable_without_a_name_is_called_as_its_assignment_calls_it(tmp_path: Path) -> None:
    asked = question(tmp_path, "g = tape.gradient(y, everything)", asked=2)
    made = tmp_path / "made.py"
    made.write_text("w, b = tf.Variable(1.0), tf.Variable(0.0)\n")
    place = Location(file=str(made), line=1, column=25, end_line=1, end_column=41)
    unnamed = Source(tensor=1, name="Variable:0", variable=True)
    assert source_words(Sources(), asked, unnamed, place) == "variable `b`"
    assert source_words(Sources(), asked, asked.sources[0], place) == "variable `kernel`"


def test_what_a_python_function_was_given_is_not_called_as_what_the_program_asked_for(tmp_path: Path) -> None:
    asked = question(tmp_path, "g = tape.gradient(y, w)", in_callback=True)
    assert words(asked) == "input 1 of the Python function"


@pytest.mark.parametrize(
    ("line", "in_callback", "expected"),
    [
        ("g = tape.batch_jacobian(y, x)", False, "`batch_jacobian` returns zeros"),
        ("g = tape.gradient(y, x)", True, "zeros are used in its place"),
        ("g = tape.jacobian(y, x)", False, ""),
    ],
)
def test_who_gives_zeros_in_place_of_a_none_is_known(
    tmp_path: Path, line: str, in_callback: bool, expected: str
) -> None:
    assert zeros_instead(Sources(), question(tmp_path, line, in_callback=in_callback)) == expected
