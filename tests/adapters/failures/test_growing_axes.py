"""The shape that a growing loop variable may take, as it is told and written into the loop."""

from __future__ import annotations

import pytest

from tensorwhy.adapters.tensorflow.failures import loop_lines


@pytest.mark.parametrize(
    ("entry", "after", "expected"),
    [
        ((4, 1), (4, 2), "[tokens.shape[0], None]"),
        ((4, 1, 8), (4, 2, 8), "[tokens.shape[0], None, 8]"),
        ((1, 1), (1, 2), "[1, None]"),
        ((None, 1), (None, 2), "[None, None]"),
        ((0, 8), (1, 8), "[None, 8]"),
        ((4,), (4, 1), "None"),
    ],
)
def test_the_size_of_a_batch_is_read_in_each_trace_and_not_written_down(
    entry: tuple[int | None, ...], after: tuple[int | None, ...], expected: str
) -> None:
    assert loop_lines.loosened_but_first("tokens", entry, after) == expected


def test_a_variable_that_has_no_name_keeps_its_numbers() -> None:
    assert loop_lines.loosened_but_first("self.state", (4, 1), (4, 2)) == "[4, None]"
