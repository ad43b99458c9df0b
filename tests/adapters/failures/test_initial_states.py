"""The states that a recurrent layer begins with are nested as those of its cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import initial_states  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

X, STATE = tf.ones([2, 4, 3]), tf.zeros([2, 5])
layers = tf.keras.layers


@pytest.fixture(autouse=True)
def whole_tracebacks() -> Iterator[None]:
    """Nothing is filtered out of tracebacks, as in a recording."""
    undo = tracebacks.keep((*filtered_frames.FILTERS, "keras.utils.traceback_utils", "keras.src.utils.traceback_utils"))
    yield
    undo()


def facts(layer: Any, states: Any) -> list[Any]:
    try:
        layer(X, initial_state=states)
    except Exception as error:
        return list(initial_states.probe(live_failure(error, UserCode())))
    return []


def stacked() -> Any:
    return layers.RNN([layers.LSTMCell(5), layers.LSTMCell(5)])


def test_a_flat_list_for_cells_that_have_lists_of_their_own() -> None:
    (fact,) = facts(stacked(), [STATE, STATE])
    assert (fact.problem, fact.expected, fact.got) == ("begin", "[[5, 5], [5, 5]]", "[5, 5]")
    assert fact.statement.function == "facts"


def test_one_state_where_the_cell_has_two() -> None:
    (fact,) = facts(layers.LSTM(5), [STATE])
    assert (fact.expected, fact.got) == ("[5, 5]", "[5]")


class Careless(layers.Layer):
    state_size = 5
    output_size = 5

    def call(self, inputs: Any, states: Any) -> Any:
        return states[0], [states[1]]


def test_a_cell_that_takes_more_than_it_has_is_not_begun_wrongly() -> None:
    assert facts(layers.RNN(Careless()), [STATE]) == []


def test_states_as_the_cells_have_them_are_fine() -> None:
    assert facts(stacked(), [[STATE, STATE], [STATE, STATE]]) == []
