"""Reports as the pipeline makes them, built by hand: for tests of the renderer, and for looking at the page."""

from __future__ import annotations

from tensorwhy.model.location import Location, Marked
from tensorwhy.model.report import (
    Coverage,
    Diagnosis,
    Edit,
    Environment,
    Fix,
    LineageEdge,
    LineageNode,
    LineageView,
    PathStep,
    Position,
    Program,
    Report,
    Symptom,
    TensorRef,
    VariableView,
    Verification,
)
from tensorwhy.rendering import Options

BASE = "/home/ada/churn"
OPTIONS = Options(base=BASE)
FILE = "/home/ada/churn/train.py"
LAYERS = "/home/ada/churn/layers.py"

SOURCE = """\
import tensorflow as tf
import keras

from layers import Encoder


def penalty(loss, features, tape):
    grad = tape.gradient(loss, features)  # asks how much the loss leans on each input
    return tf.reduce_mean(tf.square(grad))


encoder = Encoder(units=64, name="encoder")
features = tf.random.normal([32, 16], seed=7)
hidden = encoder(features)
labels = tf.cast(tf.random.uniform([32], seed=7) > 0.5, tf.float32)

head = keras.layers.Dense(1, name="head")
optimizer = keras.optimizers.Adam(1e-3)


with tf.GradientTape() as tape:
    logits = head(hidden)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels[:, None], logits))
loss = loss + 0.1 * penalty(loss, features, tape)
"""
LAYER_SOURCE = """\
class Encoder(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.blocks = {"first": keras.layers.Dense(units), "second": [keras.layers.Dense(units)]}

    def call(self, inputs):
        hidden = tf.nn.relu(self.blocks["first"](inputs))
        return tf.stop_gradient(self.blocks["second"][0](hidden))
"""


def excerpt(text: str) -> dict[int, str]:
    """Line number -> text of a whole file."""
    return dict(enumerate(text.splitlines(), 1))


def at(text: str, file: str = FILE, source: str = SOURCE, nth: int = 0, function: str = "<module>") -> Location:
    """Where a piece of a sample program stands."""
    position = -1
    for _ in range(nth + 1):
        position = source.index(text, position + 1)
    line = source.count("\n", 0, position) + 1
    column = position - (source.rfind("\n", 0, position) + 1)
    return Location(
        file=file, line=line, column=column, end_line=line, end_column=column + len(text), function=function
    )


def replaced(location: Location, text: str) -> Edit:
    """An edit that puts `text` in place of what stands at the location."""
    assert location.column is not None and location.end_column is not None
    return Edit(
        file=location.file,
        start=Position(line=location.line, column=location.column),
        end=Position(line=location.line, column=location.end_column),
        replacement=text,
    )


CALL = at("encoder(features)")
TAPE = at("with tf.GradientTape() as tape:")
GRADIENT = at("tape.gradient(loss, features)", function="penalty")
FEATURES = at("tf.random.normal([32, 16], seed=7)")
STOP = at('tf.stop_gradient(self.blocks["second"][0](hidden))', LAYERS, LAYER_SOURCE, function="call")
DENSE = at('self.blocks["first"](inputs)', LAYERS, LAYER_SOURCE, function="call")
RELU = at('tf.nn.relu(self.blocks["first"](inputs))', LAYERS, LAYER_SOURCE, function="call")
SECOND = at('self.blocks["second"][0](hidden)', LAYERS, LAYER_SOURCE, function="call")
HEAD = at("head(hidden)")
LOSS = at("tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels[:, None], logits))")

CONFIRMED = Verification(
    status="confirmed",
    method="replay",
    evidence="with all three changes the gradient of `loss` has norm 3.21 and matches finite differences to 2e-5; "
    "with any one of them alone it is still None. Forward values did not change.",
)


def _node(
    id_: str, op: str, shape: tuple[int | None, ...], layer: str, location: Location, **more: object
) -> LineageNode:
    return LineageNode(id=id_, op=op, shape=shape, dtype="float32", layer=layer, location=location, **more)  # type: ignore[arg-type]


