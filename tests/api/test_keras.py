"""The callback and the summary, in the Keras that belongs to the installed TensorFlow."""

from __future__ import annotations

import linecache
import warnings

import numpy as np
import pytest

import tensorwhy
from tensorwhy import pipeline
from tensorwhy.keras import GradientFlow, GradientFlowWarning
from tensorwhy.recording.importing import installed

tf = pytest.importorskip("tensorflow")
X, Y = np.random.rand(16, 5).astype("float32"), np.random.rand(16, 2).astype("float32")


class Stopping(tf.keras.layers.Layer):
    def call(self, x):
        return tf.stop_gradient(x)


def compiled(*layers):
    tf.keras.utils.set_random_seed(3)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, name="first"), *layers, tf.keras.layers.Dense(2, name="last")], name="net"
    )
    model.compile("sgd", "mse", metrics=["mae"])
    return model


def test_a_healthy_training_gives_no_warning_and_the_same_numbers(tmp_path) -> None:
    expected = compiled().fit(X, Y, epochs=2, verbose=0, shuffle=False).history
    logs = str(tmp_path) if installed("tensorboard") else None
    callback = GradientFlow((X, Y), log_dir=logs)
    with warnings.catch_warnings():
        warnings.simplefilter("error", GradientFlowWarning)
        found = compiled().fit(X, Y, epochs=2, verbose=0, shuffle=False, callbacks=[callback]).history
    assert {name: pytest.approx(values) for name, values in expected.items()} == found
    assert callback.report.diagnoses == ()
    views = {(view.layer.rpartition("/")[2], view.name): view for view in callback.report.variables}
    assert views["first", "kernel"].gradient == "flows"
    assert views["first", "kernel"].updated
    assert len(views["last", "bias"].norms) == len(views["last", "bias"].steps) == 2
    assert logs is None or list((tmp_path / "gradients").iterdir())


def test_a_lost_gradient_is_warned_of_once() -> None:
    callback = GradientFlow((X, Y))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(Stopping()).fit(X, Y, epochs=3, batch_size=4, verbose=0, callbacks=[callback])
    own = [each for each in caught if issubclass(each.category, GradientFlowWarning)]
    assert len(own) == 1, [str(each.message) for each in own]
    assert "TW104" in str(own[0].message)
    assert (own[0].filename, ".fit(" in linecache.getline(own[0].filename, own[0].lineno)) == (__file__, True)
    assert [diagnosis.code for diagnosis in callback.report.diagnoses] == ["TW104"]
    states = {view.layer.rpartition("/")[2]: (view.gradient, view.updated) for view in callback.report.variables}
    assert states == {"first": ("none", False), "last": ("flows", True)}


