"""What GradientFlow writes for TensorBoard, read back by TensorBoard's own reader."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorwhy.keras import GradientFlow, GradientFlowWarning

tf = pytest.importorskip("tensorflow")
pytest.importorskip("tensorboard")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402
from tensorboard.plugin_util import markdown_to_safe_html  # noqa: E402
from tensorboard.util import tensor_util  # noqa: E402

X, Y = np.random.rand(16, 5).astype("float32"), np.random.rand(16, 2).astype("float32")


class Stopping(tf.keras.layers.Layer):
    def call(self, x):
        return tf.stop_gradient(x)


def trained(callback: GradientFlow, *layers: Any) -> GradientFlow:
    """The callback, after two epochs."""
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, name="first"), *layers, tf.keras.layers.Dense(2, name="last")], name="net"
    )
    model.compile("sgd", "mse")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GradientFlowWarning)
        model.fit(X, Y, epochs=2, verbose=0, callbacks=[callback])
    return callback


def written(folder: Path) -> EventAccumulator:
    """All that TensorBoard would show of a folder."""
    reader = EventAccumulator(str(folder / "gradients"))
    reader.Reload()
    return reader


def values(reader: EventAccumulator, tag: str) -> dict[int, Any]:
    """What stands at each step."""
    return {event.step: tensor_util.make_ndarray(event.tensor_proto) for event in reader.Tensors(tag)}


def test_the_norms_of_a_layer_are_those_of_the_report(tmp_path: Path) -> None:
    callback = trained(GradientFlow((X, Y), log_dir=str(tmp_path)))
    reader = written(tmp_path)
    tags = {tag.rpartition("/")[2]: tag for tag in reader.PluginTagToContent("scalars")}
    assert set(tags) == {"first", "last"}
    for layer, tag in tags.items():
        views = [view for view in callback.report.variables if view.layer.rpartition("/")[2] == layer]
        expected = {at: math.hypot(*(view.norms[index] for view in views)) for index, at in enumerate(views[0].steps)}
        assert values(reader, tag) == {at: pytest.approx(norm) for at, norm in expected.items()}


def test_a_finding_is_a_text_that_leads_to_its_page(tmp_path: Path) -> None:
    trained(GradientFlow(log_dir=str(tmp_path)), Stopping())
    reader = written(tmp_path)
    (tag,) = reader.PluginTagToContent("text")
    assert tag == "findings/TW104 stop-gradient"
    ((step, text),) = values(reader, tag).items()
    assert step == 0
    shown = markdown_to_safe_html(text.item())
    assert 'href="https://tensorwhy.readthedocs.io/en/latest/catalogue/tw104-stop-gradient.html"' in shown
    assert "return tf.stop_gradient(x)" in shown and "<code>" in shown


def test_a_healthy_training_writes_no_finding(tmp_path: Path) -> None:
    trained(GradientFlow((X, Y), log_dir=str(tmp_path)))
    assert not [tag for tag in written(tmp_path).Tags()["tensors"] if tag.startswith("findings/")]


def test_a_folder_that_cannot_be_written_does_not_end_the_training(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    callback = trained(GradientFlow((X, Y), log_dir=str(tmp_path / "file")), Stopping())
    assert [diagnosis.code for diagnosis in callback.report.diagnoses] == ["TW104"]