def lineage() -> LineageView:
    """A small network with two weights a layer, cut in two places."""
    first, second = "encoder/dense", "encoder/dense_1"
    nodes = (
        _node("x", "RandomStandardNormal", (32, 16), "", FEATURES, name="features", role="source", connected=False),
        _node("w1", "ReadVariableOp", (16, 64), first, DENSE, name="dense/kernel", role="variable", connected=False),
        _node("b1", "ReadVariableOp", (64,), first, DENSE, name="dense/bias", role="variable", connected=False),
        _node("mm1", "MatMul", (32, 64), first, DENSE, connected=False),
        _node("add1", "BiasAdd", (32, 64), first, DENSE, connected=False),
        _node("relu", "Relu", (32, 64), "encoder", RELU, name="hidden", connected=False),
        _node(
            "w2", "ReadVariableOp", (64, 64), second, SECOND, name="dense_1/kernel", role="variable", connected=False
        ),
        _node("b2", "ReadVariableOp", (64,), second, SECOND, name="dense_1/bias", role="variable", connected=False),
        _node("mm2", "MatMul", (32, 64), second, SECOND, connected=False),
        _node("add2", "BiasAdd", (32, 64), second, SECOND, connected=False),
        _node("stop", "StopGradient", (32, 64), "encoder", STOP, name="hidden", connected=False),
        _node("w3", "ReadVariableOp", (64, 1), "head", HEAD, name="head/kernel", role="variable"),
        _node("b3", "ReadVariableOp", (1,), "head", HEAD, name="head/bias", role="variable"),
        _node("mm3", "MatMul", (32, 1), "head", HEAD),
        _node("add3", "BiasAdd", (32, 1), "head", HEAD, name="logits"),
        _node("ce", "SigmoidCrossEntropyWithLogits", (32, 1), "", LOSS),
        _node("mean", "Mean", (), "", LOSS, name="loss", role="target"),
    )
    pairs = [
        ("x", "mm1"), ("w1", "mm1"), ("mm1", "add1"), ("b1", "add1"), ("add1", "relu"), ("relu", "mm2"),
        ("w2", "mm2"), ("mm2", "add2"), ("b2", "add2"), ("add2", "stop"), ("w3", "mm3"), ("mm3", "add3"),
        ("b3", "add3"), ("add3", "ce"), ("ce", "mean"),
    ]  # fmt: skip
    edges = [LineageEdge(start=start, end=end) for start, end in pairs]
    cut = LineageEdge(start="stop", end="mm3", connected=False, label="TW104")
    return LineageView(nodes=nodes, edges=(*edges, cut), omitted=41)


def outside_tape() -> Diagnosis:
    """The forward pass ran before the tape opened."""
    return Diagnosis(
        id="d1",
        code="TW102",
        slug="computed-outside-tape",
        family="gradient",
        severity="error",
        certainty="proved",
        message="the gradient of `loss` with respect to `features` is None: `hidden` is older than the tape",
        primary=Marked.at(CALL, "computed here, before the tape was opened"),
        related=(
            Marked.at(TAPE, "this tape starts recording here", "tape opened"),
            Marked.at(GRADIENT, "None", "gradient"),
        ),
        symptom=Symptom(
            kind="exception",
            message="ValueError: Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) "
            "to a Tensor.",
            location=at("tf.square(grad)", function="penalty"),
        ),
        target=TensorRef(name="loss", dtype="float32", shape=(), location=LOSS),
        source=TensorRef(name="features", dtype="float32", shape=(32, 16), location=FEATURES),
        lineage=lineage(),
        together_with=("d2", "d3"),
        notes=("`head` lies inside the tape: its two weights do get gradients.",),
        fixes=(
            Fix(
                summary="call the encoder inside the `with`",
                edits=(
                    Edit(
                        file=FILE,
                        start=Position(line=CALL.line, column=0),
                        end=Position(line=CALL.line + 1, column=0),
                        replacement="",
                    ),
                    replaced(HEAD, "head(encoder(features))"),
                ),
                caveat="If the encoder is meant to stay frozen and only its inputs matter, watch its output instead.",
                verification=CONFIRMED,
            ),
        ),
        seen=3,
    )


def not_watched() -> Diagnosis:
    """The source is a plain tensor; only a path is known."""
    path = [("MatMul", DENSE, "encoder/dense"), ("Relu", RELU, "encoder"), ("MatMul", HEAD, "head"), ("Mean", LOSS, "")]
    return Diagnosis(
        id="d2",
        code="TW101",
        slug="not-watched",
        family="gradient",
        severity="error",
        certainty="proved",
        message="`features` is a plain tensor that `tape` never watched",
        primary=Marked.at(FEATURES, "a plain tensor: tapes watch trainable variables only"),
        related=(Marked.at(TAPE, "no `tape.watch(features)` after this", "tape opened"),),
        symptom=Symptom(kind="none-gradient", location=GRADIENT),
        source=TensorRef(name="features", dtype="float32", shape=(32, 16), location=FEATURES),
        target=TensorRef(name="loss", dtype="float32", shape=(), location=LOSS),
        path=tuple(PathStep(op=op, location=where, layer=layer) for op, where, layer in path),
        together_with=("d1", "d3"),
        fixes=(
            Fix(
                summary="watch it as soon as the tape is open",
                edits=(
                    Edit(
                        file=FILE,
                        start=Position(line=TAPE.line + 1, column=0),
                        end=Position(line=TAPE.line + 1, column=0),
                        replacement="    tape.watch(features)\n",
                    ),
                ),
                verification=CONFIRMED,
            ),
            Fix(
                summary="make `features` a `tf.Variable`",
                edits=(replaced(FEATURES, "tf.Variable(tf.random.normal([32, 16], seed=7))"),),
                caveat="the optimizer would then train it if it is among the variables of a layer.",
                verification=Verification(
                    status="refuted",
                    method="rerun",
                    evidence="the gradient is still None: line 14 runs before the tape.",
                ),
            ),
        ),
    )


