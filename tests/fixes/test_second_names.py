"""Edits that give a second thing a name of its own, or make it once more: what they change, and when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.edits import Written, after, line
from tensorwhy.fixes import activations, optimizers, renaming, training
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def at(file: str, text: str) -> Location:
    """The line that holds this text."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return line(file, next(number for number, each in enumerate(lines, 1) if text in each))


def test_the_second_object_of_a_name_gets_another_one(written: Written) -> None:
    file = written("encoder = make(3)\nmodel = use(encoder)\nencoder = make(4)  # again\nask(encoder)\n")
    assert after(file, renaming.second(line(file, 3), Sources())) == (
        "encoder = make(3)\nmodel = use(encoder)\nencoder_2 = make(4)  # again\nask(encoder)\n"
    )


def test_what_goes_on_from_the_old_value_keeps_its_name(written: Written) -> None:
    file = written("weight = make()\nweight = weight * 2.0\n")
    assert renaming.second(line(file, 2), Sources()) == ()


def test_a_result_gets_a_name_of_its_own_wherever_it_is_read_and_not_where_the_function_is_called(
    written: Written,
) -> None:
    file = written("for x in data:\n    loss = loss(x, loss=1)\n    print(loss, a.loss, f(loss=loss), loss.shape)\n")
    assert after(file, renaming.result(line(file, 2), Sources())) == (
        "for x in data:\n    loss_value = loss(x, loss=1)\n"
        "    print(loss_value, a.loss, f(loss=loss_value), loss_value.shape)\n"
    )


TAPES = """\
def curvature(x):
    with GradientTape() as tape:
        tape.watch(x)
        with GradientTape() as tape:
            y = f(x)
        slope = tape.gradient(y, x)
    return tape.gradient(slope, x)
"""


def test_the_outer_one_of_two_tapes_is_renamed_where_it_is_opened_watches_and_is_asked(written: Written) -> None:
    file = written(TAPES)
    found = renaming.outer_recorder("tape", line(file, 2), line(file, 4), line(file, 7), Sources())
    lines = after(file, found).splitlines()
    assert [lines[1].strip(), lines[2].strip()] == ["with GradientTape() as outer_tape:", "outer_tape.watch(x)"]
    assert lines[3:6] == TAPES.splitlines()[3:6] and lines[6].strip() == "return outer_tape.gradient(slope, x)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('layer = Dense(1, activation="softmax")', 'layer = Dense(1, activation="sigmoid")'),
        ("layer = Dense(1, 'softmax')", "layer = Dense(1, 'sigmoid')"),
        ("p = tf.nn.softmax(logits, axis=-1)", "p = tf.nn.sigmoid(logits)"),
        ("layer = Dense(1, activation=tf.nn.softmax)", "layer = Dense(1, activation=tf.nn.sigmoid)"),
    ],
)
def test_a_softmax_becomes_a_sigmoid_however_it_is_named(written: Written, old: str, new: str) -> None:
    file = written(f"{old}\n")
    assert after(file, activations.sigmoid(line(file, 1), Sources())) == f"{new}\n"


def test_one_of_two_softmaxes_of_a_statement_is_not_guessed(written: Written) -> None:
    file = written('layers = [Dense(1, activation="softmax"), Dense(3, activation="softmax")]\n')
    assert activations.sigmoid(line(file, 1), Sources()) == ()


AGENT = """\
from tensorflow import keras

class Agent:
    def __init__(self, model, rate):
        self.net = model
        self.weights = model.trainable_variables
        self.optimizer = keras.optimizers.Adam(0.01)

    def phase(self, variables):
        for _ in range(3):
            self.optimizer.apply_gradients(variables)

    def step(self, x):
        gradients = tape.gradient(loss, self.weights)
"""


def test_an_optimizer_is_made_anew_before_the_loop_in_which_it_meets_other_variables(written: Written) -> None:
    file = written(AGENT)
    found = optimizers.renewed(at(file, "Adam"), at(file, "apply_gradients"), Sources())
    assert after(file, found) == AGENT.replace(
        "        for _", "        self.optimizer = keras.optimizers.Adam(0.01)\n        for _"
    )


def test_an_optimizer_whose_rate_only_the_other_function_knows_is_not_made_anew(written: Written) -> None:
    file = written(AGENT.replace("0.01", "rate"))
    assert optimizers.renewed(at(file, "Adam"), at(file, "apply_gradients"), Sources()) == ()


def test_a_second_optimizer_takes_the_place_of_the_first_where_another_model_is_trained(written: Written) -> None:
    text = "optimizer = Adam(0.01)\n\ndef step():\n    optimizer.apply(one)\n    optimizer.apply(two)\n"
    file = written(text)
    found = optimizers.second(line(file, 1), line(file, 5), Sources())
    assert after(file, found) == text.replace("0.01)\n", "0.01)\noptimizer_2 = Adam(0.01)\n").replace(
        "optimizer.apply(two)", "optimizer_2.apply(two)"
    )


def test_where_one_statement_trains_both_models_there_is_no_second_optimizer(written: Written) -> None:
    file = written("optimizer = Adam(0.01)\nfor model in (one, two):\n    optimizer.apply(model)\n")
    assert optimizers.second(line(file, 1), line(file, 3), Sources()) == ()


def test_a_list_of_variables_is_read_again_as_the_other_method_knows_the_model(written: Written) -> None:
    file = written(AGENT)
    found = training.listed_again(at(file, "self.weights ="), at(file, "tape.gradient"), Sources())
    assert after(file, found) == AGENT.replace(
        "        gradients", "        self.weights = self.net.trainable_variables\n        gradients"
    )


def test_a_list_of_what_the_other_method_does_not_know_is_not_read_again(written: Written) -> None:
    file = written(AGENT.replace("        self.net = model\n", ""))
    assert training.listed_again(at(file, "self.weights ="), at(file, "tape.gradient"), Sources()) == ()