def test_gradients_are_taken_after_the_chosen_steps() -> None:
    callback = GradientFlow((X, Y), steps=(0, len(X) // 2 + 1))
    compiled().fit(X, Y, epochs=2, batch_size=2, verbose=0, callbacks=[callback])
    assert {view.steps for view in callback.report.variables} == {(0, len(X) // 2 + 1)}


@pytest.mark.parametrize("option", [{"steps": [3]}])
def test_what_is_taken_from_gradients_needs_a_sample(option) -> None:
    with pytest.raises(ValueError, match="sample"):
        GradientFlow(**option)


def test_a_sample_is_a_pair() -> None:
    with pytest.raises(ValueError, match=r"a pair \(x, y\); this is ndarray"):
        GradientFlow(X)


def test_a_sample_that_the_model_cannot_take_does_not_end_the_training() -> None:
    callback = GradientFlow((X[:, :3], Y))
    with pytest.warns(GradientFlowWarning, match="computing gradients of the sample stopped") as caught:
        compiled().fit(X, Y, epochs=3, verbose=0, callbacks=[callback])
    assert len([each for each in caught if issubclass(each.category, GradientFlowWarning)]) == 1
    assert {view.gradient for view in callback.report.variables} == {"unknown"}


def test_a_training_that_failed_is_not_observed_beside_the_next_one() -> None:
    class Failing(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            raise ZeroDivisionError

    callback = GradientFlow()
    with pytest.raises(ZeroDivisionError):
        compiled().fit(X, Y, verbose=0, callbacks=[callback, Failing()])
    compiled().fit(X, Y, verbose=0, callbacks=[callback])
    assert not pipeline.running()


def test_a_summary_has_every_layer_with_its_output_and_gradient() -> None:
    frozen = tf.keras.layers.Dense(3, trainable=False, name="frozen")
    relu = tf.keras.layers.Lambda(lambda x: x * 0.0, name="blank")
    found = tensorwhy.summary(compiled(frozen, relu, Stopping(name="stop")), X)
    rows = {row.name: row for row in found.layers}
    assert list(rows) == ["first", "frozen", "blank", "stop", "last"]
    assert rows["first"].gradient == "none"
    assert rows["first"].reasons == ("TW104",)
    assert rows["last"].gradient in ("flows", "some")
    assert not rows["frozen"].trainable
    assert rows["frozen"].parameters == 15
    (output,) = rows["blank"].outputs
    assert (output.shape, output.mean, output.zeros, output.nans) == ((16, 3), 0.0, 1.0, 0.0)
    assert "TW104" in str(found)
    assert "first (Dense)" in str(found)


def test_a_summary_names_what_the_model_does_not_know() -> None:
    hidden = [tf.keras.layers.Dense(4, name="hidden")]

    class Forgetful(tf.keras.Model):
        def call(self, x):
            return hidden[0](x)

    found = tensorwhy.summary(Forgetful(), X)
    (row,) = found.layers
    assert (row.name, row.tracked, row.gradient) == ("hidden", False, "flows")
    assert "NO" in str(found)


def test_a_summary_of_a_functional_model_has_what_ran_and_what_is_frozen() -> None:
    image = tf.keras.Input((8, 8, 3), name="image")
    x = tf.keras.layers.BatchNormalization(name="norm")(tf.keras.layers.Conv2D(4, 3, name="conv")(image))
    x = tf.keras.layers.Flatten(name="flat")(x)
    heads = [tf.keras.layers.Dense(3, name="a", trainable=False)(x), tf.keras.layers.Dense(2, name="b")(x)]
    found = tensorwhy.summary(tf.keras.Model(image, heads), np.random.rand(2, 8, 8, 3).astype("float32"))
    rows = {row.name: row for row in found.layers}
    assert set(rows) == {"conv", "norm", "flat", "a", "b"}
    assert all(row.tracked and row.called == 1 for row in rows.values())
    assert {name: row.gradient for name, row in rows.items()} == {
        "conv": "flows", "norm": "flows", "flat": "", "a": "", "b": "flows",
    }  # fmt: skip
    assert [name for name, row in rows.items() if not row.trainable] == ["a"]
    assert found.report.diagnoses == ()


def test_a_summary_of_a_subclassed_model_has_nested_layers_and_those_that_never_ran() -> None:
    class Nested(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(3, name="inner")], name="encoder")
            self.never = tf.keras.layers.Dense(2, name="never")

        def call(self, x):
            return self.encoder(x)

    rows = {row.name: row for row in tensorwhy.summary(Nested(), X).layers}
    assert list(rows) == ["inner", "encoder", "never"]
    assert (rows["inner"].gradient, rows["inner"].outputs[0].shape) == ("flows", (16, 3))
    assert (rows["never"].called, rows["never"].outputs) == (0, ())


def test_a_summary_changes_no_weight_and_leaves_no_hook() -> None:
    model = compiled()
    model.build((None, 5))
    before, call = [np.array(weight) for weight in model.get_weights()], tf.keras.layers.Layer.__call__
    tensorwhy.summary(model, X)
    assert all((a == b).all() for a, b in zip(before, model.get_weights()))
    assert tf.keras.layers.Layer.__call__ is call


def test_a_summary_is_of_a_model() -> None:
    with pytest.raises(TypeError, match="Keras model"):
        tensorwhy.summary(3, X)


def test_what_tensorwhy_does_itself_is_not_held_against_the_program() -> None:
    with tensorwhy.record(show=False) as recording:
        found = tensorwhy.summary(compiled(Stopping()), X)
        value = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            lost = tf.round(value)
        tape.gradient(lost, value)
    assert [diagnosis.code for diagnosis in found.report.diagnoses] == ["TW104"]
    assert [diagnosis.code for diagnosis in recording.report.diagnoses] == ["TW106"]
