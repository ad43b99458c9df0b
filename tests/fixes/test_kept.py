"""State between the calls of a traced function: a variable in the place of a tensor."""

from __future__ import annotations

import pytest

from support.edits import Written, after, line
from tensorwhy.adapters.tensorflow.graphs import escapes
from tensorwhy.fixes import kept
from tensorwhy.model.facts.graph import Symbolic
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

CLASS = """\
import tensorflow as tf


class Cell:
    def __init__(self, units):
        self.h = {first}

    @tf.function
    def run(self, xs):
{body}

    def reset(self):
        self.h = tf.zeros((3,))
"""
ZEROS = "tf.zeros((units,))"
LOOP = ["for x in tf.unstack(xs):", "    self.h = tf.tanh(x + self.h)", "return self.h"]
CARRIED = [
    "h = tf.identity(self.h)",
    "for x in tf.unstack(xs):",
    "    h = tf.tanh(x + h)",
    "self.h.assign(h)",
    "return h",
]


def program(body: list[str], first: str = ZEROS) -> str:
    return CLASS.format(first=first, body="\n".join(f"        {each}" for each in body))


@pytest.mark.parametrize(
    ("body", "number", "expected"),
    [
        (LOOP, 11, CARRIED),
        (["y = xs + self.h", "self.h = y[0]", "return y"], 11, ["y = xs + self.h", "self.h.assign(y[0])", "return y"]),
        (['"""Docs."""', *LOOP], 12, ['"""Docs."""', *CARRIED]),
    ],
)
def test_a_state_that_is_read_and_stored_is_kept_in_a_variable(
    written: Written, body: list[str], number: int, expected: list[str]
) -> None:
    file = written(program(body))
    assert kept.read_as_well(line(file, number), Sources())
    wanted = program(expected, f"tf.Variable({ZEROS}, trainable=False)")
    wanted = wanted.replace("self.h = tf.zeros((3,))", "self.h.assign(tf.zeros((3,)))")
    assert after(file, kept.in_variable(line(file, number), Sources())) == wanted


@pytest.mark.parametrize("first", ["None", "tf.Variable(0.0)"])
def test_a_state_without_a_first_tensor_is_left_alone(written: Written, first: str) -> None:
    assert not kept.in_variable(line(written(program(LOOP, first)), 11), Sources())


def test_what_is_only_stored_is_no_state(written: Written) -> None:
    file = written(program(["self.h = xs[0]", "return xs"]))
    assert not kept.read_as_well(line(file, 10), Sources())


@pytest.mark.parametrize(
    ("behind", "found"),
    [("self.state = state[0] if many else state", "self.state"), ("self.state = 2 * state", ""), ("pass", "")],
)
def test_a_tensor_is_followed_by_its_name_to_the_attribute_that_kept_it(
    written: Written, behind: str, found: str
) -> None:
    file = written(f"class A:\n    def run(self, x):\n        out, state = self.cell(x)\n        {behind}\n")
    holder = escapes.former_holder(Symbolic(created=Location(file=file, line=3, function="run")), Sources())
    assert (holder.expression if holder is not None else "") == found
