"""Edits of training loops, state, sessions and Lambda layers: what they change, and when there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support import edits
from tensorwhy.fixes import lambdas, sessions, state, training
from tensorwhy.model.location import Location
from tensorwhy.model.report import Edit
from tensorwhy.source.files import Sources

Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a program, and gives its path."""

    def written(text: str) -> str:
        path = tmp_path / "program.py"
        path.write_text("import tensorflow as tf\n" + text, encoding="utf-8")
        return str(path)

    return written


def at(file: str, text: str) -> Location:
    """The line that begins with this text, after white space."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return Location(file=file, line=next(n for n, each in enumerate(lines, 1) if each.strip().startswith(text)))


def after(file: str, found: tuple[Edit, ...]) -> str:
    return edits.apply(Path(file).read_text(encoding="utf-8"), list(found)).partition("\n")[2]


def test_what_is_stored_is_read_from_the_tensor(write: Write) -> None:
    file = write("def call(self, x):\n    self.h.assign(f(x) * 2)  # kept\n    return g(self.h.read_value())\n")
    assert after(file, state.beside(at(file, "self.h"), Sources())) == (
        "def call(self, x):\n    updated_h = f(x) * 2\n    self.h.assign(updated_h)  # kept\n    return g(updated_h)\n"
    )


def test_what_is_stored_under_a_name_is_read_by_that_name(write: Write) -> None:
    file = write("new = f(x)\nv.assign(new)\nloss = g(v)\n")
    assert after(file, state.beside(at(file, "v.assign"), Sources())) == "new = f(x)\nv.assign(new)\nloss = g(new)\n"


def test_what_is_added_is_added_to_the_tensor_of_the_last_turn(write: Write) -> None:
    file = write("for x in data:\n    y = v * x\n    v.assign_sub(a - y)\nloss = g(v)\n")
    assert after(file, state.beside(at(file, "v.assign_sub"), Sources())) == (
        "carried_v = tf.identity(v)\nfor x in data:\n    y = carried_v * x\n    carried_v = carried_v - (a - y)\n"
        "    v.assign(carried_v)\nloss = g(carried_v)\n"
    )


def test_a_variable_made_of_a_value_is_the_value(write: Write) -> None:
    file = write("code = tf.Variable(encoder(x), name='code')\nout = decoder(code)\n")
    found = state.beside(at(file, "code"), Sources())
    assert after(file, found) == "code = encoder(x)\nout = decoder(code)\n"


@pytest.mark.parametrize(
    "text",
    [
        "v.assign(f(x))\n\n\ndef loss():\n    return g(v)\n",
        "v.assign(f(x))\ny = g(v)\nv.assign(y)\nloss = g(v)\n",
        "for v in variables:\n    v.assign(f(v))\nloss = g(v)\n",
        "v[0].assign(f(x))\nloss = g(v)\n",
        "v = tf.Variable(f(x))\nv.assign_add(1.0)\n",
    ],
    ids=["read elsewhere", "stored twice", "another variable in each turn", "a part of it", "stored later"],
)
def test_state_that_cannot_be_followed_is_left_alone(text: str, write: Write) -> None:
    file = write(text)
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    line = next(n for n, each in enumerate(lines, 1) if "assign(" in each or "Variable(" in each)
    assert state.beside(Location(file=file, line=line), Sources()) == ()


LOOP = (
    "opt = tf.keras.optimizers.Adam()\nencoder = Net()\ndecoder = Net()\nfor x in data:\n"
    "    with tf.GradientTape() as tape:\n        loss = f(x)\n"
)


def test_gradients_are_applied_behind_what_is_done_with_them(write: Write) -> None:
    file = write(
        LOOP + "    grads = tape.gradient(loss, net.trainable_weights)\n    grads = clip(grads)\n    print(loss)\n"
    )
    assert after(file, training.applied(at(file, "grads = tape"), Sources())) == (
        LOOP + "    grads = tape.gradient(loss, net.trainable_weights)\n    grads = clip(grads)\n"
        "    opt.apply_gradients(zip(grads, net.trainable_weights))\n    print(loss)\n"
    )


TWO = LOOP.replace("opt = ", "a, b = tf.keras.optimizers.SGD(), ") + "    grads = tape.gradient(loss, v)\n"


def test_of_two_optimizers_the_idle_one_is_meant(write: Write) -> None:
    file = write(TWO + "    a.apply_gradients(zip(others, w))\n")
    assert "    b.apply_gradients(zip(grads, v))\n" in after(file, training.applied(at(file, "grads"), Sources()))


def test_of_two_idle_optimizers_none_is_chosen(write: Write) -> None:
    file = write(TWO)
    assert training.applied(at(file, "grads"), Sources()) == ()


def test_what_was_left_out_is_added_to_the_list(write: Write) -> None:
    file = write(LOOP + "    weights = decoder.trainable_variables\n    grads = tape.gradient(loss, weights)\n")
    found = training.asked_too(at(file, "grads"), [at(file, "encoder")], Sources())
    assert "    weights = decoder.trainable_variables + encoder.trainable_variables\n" in after(file, found)


def test_a_list_without_a_name_is_changed_wherever_it_stands(write: Write) -> None:
    file = write(
        LOOP
        + "    grads = tape.gradient(loss, decoder.weights)\n    opt.apply_gradients(zip(grads, decoder.weights))\n"
    )
    found = training.asked_too(at(file, "grads"), [at(file, "encoder")], Sources())
    assert after(file, found).count("decoder.weights + encoder.trainable_variables)") == 2


METHODS = """\
class Model:
    def __init__(self):
        self.encoder = Dense(3)
        self.decoder = Dense(8)

    def parameters(self):
        return self.decoder.trainable_variables

    def step(self, x):
        variables = self.parameters()
        grads = tape.gradient(loss(x), variables)
        self.opt.apply_gradients(zip(grads, self.parameters()))
