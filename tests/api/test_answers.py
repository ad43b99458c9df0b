"""What people ask from Python. TensorFlow is imported by the tests themselves: one process, many recordings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tensorwhy
from tensorwhy import pipeline

tf = pytest.importorskip("tensorflow")
SOURCES = Path(__file__).parents[2] / "src"


def codes(report) -> list[str]:
    return [diagnosis.code for diagnosis in report.diagnoses]


def lost_gradient():
    """A gradient that is None because the constant was never watched."""
    source = tf.constant(3.0)
    with tf.GradientTape() as tape:
        target = source * tf.Variable(2.0)
    return tape.gradient(target, source), source, target


def test_a_recorded_block_has_a_report(capsys) -> None:
    with tensorwhy.record() as recording:
        assert recording.report is None
        lost_gradient()
    assert codes(recording.report) == ["TW101"]
    assert "TW101 not-watched" in capsys.readouterr().err
    assert "TW101" in str(recording)
    assert "not-watched" in recording._repr_html_()


def test_a_silent_recording_prints_nothing(capsys) -> None:
    with tensorwhy.record(show=False):
        lost_gradient()
    assert capsys.readouterr() == ("", "")


def test_a_recorded_block_lets_exceptions_through_and_leaves_no_hook() -> None:
    from tensorflow.python import pywrap_tfe

    before = pywrap_tfe.TFE_Py_FastPathExecute
    with pytest.raises(ZeroDivisionError), tensorwhy.record(show=False):
        assert pywrap_tfe.TFE_Py_FastPathExecute is not before
        1 / 0  # noqa: B018
    assert pywrap_tfe.TFE_Py_FastPathExecute is before
    assert not pipeline.running()


@pytest.mark.parametrize("observe", [tensorwhy.record, tensorwhy.install])
def test_a_mode_that_does_not_exist_is_refused(observe) -> None:
    with pytest.raises(ValueError, match=r"'auto', 'full', 'off'; this is 'all'"):
        observe("all")
    assert not pipeline.running()


def test_recordings_can_be_nested() -> None:
    with tensorwhy.record(show=False) as outer:
        lost_gradient()
        with tensorwhy.record(show=False) as inner:
            variable = tf.Variable([1.0, 2.0])
            with tf.GradientTape() as tape:
                target = tf.reduce_sum(tf.round(variable))
            tape.gradient(target, variable)
    assert (codes(inner.report), inner.report.coverage.unobserved) == (["TW106"], ())
    assert codes(outer.report) == ["TW101", "TW106"], "what the inner one tried is not recorded by the outer one"


def test_variables_of_keras_are_variables() -> None:
    layer = tf.keras.layers.Dense(2, name="head")
    with tensorwhy.record(show=False):
        with tf.GradientTape() as tape:
            target = tf.reduce_sum(layer(tf.ones([1, 3])))
        tape.gradient(target, layer.trainable_variables)
        assert tensorwhy.why(layer.kernel).history.made.name.endswith("kernel")
    assert tensorwhy.history(layer.kernel).made.name.endswith("kernel")


def test_what_was_made_before_a_recording_is_not_called_unused() -> None:
    source = tf.Variable(2.0)
    before = source * 3.0
    with tensorwhy.record(show=False) as recording:
        with tf.GradientTape() as tape:
            target = before * 2.0
        tape.gradient(target, source)
    assert "TW115" not in codes(recording.report)


def test_why_explains_a_none() -> None:
    with tensorwhy.record(show=False) as recording:
        gradient, source, _ = lost_gradient()
        assert gradient is None
        assert codes(tensorwhy.why(gradient).report) == ["TW101"]
        assert codes(tensorwhy.why([tf.constant(1.0), None]).report) == ["TW101"]
        assert codes(tensorwhy.why(source).report) == ["TW101"]
        assert tensorwhy.why(tf.constant(1.0) + 1.0).history.op == "AddV2"
    assert codes(recording.report) == ["TW101"], "asking takes nothing from the report"
    assert codes(tensorwhy.why().report) == ["TW101"], "a recording that is still held can be asked later"


def test_why_says_how_to_record() -> None:
    script = (
        "import tensorwhy, sys; answer = tensorwhy.why(None); print(answer); assert not answer;"
        "assert 'tensorflow' not in sys.modules"
    )
    assert "tensorwhy.install()" in python(script).stdout


def test_why_explains_an_exception() -> None:
    kept = []

    @tf.function
    def step(x):
        kept.append(x * 2.0)
        return x

    step(tf.constant(1.0))
    try:
        tf.constant(1.0) + kept[0]
    except TypeError as error:
        answer = tensorwhy.why(error)
    assert codes(answer.report) == ["TW403"]


def test_a_gradient_can_be_explained_without_asking_for_it() -> None:
    with tensorwhy.record(show=False) as recording:
        variable, constant = tf.Variable(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            target = variable * constant
        lost = tensorwhy.explain_gradient(target, constant, tape=tape)
        there = tensorwhy.explain_gradient(target, [variable], tape=tape)
        assert tape.gradient(target, variable) is not None
    assert codes(lost.report) == ["TW101"]
    assert "`constant`" in lost.report.diagnoses[0].message
    assert not there
    assert "not None" in str(there)
    assert codes(recording.report) == []


def test_a_tape_that_nobody_recorded_is_not_guessed_about() -> None:
    variable = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        target = variable * 2.0
    with tensorwhy.record(show=False):
        answer = tensorwhy.explain_gradient(target, variable, tape=tape)
    assert not answer
    assert "not recorded" in str(answer)


def test_a_tape_at_the_place_of_one_that_is_gone_is_not_taken_for_it() -> None:
    variable = tf.Variable(2.0)
    tapes = []
    with tensorwhy.record(show=False) as recording:
        for _ in range(40):
            with tf.GradientTape() as tape:
                variable * 3.0
            tapes.append(tape)
    tapes.clear()
    for _ in range(200):
        with tf.GradientTape() as tape:
            target = variable * 2.0
        tapes.append(tape)
        assert not tensorwhy.explain_gradient(target, variable, tape=tape)
    assert codes(recording.report) == []


def test_a_tape_that_was_used_up_is_still_known() -> None:
    first, second = tf.Variable(2.0), tf.Variable(3.0)
    with tensorwhy.record(show=False):
        with tf.GradientTape() as tape:
            target = first * 2.0
        with tf.GradientTape():
            second * 2.0
        tape.gradient(target, first)
        answer = tensorwhy.explain_gradient(target, first, tape=tape)
    assert not answer
    assert "not None" in str(answer)


def test_install_explains_at_the_end(tmp_path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorwhy\ntensorwhy.install()\nimport tensorflow as tf\nx = tf.constant(1.0)\n"
        "with tf.GradientTape() as tape:\n    y = x * x\nprint(tape.gradient(y, x))\nraise SystemExit(3)\n"
    )
    done = python(str(program), file=True)
    assert (done.returncode, done.stdout) == (3, "None\n")
    assert "TW101 not-watched" in done.stderr


def python(what: str, file: bool = False) -> subprocess.CompletedProcess[str]:
    import os

    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "TF_CPP_MIN_LOG_LEVEL": "3"}
    argv = [sys.executable, what] if file else [sys.executable, "-c", what]
    return subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_which_ones_are_the_largest_is_told_apart_from_how_large_they_are() -> None:
    with tensorwhy.record(show=False):
        scores = tf.Variable([0.5, 2.0, 1.0])
        with tf.GradientTape() as tape:
            _, best = tf.math.top_k(scores, 2)
            target = tf.reduce_sum(tf.one_hot(best, 3))
        lost = tensorwhy.explain_gradient(target, scores, tape=tape)
    assert codes(lost.report) == ["TW105"]
    assert "only the int32 output of" in lost.report.diagnoses[0].message
    assert "values" in lost.report.diagnoses[0].fixes[0].summary
