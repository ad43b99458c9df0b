"""A cell of the user's own, which Keras runs in a loop: what it returns is compared with what it was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import recurrent_cells  # noqa: E402
from tensorwhy.model.facts import Fact  # noqa: E402
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange  # noqa: E402
from tensorwhy.recording import tracebacks  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

keras = tf.keras


@pytest.fixture(autouse=True)
def whole_tracebacks() -> Iterator[None]:
    """Nothing is filtered out of tracebacks, as in a recording."""
    undo = tracebacks.keep((*filtered_frames.FILTERS, "keras.utils.traceback_utils", "keras.src.utils.traceback_utils"))
    yield
    undo()


class Cell(keras.layers.Layer):
    units = 3
    state_size = (3, 3)
    output_size = 3

    def build(self, shape):
        self.built = True


class Counting(Cell):
    def call(self, inputs, states):
        hidden, seen = states
        hidden = hidden + inputs
        return hidden, [hidden, tf.cast(seen > 0.5, tf.int32)]


class Forgetful(Cell):
    def call(self, inputs, states):
        hidden, _ = states
        return inputs + hidden, [inputs + hidden]


class Widening(Cell):
    def call(self, inputs, states):
        hidden, seen = states
        return inputs, [hidden, tf.concat([seen, seen], axis=-1)]


class Narrow(Cell):
    def call(self, inputs, states):
        hidden, seen = states
        return inputs + hidden, [inputs + hidden, inputs + seen]

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        return [tf.zeros((1,)), tf.zeros((1,))]


class Failing(Cell):
    def call(self, inputs, states):
        raise ValueError("too much")


def facts(cell: Cell) -> list[Fact]:
    """What is seen of a failure in `fit`; where Keras tries a layer out before, of that."""
    try:
        inputs = keras.Input((4, 3))
        model = keras.Model(inputs, keras.layers.RNN(cell)(inputs))
        model.compile("sgd", "mse")
        model.fit(tf.ones((2, 4, 3)), tf.ones((2, 3)), verbose=0)
    except Exception as error:
        return list(recurrent_cells.probe(live_failure(error, UserCode())))
    raise AssertionError("nothing failed")


def test_a_state_that_changes_its_dtype() -> None:
    (fact,) = facts(Counting())
    assert isinstance(fact, LoopStructureChange)
    assert (fact.problem, fact.expected, fact.got) == ("dtype", "float32", "int32")
    assert fact.changed is not None
    assert fact.changed.line == Counting.call.__code__.co_firstlineno + 3


def test_a_state_that_is_forgotten() -> None:
    (fact,) = facts(Forgetful())
    assert isinstance(fact, LoopStructureChange)
    assert (fact.problem, fact.expected, fact.got) == ("count", "2", "1")
    assert fact.changed is not None
    assert fact.changed.line == Forgetful.call.__code__.co_firstlineno + 2


def test_a_state_of_the_declared_shape_that_changes() -> None:
    (fact,) = facts(Widening())
    assert isinstance(fact, LoopShapeChange)
    assert (fact.declared, fact.before) == (True, None)


def test_a_state_that_begins_with_another_shape_than_the_declared_one() -> None:
    (fact,) = facts(Narrow())
    assert isinstance(fact, LoopShapeChange)
    assert (fact.declared, fact.entry) == (False, (1,))
    assert fact.before is not None
    assert fact.before.line == Narrow.get_initial_state.__code__.co_firstlineno + 1


def test_an_error_of_the_cells_own_is_none_of_this() -> None:
    assert facts(Failing()) == []


class Lonely(Cell):
    state_size = 3

    def call(self, inputs, states):
        return states[0] @ tf.eye(3) + inputs


class Silent(Cell):
    state_size = 3

    def call(self, inputs, states):
        self.seen = inputs


def pair(failing: Callable[[], object]) -> LoopStructureChange:
    """What is seen of a result that Keras cannot take for an output and states."""
    try:
        failing()
    except Exception as error:
        (fact,) = recurrent_cells.probe(live_failure(error, UserCode()))
        assert isinstance(fact, LoopStructureChange)
        assert fact.problem == "pair"
        return fact
    raise AssertionError("nothing failed")


@pytest.mark.parametrize("examples", [2, 4])
def test_a_cell_that_returns_its_output_only_eagerly(examples: int) -> None:
    fact = pair(lambda: keras.layers.RNN(Lonely())(tf.ones([examples, 4, 3])))
    assert fact.changed is not None
    assert fact.changed.line == Lonely.call.__code__.co_firstlineno + 1


def test_a_cell_that_returns_its_output_only_in_a_graph() -> None:
    layer = keras.layers.RNN(Lonely())
    fact = pair(lambda: tf.function(lambda x: layer(x))(tf.ones([4, 4, 3])))
    assert fact.got == "one tensor"


def test_a_cell_that_returns_nothing() -> None:
    fact = pair(lambda: keras.layers.RNN(Silent())(tf.ones([4, 4, 3])))
    assert fact.got == "nothing"


class Stepping(keras.layers.Layer):
    def call(self, x):
        def step(inputs, states):
            hidden = inputs + states[0]
            return hidden, [hidden]

        return keras.backend.rnn(step, x, [tf.zeros((tf.shape(x)[0], 1))])[0]


def test_a_state_of_a_step_function_that_is_no_cells() -> None:
    try:
        keras.Model(inputs := keras.Input((4, 3)), Stepping()(inputs))
    except Exception as error:
        (fact,) = recurrent_cells.probe(live_failure(error, UserCode()))
        assert isinstance(fact, LoopShapeChange)
        assert (fact.construct, fact.declared, fact.exit) == ("rnn", False, (None, 3))
        return
    raise AssertionError("nothing failed")
