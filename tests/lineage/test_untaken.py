"""Which branches are of interest: those that could have run between the opening of the tape and the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.lineage.untaken import comes_later, idle_loop
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

STEP = """def step(w, b):
    with tape() as t:
        if flag:
            out = w * b
        loss = out + 1
    gradient = t.gradient(loss, b)
    if gradient is None:
        gradient = b
"""
LOOP = """with tape() as t:
    for part in parts:
        grow()
        gradient = t.gradient(total, b)
        if part:
            total = b
"""


def later(path: Path, text: str, opened: int, asked: int, branch: int) -> bool:
    path.write_text(text)
    places = [Location(file=str(path), line=line) for line in (branch, asked, opened)]
    return comes_later(Sources(), places[0], places[1:2], places[2:])


@pytest.mark.parametrize(("branch", "expected"), [(3, False), (7, True)])
def test_a_branch_behind_the_question_is_no_way_to_its_target(tmp_path: Path, branch: int, expected: bool) -> None:
    assert later(tmp_path / "a.py", STEP, 2, 6, branch) is expected


def test_in_a_loop_within_the_tape_it_may_have_run_before(tmp_path: Path) -> None:
    assert not later(tmp_path / "a.py", LOOP, 1, 4, 5)


def test_in_a_loop_around_the_tape_it_has_not(tmp_path: Path) -> None:
    text = "for part in parts:\n    with tape() as t:\n        grow()\n    ask(t, b)\n    if part:\n        total = b\n"
    assert later(tmp_path / "a.py", text, 2, 4, 5)


def test_a_branch_of_another_function_is_not_looked_at(tmp_path: Path) -> None:
    text = STEP + "\n\ndef other(b):\n    if b:\n        return b\n"
    assert not later(tmp_path / "a.py", text, 2, 6, 12)


ROUNDS = """def forward(x, w, rounds):
    x = prepare(x)
    for _ in range(rounds):
        x = x * w
    for part in parts(lambda v: -v):
        shown = part
    while ready(w):
        note(x)
    return x

def step(x, w):
    for each in x:
        y = each * w
    with tape() as t:
        loss = forward(x, w, 0)
    return t.gradient(loss, w)
"""


@pytest.mark.parametrize(
    ("executed", "names", "head"),
    [
        ((2, 15), {"w"}, 3),
        ((2, 4, 15), {"w"}, None),  # it ran
        ((2, 15), {"other"}, None),
        ((15,), {"w"}, None),  # nothing is known of the function; what stands above the tape ran before
    ],
)
def test_a_loop_that_did_not_run_and_makes_something_of_the_source(
    tmp_path: Path, executed: tuple[int, ...], names: set[str], head: int | None
) -> None:
    path = tmp_path / "a.py"
    path.write_text(ROUNDS)
    lines = [Location(file=str(path), line=line) for line in executed]
    found = idle_loop(Sources(), lines, names, [Location(file=str(path), line=14)])
    assert (found and found.line) == head


def test_a_line_with_a_lambda_on_it_belongs_to_the_function_around(tmp_path: Path) -> None:
    path = tmp_path / "b.py"
    path.write_text("used = connected(lambda: loss(w), [w, u])\nfor step in steps:\n    total = train(used)\n")
    here = [Location(file=str(path), line=1, function="<module>")]
    assert comes_later(Sources(), Location(file=str(path), line=2), here, here)
