"""Edits of loops: what decides whether they go on."""

from __future__ import annotations

import pytest

from support.edits import Written, after
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import LoopStructureChange, NoCondition
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


@pytest.mark.parametrize("condition", ["active", "state.active", "state.active[0]", "not done", "a > b", "f(x)"])
def test_a_loop_goes_on_while_the_whole_of_its_condition_holds_for_any(written: Written, condition: str) -> None:
    file = written(f"import tensorflow as tf\nwhile {condition}:\n    pass\n")
    place = Location(file=str(file), line=2, column=6, end_line=2, end_column=6 + len(condition))
    fact = NoCondition(construct="while", statement=place, condition=place, text=condition, dtype="bool", shape=(3,))
    assert after(file, loops.decided(fact, Sources())).splitlines()[1] == f"while tf.reduce_any({condition}):"


def test_no_part_of_a_condition_is_edited_for_the_whole(written: Written) -> None:
    file = written("import tensorflow as tf\nwhile [step for step in steps]:\n    pass\n")
    place = Location(file=str(file), line=2, column=6, end_line=2, end_column=30)
    fact = NoCondition(construct="while", statement=place, condition=place, text="", dtype="bool", shape=(3,))
    assert loops.decided(fact, Sources()) == ()


@pytest.mark.parametrize(
    ("given", "changed"),
    [("(0, 0)", "(0.0, 0)"), ("(tf.constant(0), 0)", "(tf.cast(tf.constant(0), tf.float32), 0)")],
)
def test_only_the_part_of_a_call_that_a_loop_begins_with_is_edited(written: Written, given: str, changed: str) -> None:
    line = "total, count = ds.reduce({}, add)"
    file = written(f"import tensorflow as tf\n{line.format(given)}\n")
    start = line.index("{}") + 1
    place = Location(file=str(file), line=2, column=start, end_line=2, end_column=start + given.index(",") - 1)
    fact = LoopStructureChange(
        construct="reduce", statement=place, problem="dtype", variable="total", before=place, got="float32"
    )
    assert after(file, loops.first_value(fact, Sources())).splitlines()[1] == line.format(changed)
