"""Questions that are asked again and again are told twice, the first with how often it was asked."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow")

from tensorwhy.lineage.questions import distinct
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source


def question(name: str, place: int = 1) -> GradientQuestion:
    at = Location(file="a.py", line=place)
    return GradientQuestion(
        event=0, place=place, recorder=1, targets=(1,), sources=(Source(tensor=2, name=name),), asked=1, location=at
    )


def test_the_first_stands_for_all_of_its_call_site() -> None:
    first, second = distinct([question("w")] * 20, {1: (100, 90)})
    assert (first.times, first.steps, second.times) == (90, 100, 0)


def test_where_a_call_site_loses_now_this_and_now_that_each_is_counted_by_itself() -> None:
    found = list(distinct([question("w"), question("v"), question("w")], {1: (3, 3)}))
    assert [(each.times, each.steps) for each in found] == [(2, 0), (1, 0), (0, 0)]