"""


def test_what_was_left_out_is_added_to_the_list_that_a_method_gives(write: Write) -> None:
    file = write(METHODS)
    found = training.asked_too(at(file, "grads"), [at(file, "self.encoder")], Sources())
    assert after(file, found) == METHODS.replace(
        "return self.decoder.trainable_variables",
        "return self.decoder.trainable_variables + self.encoder.trainable_variables",
    )


def test_a_name_of_another_function_is_not_added_there(write: Write) -> None:
    file = write(METHODS.replace("self.encoder", "encoder"))
    assert training.asked_too(at(file, "grads"), [at(file, "encoder")], Sources()) == ()


def test_gradients_are_paired_with_what_they_were_asked_for(write: Write) -> None:
    file = write(LOOP + "    grads = tape.gradient(loss, [a, b])\n    opt.apply_gradients(zip(grads, [b, a]))\n")
    found = training.paired(at(file, "grads"), at(file, "opt.apply"), Sources())
    assert "    opt.apply_gradients(zip(grads, [a, b]))\n" in after(file, found)


def test_only_what_can_be_trained_is_asked_for(write: Write) -> None:
    file = write("weights = one.weights + two.variables\n")
    found = training.only_trainable(at(file, "weights"), Sources())
    assert after(file, found) == "weights = one.trainable_weights + two.trainable_variables\n"


def test_gradients_are_paired_with_what_is_asked_for_now(write: Write) -> None:
    file = write(
        "grads = tape.gradient(loss, net.weights)\nopt.apply_gradients(zip(grads, net.weights))\nsave(net.weights)\n"
    )
    found = training.only_trainable(at(file, "grads"), Sources())
    assert after(file, found) == (
        "grads = tape.gradient(loss, net.trainable_weights)\n"
        "opt.apply_gradients(zip(grads, net.trainable_weights))\nsave(net.weights)\n"
    )


def test_a_layer_is_left_trainable(write: Write) -> None:
    file = write("base.trainable = False\nmodel = Net(base)\n")
    assert after(file, training.unfrozen(at(file, "base"), Sources())) == "model = Net(base)\n"


SERVED = """\
session = tf.compat.v1.Session()


def serve(x):
    '''Scores.'''
    y = f(x)

    return session.run(y)
