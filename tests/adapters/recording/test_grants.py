"""Calls that are only counted, of more than one function at a time."""

from __future__ import annotations

import gc

import pytest

from tensorwhy.adapters.tensorflow.grants import Grants, spent


class Called:
    pass


@pytest.fixture
def grants() -> Grants:
    return Grants()


def use(grants: Grants, called: object, times: int) -> None:
    assert all(spent(grants.slots, id(called)) for _ in range(times))


def test_what_was_counted_is_told_when_it_is_settled(grants) -> None:
    one, told = Called(), []
    grants.give(one, 5, told.append)
    use(grants, one, 3)
    grants.settle(id(one))
    assert told == [3]
    assert not spent(grants.slots, id(one))


def test_nothing_is_told_of_what_was_not_called(grants) -> None:
    one, told = Called(), []
    grants.give(one, 5, told.append)
    grants.settle_all()
    grants.settle_all()
    assert told == []


def test_who_was_settled_may_be_granted_calls_again(grants) -> None:
    one, told = Called(), []
    for calls in (2, 3):
        grants.give(one, calls, told.append)
        assert grants
        use(grants, one, calls)
        grants.settle_all()
        assert not grants
    assert told == [2, 3]


def test_two_that_alternate_both_keep_their_grant(grants) -> None:
    one, two, told = Called(), Called(), []
    grants.give(one, 5, told.append)
    grants.give(two, 5, told.append)
    use(grants, one, 2)
    use(grants, two, 1)
    grants.settle_all()
    assert told == [2, 1]


def test_a_grant_that_is_given_anew_settles_the_last_one(grants) -> None:
    one, told = Called(), []
    grants.give(one, 5, told.append)
    use(grants, one, 5)
    grants.give(one, 7, told.append)
    assert told == [5]
    use(grants, one, 7)


def test_a_grant_has_an_end(grants) -> None:
    one, two = Called(), Called()
    grants.give(one, 2, lambda times: None)
    use(grants, one, 2)
    assert not spent(grants.slots, id(one))
    assert not spent(grants.slots, id(two))


def test_no_calls_are_no_grant(grants) -> None:
    grants.give(Called(), 0, lambda times: None)
    assert not grants


def test_what_is_gone_leaves_no_grant_for_another_at_its_place(grants) -> None:
    one, told = Called(), []
    grants.give(one, 5, told.append)
    use(grants, one, 1)
    del one
    gc.collect()
    assert told == [1]
    assert not any(grants.slots)


def test_one_that_goes_while_its_calls_are_told_of_leaves_room_for_the_next(grants) -> None:
    held, others = [Called()], [Called() for _ in range(20)]
    grants.give(held[0], 5, lambda times: held.clear())
    use(grants, held[0], 1)
    for each in others:
        grants.give(each, 5, lambda times: None)
    assert held == []
    assert spent(grants.slots, id(others[-1]))


def test_of_many_the_first_ones_are_settled(grants) -> None:
    many = [Called() for _ in range(20)]
    for each in many:
        grants.give(each, 5, lambda times: None)
    granted = [spent(grants.slots, id(each)) for each in many]
    assert granted == sorted(granted)
    assert 1 < sum(granted) < len(many)
