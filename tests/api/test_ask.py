"""Questions about one variable, tensor or line: always an answer, with numbers, also when all is well."""

from __future__ import annotations

import re

import pytest

import tensorwhy
from tensorwhy.pipeline.ask import Question, parse

tf = pytest.importorskip("tensorflow")


def answer(explanation):
    return explanation.report.answers[0]


def chains(explanation):
    return answer(explanation).chains


def links(chain) -> dict[str, str]:
    return {link.name: link.state for link in chain.links}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("train.py:28", Question(text="train.py:28", file="train.py", line=28)),
        ("train.py:28:loss", Question(text="train.py:28:loss", file="train.py", line=28, name="loss")),
        ("C:\\work\\train.py:3", Question(text="C:\\work\\train.py:3", file="C:\\work\\train.py", line=3)),
        ("encoder/kernel:0", Question(text="encoder/kernel:0", name="encoder/kernel:0")),
        ("loss", Question(text="loss", name="loss")),
    ],
)
def test_a_question_names_a_line_or_a_thing(text: str, question: Question) -> None:
    assert parse(text) == question


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), ("train.py", "line number"), ("train.py:x", "'x'"), ("train.py:0", "start at 1")]
)
def test_a_question_that_names_neither_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        parse(text)


@pytest.fixture
def training():
    """Three steps of a healthy training with one variable that nothing uses."""
    with tensorwhy.record(show=False) as recording:
        weight, idle = tf.Variable([1.0, 2.0], name="weight"), tf.Variable(1.0, name="idle")
        optimizer = tf.keras.optimizers.SGD(0.1)
        for _ in range(3):
            with tf.GradientTape() as tape:
                hidden = weight * 3.0
                loss = tf.reduce_sum(hidden**2)
            gradient = tape.gradient(loss, weight)
            optimizer.apply_gradients([(gradient, weight)])
        yield recording, weight, idle, hidden


def test_a_healthy_variable_is_told_with_its_norms(training) -> None:
    [chain] = chains(tensorwhy.why(training[1]))
    assert chain.state == "holds"
    assert links(chain) == dict.fromkeys(["made", "watched", "path", "gradient", "update", "value"], "holds")
    assert chain.steps == (1, 2, 3)
    assert chain.norms[0] == pytest.approx(40.2492, rel=1e-5)
    assert [step.op for step in chain.path][-2:] == ["Pow", "Sum"]


def test_a_variable_that_nothing_uses_is_explained_although_nobody_asked(training) -> None:
    explanation = tensorwhy.why(training[2])
    [chain] = chains(explanation)
    assert (chain.state, links(chain)["used"]) == ("broken", "broken")
    assert [finding.code for finding in answer(explanation).findings] == ["TW115"]
    assert "was not used for `loss`" in str(explanation)


def test_a_tensor_on_the_way_is_told_with_what_it_was_made_from(training) -> None:
    explanation = tensorwhy.why(training[3])
    [chain] = chains(explanation)
    assert chain.state == "holds"
    assert "computed from `weight`" in str(explanation)
    assert explanation.history is not None


def test_what_was_lost_in_one_place_is_not_told_of_another() -> None:
    with tensorwhy.record(show=False):
        variable = tf.Variable(2.0)
        for lost in (True, False):
            with tf.GradientTape() as tape:
                loss = tf.round(variable) if lost else variable**2
            if lost:
                tape.gradient(loss, variable)
            else:
                tape.gradient(loss, variable)
        broken, whole = chains(tensorwhy.why(variable))
    assert (broken.state, len(broken.diagnoses)) == ("broken", 1)
    assert (whole.state != "broken", whole.diagnoses) == (True, ())


def test_a_gradient_that_was_not_asked_for_is_answered_source_by_source() -> None:
    with tensorwhy.record(show=False):
        variable, constant = tf.Variable(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            target = variable * constant
        explanation = tensorwhy.explain_gradient(target, [variable, constant], tape=tape)
    assert [chain.state for chain in chains(explanation)] == ["holds", "broken"]
    assert "by the rules of differentiation, it is not None" in str(explanation)
    assert "TW101" in str(explanation)


def test_a_cell_shows_the_same_answer(training) -> None:
    shown = tensorwhy.why(training[1])._repr_html_()
    assert "no broken link" in shown
    assert "the tape watches it" in shown


def test_names_that_one_line_gives_are_told_apart(training) -> None:
    _, weight, idle, _ = training
    assert [chain.subject.name for chain in chains(tensorwhy.why(weight))] == ["weight"]
    assert [chain.subject.name for chain in chains(tensorwhy.why(idle))] == ["idle"]