"""


def test_graph_and_session_are_entered_around_what_a_function_does(write: Write) -> None:
    file = write(SERVED)
    assert after(file, sessions.entered(at(file, "y = "), Sources())) == SERVED.replace(
        "    y = f(x)\n\n    return session.run(y)\n",
        "    with session.graph.as_default(), session.as_default():\n"
        "        y = f(x)\n\n        return session.run(y)\n",
    )


def test_a_text_of_several_lines_keeps_its_indentation(write: Write) -> None:
    file = write(SERVED.replace("f(x)", "f('''a\n    b''')"))
    assert sessions.entered(at(file, "y = "), Sources()) == ()


def test_a_session_is_opened_on_the_graph_of_a_tensor(write: Write) -> None:
    file = write("with tf.compat.v1.Session() as s:\n    print(s.run(score, {}))\n")
    found = sessions.opened_on("score", Location(file=file, line=3, column=10, end_line=3, end_column=26), Sources())
    assert after(file, found).startswith("with tf.compat.v1.Session(graph=score.graph) as s:\n")


SCALED = """\
scale = tf.Variable(2)
model = Sequential([tf.keras.layers.Lambda(lambda x: x * scale)])
print(scale.shape)
"""
OWN = """\


class Scale(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.scale = self.add_weight(name="scale", shape=(), initializer=tf.keras.initializers.Constant(2.0))

    def call(self, x):
        return x * self.scale


scale_layer = Scale()
model = Sequential([scale_layer])
print(scale_layer.scale.shape)
"""


def test_a_variable_in_a_lambda_becomes_the_weight_of_a_layer(write: Write) -> None:
    file = write(SCALED)
    assert after(file, lambdas.own_layer(at(file, "scale"), Sources())) == OWN


def test_a_variable_in_a_function_becomes_the_weight_of_a_layer_in_front_of_it(write: Write) -> None:
    file = write(
        "import tensorflow as tf\n\n\ndef build(x):\n    # learned\n    scale = tf.Variable(2.0)\n"
        "    return tf.keras.layers.Lambda(lambda t: t * scale)(x)\n"
    )
    changed = after(file, lambdas.own_layer(at(file, "scale ="), Sources()))
    assert changed.startswith("import tensorflow as tf\n\n\nclass Scale(tf.keras.layers.Layer):\n")
    assert changed.endswith(
        "        return t * self.scale\n\n\ndef build(x):\n    # learned\n    scale_layer = Scale()\n"
        "    return scale_layer(x)\n"
    )


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("Lambda(lambda x: relu(dense(x)))(y)", "Lambda(lambda x: relu(x))(dense(y))"),
        ("Lambda(lambda x: dense(x))(y)", "dense(y)"),
        ("Net([Lambda(lambda x: dense(x)), last])", "Net([dense, last])"),
        ("Net([Lambda(lambda x: dense(x) + 1)])", "Net([dense, Lambda(lambda x: x + 1)])"),
    ],
)
def test_a_layer_in_a_lambda_is_called_before_it(before: str, behind: str, write: Write) -> None:
    file = write(f"dense = Dense(4)\nz = {before}\n")
    assert after(file, lambdas.called_outside(at(file, "dense"), Sources())) == f"dense = Dense(4)\nz = {behind}\n"


@pytest.mark.parametrize("function", ["dense(x) + x", "dense(x + 1)", "dense(dense(x))"])
def test_a_layer_whose_call_cannot_be_taken_out_stays(function: str, write: Write) -> None:
    file = write(f"dense = Dense(4)\nz = Lambda(lambda x: {function})(y)\n")
    assert lambdas.called_outside(at(file, "dense"), Sources()) == ()


COMPILED = """\
def main():
    model.compile(
        "adam",
        loss="mse",
    )
    model.fit(x, y)
    body.trainable = True
    history = model.fit(x, y)
"""


def test_a_model_is_compiled_again_before_it_is_trained_again(write: Write) -> None:
    file = write(COMPILED)
    again = '    model.compile(\n        "adam",\n        loss="mse",\n    )\n'
    expected = COMPILED.replace("    history", again + "    history")
    assert after(file, training.compiled_again(Location(file=file, line=9), Sources())) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [("model.compile(", "other.compile("), ("    history = model.fit(x, y)", "    for _ in t: model.fit(x, y)")],
)
def test_what_is_compiled_elsewhere_or_trained_in_a_loop_is_left_alone(write: Write, old: str, new: str) -> None:
    assert not training.compiled_again(Location(file=write(COMPILED.replace(old, new)), line=9), Sources())