def stopped() -> Diagnosis:
    """An explicit stop_gradient in another file."""
    return Diagnosis(
        id="d3",
        code="TW104",
        slug="stop-gradient",
        family="gradient",
        severity="error",
        certainty="likely",
        message="`Encoder.call` ends in `tf.stop_gradient`, which blocks the gradient",
        primary=Marked.at(STOP, "cut here"),
        related=(Marked.at(CALL, "called from here", "call"), Marked.at(SECOND, "gets no gradient", "lost")),
        symptom=Symptom(kind="none-gradient", location=GRADIENT),
        together_with=("d1", "d2"),
        lineage=lineage(),
        fixes=(
            Fix(summary="remove the `tf.stop_gradient`", edits=(replaced(STOP, 'self.blocks["second"][0](hidden)'),)),
        ),
    )


def untracked() -> Diagnosis:
    """A layer that Keras does not find."""
    where = at('{"first": keras.layers.Dense(units), "second": [keras.layers.Dense(units)]}', LAYERS, LAYER_SOURCE)
    return Diagnosis(
        id="d4",
        code="TW602",
        slug="wrong-container",
        family="variable",
        severity="warning",
        certainty="possible",
        message="Keras does not track a list inside a dict, so `dense_1/kernel` and `dense_1/bias` never train",
        primary=Marked.at(where, "kept where no layer finds it"),
        symptom=Symptom(kind="silent"),
        also=(
            TensorRef(name="dense_1/kernel", kind="variable", dtype="float32", shape=(64, 64), layer="encoder/dense_1"),
            TensorRef(name="dense_1/bias", kind="variable", dtype="float32", shape=(64,), layer="encoder/dense_1"),
        ),
        fixes=(Fix(summary="make each layer an attribute of its own: `self.first`, `self.second`"),),
    )


def variables() -> tuple[VariableView, ...]:
    """Variables with every state of the gradient."""
    steps = tuple(range(0, 120, 10))
    falling = tuple(3.2 * 0.71**index + 0.05 * (index % 3) for index in range(12))
    vanishing = tuple(0.4 * 0.2**index if index < 9 else 0.0 for index in range(12))
    patchy: tuple[float | None, ...] = tuple(
        None if index in (3, 4, 8) else 0.8 + 0.1 * (index % 4) for index in range(12)
    )
    common = {"dtype": "float32", "trainable": True, "tracked": True, "updated": True, "steps": steps}
    return (
        VariableView(name="kernel", layer="encoder/dense", shape=(16, 64), gradient="flows", norms=falling, **common),  # type: ignore[arg-type]
        VariableView(name="bias", layer="encoder/dense", shape=(64,), gradient="zero", norms=vanishing, **common),  # type: ignore[arg-type]
        VariableView(
            name="kernel", layer="encoder/dense_1", shape=(64, 64), dtype="float32", trainable=True, tracked=False,
            updated=False, gradient="none", steps=steps, norms=(None,) * 12, diagnoses=("d3", "d4"),
        ),
        VariableView(
            name="bias", layer="encoder/dense_1", shape=(64,), dtype="float32", trainable=True, tracked=False,
            updated=False, gradient="none", steps=steps, norms=(None,) * 12, diagnoses=("d4",),
        ),
        VariableView(name="kernel", layer="head", shape=(64, 1), gradient="flows", norms=patchy, **common),  # type: ignore[arg-type]
        VariableView(
            name="bias", layer="head", shape=(1,), gradient="flows",
            norms=(0.5, 0.9, 4.0, 60.0, "inf", *("nan",) * 7), **common,  # type: ignore[arg-type]
        ),
        VariableView(
            name="moving_mean", layer="norm", shape=(64,), dtype="float32", trainable=False, tracked=True, updated=True
        ),
    )  # fmt: skip


def report(*diagnoses: Diagnosis, **more: object) -> Report:
    """A report of the sample program."""
    fields = {
        "tool_version": "0.1.0",
        "program": Program(path=FILE, exit_code=1 if diagnoses else 0),
        "environment": Environment(python="3.11.7", frameworks={"tensorflow": "2.21.0", "keras": "3.15.1"}),
        "diagnoses": diagnoses,
        "excerpts": {FILE: excerpt(SOURCE), LAYERS: excerpt(LAYER_SOURCE)},
    }
    return Report(**{**fields, **more})  # type: ignore[arg-type]


def full() -> Report:
    """Several joined diagnoses, fixes of every outcome, variables, and gaps in what was observed."""
    return report(
        outside_tape(),
        not_watched(),
        stopped(),
        untracked(),
        variables=variables(),
        coverage=Coverage(
            recorded_ops=1284,
            steps_recorded=12,
            unobserved=("operations inside `tf.data` functions", "gradients taken by `tf.gradients` in graph mode"),
        ),
    )
