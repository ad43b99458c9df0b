"""Where any tensor came from."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwhy
from tensorwhy.source.files import Sources

tf = pytest.importorskip("tensorflow")


def line(origin) -> str:
    assert origin.location is not None and origin.location.file == __file__
    return Sources().line(__file__, origin.location.line)


def test_an_eager_tensor_has_its_operation_layer_line_and_ancestors() -> None:
    layer = tf.keras.layers.Dense(2, name="encoder")
    with tensorwhy.record(show=False):
        given = tf.ones((4, 3))
        output = layer(given)
        doubled = output * 2.0  # here
        found = tensorwhy.history(doubled)
    assert (found.op, found.sort, found.origins[0].shape) == ("Mul", "eager tensor", (4, 2))
    assert line(found).endswith("# here")
    by_op = {origin.op: origin for origin in found.ancestors}
    assert by_op["BiasAdd"].layer == by_op["MatMul"].layer == "encoder"
    assert by_op["Fill"].layer == ""
    assert {
        origin.name.partition(":")[0].rpartition("/")[2] for origin in found.ancestors if origin.kind == "variable"
    } == {
        "kernel",
        "bias",
    }


def test_a_history_can_be_asked_for_after_its_recording() -> None:
    with tensorwhy.record(show=False) as recording:
        made = tf.constant(1.0) + 1.0
    assert tensorwhy.history(made).op == recording.history(made).op == "AddV2"


def test_an_eager_tensor_that_nobody_recorded_says_how_to_record() -> None:
    found = tensorwhy.history(tf.constant(1.0) + 1.0)
    assert found.made is None
    assert "tensorwhy.record" in str(found)


def test_layers_inside_models_have_a_path() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, name="inner")], name="outer")
    with tensorwhy.record(show=False):
        found = tensorwhy.history(model(tf.ones((1, 3))))
    assert found.layer == "outer/inner"


def test_a_graph_tensor_needs_no_recording() -> None:
    kept = []
    weight, outside = tf.Variable(2.0, name="weight"), tf.constant(3.0)

    @tf.function
    def step(x):
        kept.append(x * weight + outside)  # here
        return x

    step(tf.constant(1.0))
    found = tensorwhy.history(kept[0])
    assert (found.op, found.function) == ("AddV2", "step")
    assert line(found).endswith("# here")
    assert "Placeholder" in [origin.op for origin in found.ancestors]
    assert [origin.name for origin in found.ancestors if origin.kind == "variable"] == ["weight"]


def test_a_keras_tensor_has_its_layers() -> None:
    given = tf.keras.Input((3,), name="given")
    hidden = tf.keras.layers.Dense(2, name="hidden")(given)
    found = tensorwhy.history(tf.keras.layers.ReLU(name="last")(hidden))
    assert [(origin.op, origin.layer) for origin in found.origins] == [
        ("ReLU", "last"),
        ("Dense", "hidden"),
        ("InputLayer", "given"),
    ]
    assert "install()" in found.note
    with tensorwhy.record(show=False):
        found = tensorwhy.history(tf.keras.layers.ReLU()(hidden))  # here
    assert line(found).endswith("# here")


def test_an_array_from_a_tensor_leads_back_to_it() -> None:
    with tensorwhy.record(show=False):
        array = (tf.constant(1.0) + tf.ones(2)).numpy()
        found = tensorwhy.history(array)
    assert [origin.op for origin in found.origins][:2] == ["numpy()", "AddV2"]


def test_a_history_is_bounded() -> None:
    with tensorwhy.record(show=False):
        value = tf.ones(())
        for _ in range(100):
            value = value + 1.0
        found = tensorwhy.history(value, limit=10)
    assert len(found.origins) == 10
    assert found.origins[-1].more > 0
    assert "more" in str(found)


def test_a_history_is_shown_as_text_and_as_html() -> None:
    with tensorwhy.record(show=False):
        found = tensorwhy.history(tf.constant("<script>") + "")
    assert "#0" in str(found)
    assert "<script>" not in found._repr_html_()


@pytest.mark.parametrize("thing", [3, "text", None, np.ones(2)])
def test_what_is_no_tensor_has_no_history(thing) -> None:
    with pytest.raises(TypeError, match="takes a tensor"):
        tensorwhy.history(thing)
