"""Tests that `is_run_by_pytest.py` runs: one of them fails."""

from small import train


def test_trains():
    assert train(1) != train(2)


def test_fails():
    assert train(1) == train(2), "as it should"
