"""What zeros are called, and where they come from, read from source alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tensorwhy.diagnosis import factors
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def _place(folder: Path, source: str, text: str) -> Location:
    """The place of a text in a program."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(source))
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if text in line:
            start = line.index(text)
            return Location(
                file=str(path), line=number, column=start, end_line=number, end_column=start + len(text), function=""
            )
    raise AssertionError(text)


@pytest.mark.parametrize(
    ("statement", "made", "name"),
    [
        ("keep = tf.cast(labels == 9, tf.float32)", "tf.cast(labels == 9, tf.float32)", "keep"),
        ("y = loss * tf.cast(mask, tf.float32)", "tf.cast(mask, tf.float32)", "mask"),
        ("y = loss * tf.cast(tf.not_equal(ids, 0), tf.float32)", "tf.cast(tf.not_equal(ids, 0), tf.float32)", "ids"),
        ("y = loss * self.weights[0]", "self.weights[0]", "self.weights[0]"),
        ("return loss * tf.zeros([3])", "tf.zeros([3])", ""),
    ],
)
def test_zeros_are_called_by_what_was_made_and_not_by_what_it_went_into(
    statement: str, made: str, name: str, tmp_path: Path
) -> None:
    assert factors.mask(Sources(), _place(tmp_path, f"def f():\n    {statement}\n", made)) == name


@pytest.mark.parametrize(
    "loop",
    [
        "for weight in weights:",
        "for weight, term in zip(weights, terms):",
        "for index, weight in enumerate(weights):",
        "for index, (weight, term) in enumerate(zip(weights, terms)):",
        "for name, weight in weights.items():",
        "for weight in weights.values():",
    ],
)
def test_a_factor_that_a_loop_takes_in_turn_comes_from_what_it_goes_over(loop: str, tmp_path: Path) -> None:
    source = f"def f(terms):\n    weights = [0.0, 0.0]\n    {loop}\n        total += weight * loss(terms)\n"
    found, name = factors.factor(Sources(), _place(tmp_path, source, "weight * loss(terms)"), 0)
    assert (found.line, name) == (2, "weight")


def test_a_factor_of_a_comprehension_comes_from_what_it_goes_over(tmp_path: Path) -> None:
    source = "weights = [0.0, 0.0]\ntotal = sum(loss(t) * w for w, t in zip(weights, terms))\n"
    found, name = factors.factor(Sources(), _place(tmp_path, source, "loss(t) * w"), 1)
    assert (found.line, name) == (1, "w")


def test_a_factor_that_was_given_from_outside_stays_where_it_is_used(tmp_path: Path) -> None:
    place = _place(tmp_path, "def f(alpha, loss):\n    return alpha * loss\n", "alpha * loss")
    assert factors.factor(Sources(), place, 0) == (place, "alpha")
