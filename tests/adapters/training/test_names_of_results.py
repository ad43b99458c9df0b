"""The results of an epoch that callbacks of libraries are given, in place of the dict that Keras made."""

from __future__ import annotations

import copy
import pickle

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.keras_common.learning.looked_up import _Results  # noqa: E402


def test_results_are_rebuilt_as_a_dict_is() -> None:
    results = _Results({"loss": 2.0, "mae": 1.0})
    assert tf.nest.map_structure(lambda value: value + 1, results) == {"loss": 3.0, "mae": 2.0}
    assert type(results)() == {} and type(results)(loss=1.0) == {"loss": 1.0}
    assert [type(each) for each in (results.copy(), copy.copy(results), pickle.loads(pickle.dumps(results)))] == [
        dict
    ] * 3


def test_what_is_asked_for_and_not_there_is_noted() -> None:
    results = _Results({"loss": 2.0})
    assert results.get("val_loss") is None and results.get("lr", 0.1) == 0.1
    with pytest.raises(KeyError):
        results["val_acc"]
    assert results.missing == {"val_loss", "val_acc"}
