"""What `keras.ops.shape` gives of a symbolic Keras tensor has None in it; inside of a layer it has sizes."""

from __future__ import annotations

from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")
if not hasattr(tf.keras, "ops"):
    pytest.skip("Keras 2 has no such function", allow_module_level=True)

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import eager_only_in_graph  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402

keras = tf.keras


@pytest.fixture(autouse=True)
def all_frames() -> Any:
    """TensorFlow leaves its own frames out of tracebacks; the probe reads them."""
    restore = filtered_frames.install(UserCode())
    yield
    restore()


def noise_like(mean: Any) -> Any:
    batch = keras.ops.shape(mean)[0]
    return keras.random.normal((batch, 2))


def noise_of_shape(mean: Any) -> Any:
    return keras.random.normal(keras.ops.shape(mean))


@pytest.mark.parametrize("noise", [noise_like, noise_of_shape])
def test_noise_for_a_batch_of_a_size_that_is_not_known(noise: Any) -> None:
    with pytest.raises(ValueError, match="None") as raised:
        noise(keras.Input((2,)))
    (fact,) = eager_only_in_graph.probe(live_failure(raised.value, UserCode()))
    assert (fact.tensor_text, fact.axis, fact.by) == ("mean", 0, "keras.random.normal")
    assert fact.layered


class Failing(keras.layers.Layer):
    def call(self, mean: Any) -> Any:
        return keras.ops.reshape(None, (keras.ops.shape(mean)[0], 2))


def test_a_size_that_is_known_when_the_model_runs_is_no_reason() -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)) as raised:
        tf.function(Failing())(tf.zeros((3, 2)))
    assert not list(eager_only_in_graph.probe(live_failure(raised.value, UserCode())))
