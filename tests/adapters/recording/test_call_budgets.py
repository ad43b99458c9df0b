"""Calls that are only counted, of more than one function at a time."""

from __future__ import annotations

import gc

import pytest

from tensorwhy.adapters.tensorflow.call_budgets import CallBudgets, spent


class Called:
    pass


@pytest.fixture
def budgets() -> CallBudgets:
    return CallBudgets()


def use(budgets: CallBudgets, called: object, times: int) -> None:
    assert all(spent(budgets.slots, id(called)) for _ in range(times))


def test_what_was_counted_is_told_when_it_is_settled(budgets) -> None:
    one, told = Called(), []
    budgets.give(one, 5, told.append)
    use(budgets, one, 3)
    budgets.settle(id(one))
    assert told == [3]
    assert not spent(budgets.slots, id(one))


def test_nothing_is_told_of_what_was_not_called(budgets) -> None:
    one, told = Called(), []
    budgets.give(one, 5, told.append)
    budgets.settle_all()
    budgets.settle_all()
    assert told == []


def test_who_was_settled_may_be_granted_calls_again(budgets) -> None:
    one, told = Called(), []
    for calls in (2, 3):
        budgets.give(one, calls, told.append)
        assert budgets
        use(budgets, one, calls)
        budgets.settle_all()
        assert not budgets
    assert told == [2, 3]


def test_two_that_alternate_both_keep_their_grant(budgets) -> None:
    one, two, told = Called(), Called(), []
    budgets.give(one, 5, told.append)
    budgets.give(two, 5, told.append)
    use(budgets, one, 2)
    use(budgets, two, 1)
    budgets.settle_all()
    assert told == [2, 1]


def test_a_grant_that_is_given_anew_settles_the_last_one(budgets) -> None:
    one, told = Called(), []
    budgets.give(one, 5, told.append)
    use(budgets, one, 5)
    budgets.give(one, 7, told.append)
    assert told == [5]
    use(budgets, one, 7)


def test_a_grant_has_an_end(budgets) -> None:
    one, two = Called(), Called()
    budgets.give(one, 2, lambda times: None)
    use(budgets, one, 2)
    assert not spent(budgets.slots, id(one))
    assert not spent(budgets.slots, id(two))


def test_no_calls_are_no_grant(budgets) -> None:
    budgets.give(Called(), 0, lambda times: None)
    assert not budgets


def test_what_is_gone_leaves_no_grant_for_another_at_its_place(budgets) -> None:
    one, told = Called(), []
    budgets.give(one, 5, told.append)
    use(budgets, one, 1)
    del one
    gc.collect()
    assert told == [1]
    assert not any(budgets.slots)


def test_one_that_goes_while_its_calls_are_told_of_leaves_room_for_the_next(budgets) -> None:
    held, others = [Called()], [Called() for _ in range(20)]
    budgets.give(held[0], 5, lambda times: held.clear())
    use(budgets, held[0], 1)
    for each in others:
        budgets.give(each, 5, lambda times: None)
    assert held == []
    assert spent(budgets.slots, id(others[-1]))


def test_of_many_the_first_ones_are_settled(budgets) -> None:
    many = [Called() for _ in range(20)]
    for each in many:
        budgets.give(each, 5, lambda times: None)
    granted = [spent(budgets.slots, id(each)) for each in many]
    assert granted == sorted(granted)
    assert 1 < sum(granted) < len(many)
