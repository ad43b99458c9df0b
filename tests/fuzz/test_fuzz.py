"""What the lineage predicts of gradients is what TensorFlow returns, on random programs."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow")

from fuzz.harness import run

PROGRAMS = 500
BATCH = 50


@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_the_prediction_for_random_programs_is_what_tensorflow_returns(first: int, tmp_path) -> None:
    outcomes = [run(seed, str(tmp_path)) for seed in range(first, first + BATCH)]
    assert [one for outcome in outcomes for one in outcome.disagreements] == []
    assert sum(outcome.pairs for outcome in outcomes) > 4 * BATCH
    refused = [outcome.error for outcome in outcomes if outcome.error]
    assert len(refused) < BATCH // 5, refused
