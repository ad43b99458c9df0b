"""What a run tells of the lineage of each question, and of every variable of a training."""

from __future__ import annotations

import pytest

from support.runner import Runner
from tensorwhy.model.report import LineageView, Report, VariableView

EAGER = """\
import tensorflow as tf

encoder = tf.keras.layers.Dense(4, activation="relu", name="encoder")
head = tf.keras.layers.Dense(1, name="head")
x = tf.random.normal([8, 5])
head(encoder(x))
weights = encoder.trainable_variables + head.trainable_variables
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(head(tf.stop_gradient(encoder(x))) ** 2)
    gradients = tape.gradient(loss, weights)
    for weight, gradient in zip(weights, gradients):
        if gradient is not None:
            weight.assign_sub(0.1 * gradient)
"""
FIT = """\
import numpy as np
import tensorflow as tf


class Stop(tf.keras.layers.Layer):
    def call(self, x):
        return tf.stop_gradient(x)


model = tf.keras.Sequential(
    [tf.keras.layers.Dense(6, name="first"), Stop(name="stopper"), tf.keras.layers.Dense(1, name="last")], name="net"
)
model.compile("sgd", "mse")
model.fit(np.random.rand(64, 4), np.random.rand(64, 1), epochs=2, batch_size=16, verbose=0)
"""
LATER = """\
import tensorflow as tf

w, frozen = tf.Variable(2.0), tf.Variable(3.0)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = w * w + tf.stop_gradient(frozen)
    wanted = [w, frozen] if step else [w]
    gradients = tape.gradient(loss, wanted)
    w.assign_sub(0.1 * gradients[0])
"""
UNWATCHED = """\
import tensorflow as tf

weight = tf.Variable(3.0)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.exp(xWEIGHT))
tape.gradient(y, x)
"""
UNROLLED = """\
import tensorflow as tf

cell = tf.keras.layers.Dense(3, activation="tanh", name="cell")
state = tf.random.normal([2, 3])
with tf.GradientTape() as tape:
    for _ in range(4):
        state = cell(state)
    loss = tf.reduce_mean(tf.stop_gradient(state))
print(tape.gradient(loss, cell.kernel) + 1.0)
"""
FUNCTIONAL = """\
import tensorflow as tf

keras = tf.keras
image = keras.Input((8,), name="image")
text = keras.Input((5,), name="text")
hidden = keras.layers.Dense(4, name="hidden")(keras.layers.Concatenate()([image, text]))
keras.Model(inputs=image, outputs=hidden)
"""
LEAK = """\
import tensorflow as tf

weight, losses = tf.Variable(2.0), []


@tf.function
def step(x):
    losses.append(tf.reduce_mean(weight * x))


step(tf.constant([1.0, 2.0]))
print(losses[0] + 1.0)
"""


