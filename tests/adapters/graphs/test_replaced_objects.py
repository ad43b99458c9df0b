"""A name that stands for another model than it did when a graph was traced."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.import_hooks import traced_values  # noqa: E402
from tensorwhy.adapters.tensorflow.tracing.frozen import CURRENT  # noqa: E402
from tensorwhy.model.facts.graph import FrozenValue  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

model = None
optimizer = None


class Scale(tf.Module):
    def __init__(self, weight=None, name="first"):
        super().__init__(name=name)
        self.weight = tf.Variable(1.0) if weight is None else weight

    def __call__(self, x):
        return x * self.weight


def step(x):
    return model(x)


def step_with_an_optimizer(x):
    optimizer.apply_gradients([(x, model.weight)])
    return x


def replaced():
    kinds = ("object", "optimizer")
    return [fact for watch in CURRENT for fact in watch.stale() if isinstance(fact, FrozenValue) and fact.kind in kinds]


@pytest.fixture(autouse=True)
def watched():
    """The names as they are before each test, and the hooks that watch them."""
    global model, optimizer
    model, optimizer = Scale(), tf.keras.optimizers.SGD(0.1)
    uninstall = traced_values.install(UserCode())
    yield
    uninstall()


def test_a_model_that_was_replaced_is_told_with_its_place_and_the_calls_since():
    global model
    traced = tf.function(step)
    traced(tf.constant(2.0))
    model = Scale(name="second")
    traced(tf.constant(2.0))
    traced(tf.constant(2.0))
    (fact,) = replaced()
    assert (fact.name, fact.frozen, fact.now, fact.stale_calls) == ("model", "Scale `first`", "Scale `second`", 2)
    assert (fact.read.line, fact.read.function) == (step.__code__.co_firstlineno + 1, "step")


def test_an_optimizer_that_was_replaced_is_told():
    global optimizer
    traced = tf.function(step_with_an_optimizer)
    traced(tf.constant(2.0))
    optimizer = tf.keras.optimizers.SGD(0.001)
    traced(tf.constant(2.0))
    assert [fact.name for fact in replaced()] == ["optimizer"]
    assert replaced()[0].kind == "optimizer"


def test_nothing_is_said_before_the_old_graph_runs_again():
    global model
    tf.function(step)(tf.constant(2.0))
    model = Scale()
    tf.function(step)(tf.constant(2.0))
    assert replaced() == []


def test_a_wrapper_around_the_same_variables_loses_nothing():
    global model
    traced = tf.function(step)
    traced(tf.constant(2.0))
    model = Scale(model.weight)
    traced(tf.constant(2.0))
    assert replaced() == []


def test_a_closure_of_the_name_of_a_global_is_not_taken_for_it():
    global model

    def made(model):
        @tf.function
        def inner(x):
            return model(x)

        return inner

    traced = made(Scale())
    traced(tf.constant(2.0))
    model = Scale()
    traced(tf.constant(2.0))
    assert replaced() == []