@pytest.fixture(scope="module")
def reports(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    found = {}
    for name, text in (("eager", EAGER), ("fit", FIT), ("later", LATER)):
        program = tmp_path_factory.mktemp(name) / f"{name}.py"
        program.write_text(text, encoding="utf-8")
        result = runner.run(program)
        assert result.report is not None, result.account()
        assert [d.code for d in result.report.diagnoses] == ["TW104"], result.account()
        assert result.report.coverage.unobserved == (), result.account()
        found[name] = result.report
    return found


def lineage(report: Report) -> LineageView:
    view = report.diagnoses[0].lineage
    assert view is not None
    return view


def by_layer(report: Report) -> dict[tuple[str, str], VariableView]:
    return {(view.layer.rpartition("/")[2], view.name): view for view in report.variables}


def test_the_lineage_leads_from_the_lost_source_to_the_target(reports) -> None:
    view = lineage(reports["eager"])
    assert {node.name.rpartition("/")[2] for node in view.nodes if node.role == "source"} == {"kernel", "bias"}
    assert [node.name for node in view.nodes if node.role == "target"] == ["loss"]
    assert view.omitted > 0


@pytest.mark.parametrize("program", ["eager", "fit"])
def test_the_only_cut_in_the_lineage_is_where_the_gradient_is_lost(reports, program: str) -> None:
    view = lineage(reports[program])
    nodes = {node.id: node for node in view.nodes}
    assert [nodes[edge.end].op for edge in view.edges if not edge.connected] == ["StopGradient"]
    assert [edge.label for edge in view.edges if edge.label] == ["stop_gradient"]
    borders = [edge for edge in view.edges if nodes[edge.end].connected and not nodes[edge.start].connected]
    assert [nodes[edge.end].op for edge in borders] == ["StopGradient"]


@pytest.mark.parametrize(("weight", "drawn"), [("", "Exp"), (" * weight", "Mul")])
def test_what_is_not_watched_is_cut_at_the_source(runner: Runner, tmp_path, weight: str, drawn: str) -> None:
    program = tmp_path / "unwatched.py"
    program.write_text(UNWATCHED.replace("WEIGHT", weight), encoding="utf-8")
    report = runner.run(program).report
    assert report is not None
    view = lineage(report)
    nodes = {node.id: node for node in view.nodes}
    assert [(node.name, node.connected) for node in view.nodes if node.role == "source"] == [("x", False)]
    borders = [edge for edge in view.edges if nodes[edge.end].connected and not nodes[edge.start].connected]
    assert [(nodes[edge.start].name, nodes[edge.end].op, edge.label) for edge in borders] == [
        ("x", drawn, "not watched")
    ]


@pytest.mark.parametrize(
    ("program", "layers"), [("eager", {"encoder", "head"}), ("fit", {"net/first", "net/stopper", "net/last"})]
)
def test_operations_are_grouped_by_layer(reports, program: str, layers: set[str]) -> None:
    assert {node.layer for node in lineage(reports[program]).nodes} - {""} == layers


@pytest.mark.parametrize("program", ["eager", "fit"])
def test_operations_have_a_dtype_and_a_shape(reports, program: str) -> None:
    products = [node for node in lineage(reports[program]).nodes if node.op == "MatMul"]
    assert [node.dtype for node in products] == ["float32", "float32"]
    assert all(node.shape is not None and node.shape[-1] in (1, 4, 6) for node in products)


def test_every_variable_of_an_eager_training_has_its_norms(reports) -> None:
    views = by_layer(reports["eager"])
    lost, flowing = views["encoder", "kernel"], views["head", "kernel"]
    assert (lost.gradient, lost.updated, lost.diagnoses) == ("none", False, ("d1",))
    assert (flowing.gradient, flowing.updated, flowing.diagnoses) == ("flows", True, ())
    assert flowing.steps == lost.steps == (0, 1, 2, 3, 7)
    assert all(isinstance(norm, float) and norm > 0 for norm in flowing.norms)
    assert set(lost.norms) == {None}


def test_of_a_traced_training_it_is_known_what_is_none_and_what_changes(reports) -> None:
    views = by_layer(reports["fit"])
    assert (views["first", "kernel"].gradient, views["first", "kernel"].updated) == ("none", False)
    assert (views["last", "kernel"].gradient, views["last", "kernel"].updated) == ("flows", True)
    assert views["last", "kernel"].tracked and views["last", "kernel"].trainable


@pytest.mark.parametrize(
    ("code", "text", "lost", "goal"),
    [("TW305", FUNCTIONAL, "text", "keras.Model"), ("TW403", LEAK, "losses[0]", "used eagerly")],
)
def test_what_ends_without_a_gradient_is_drawn_to_the_place_that_it_could_not_get_to(
    runner: Runner, tmp_path, code: str, text: str, lost: str, goal: str
) -> None:
    program = tmp_path / "ends.py"
    program.write_text(text, encoding="utf-8")
    result = runner.run(program)
    assert result.report is not None and [d.code for d in result.report.diagnoses] == [code], result.account()
    view = lineage(result.report)
    nodes = {node.id: node for node in view.nodes}
    assert [(node.name, node.role) for node in view.nodes if not node.connected] == [(lost, "source")]
    assert [node.op for node in view.nodes if node.role == "target"] == [goal]
    cuts = [edge for edge in view.edges if not edge.connected]
    assert [nodes[edge.start].name for edge in cuts] == [lost] and all(edge.label for edge in cuts)


def test_a_leaked_tensor_is_drawn_in_the_function_that_it_escaped(runner: Runner, tmp_path) -> None:
    program = tmp_path / "leak.py"
    program.write_text(LEAK, encoding="utf-8")
    report = runner.run(program).report
    assert report is not None
    layers = {node.op: node.layer for node in lineage(report).nodes}
    assert (layers["Mean"], layers["Mul"], layers["used eagerly"]) == ("step", "step", "")


def test_steps_before_the_one_that_was_asked_about_are_not_drawn(reports) -> None:
    assert sorted(node.op for node in lineage(reports["later"]).nodes) == ["AddV2", "Mul", "StopGradient", "Variable"]


def test_every_call_of_a_layer_is_drawn_within_it(runner: Runner, tmp_path) -> None:
    program = tmp_path / "unrolled.py"
    program.write_text(UNROLLED, encoding="utf-8")
    report = runner.run(program).report
    assert report is not None
    assert [node.layer for node in lineage(report).nodes if node.op == "Tanh"] == ["cell"] * 4
