"""The pytest plugin, in pytest."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("tensorflow")  # imported here, not in the inner runs: it can be imported only once

LOST = """
    import tensorflow as tf

    def gradient():
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            y = x * x
        return tape.gradient(y, x)
"""


@pytest.fixture
def run(pytester: pytest.Pytester):
    """Run pytest on the text of one test file."""

    def runs(text: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(text)
        plugin = [] if "tensorwhy" in _loaded() else ["-p", "tensorwhy.integrations.pytest_plugin"]
        given = (*plugin, "-p", "no:cacheprovider", "-p", "no:xdist", *options)
        return pytester.runpytest_inprocess(*given, no_reraise_ctrlc=True)

    return runs


def _loaded() -> set[str]:
    """The names of the plugins that are installed here by entry point."""
    import importlib.metadata

    return {each.name for each in importlib.metadata.entry_points(group="pytest11")}


def test_a_failure_of_lineage_is_explained(run) -> None:
    result = run(
        """
        import tensorflow as tf

        def test_leak():
            kept = []

            @tf.function
            def step(x):
                kept.append(x * 2.0)
                return x

            step(tf.constant(1.0))
            tf.constant(1.0) + kept[0]
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- tensorwhy -*", "*TW403 leaked-tensor*"])


def test_any_other_failure_is_left_alone(run) -> None:
    result = run("def test_it():\n    assert 1 == 2")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*tensorwhy -*")


VERDICTS = (
    "pytest.fail('no')",
    "with pytest.raises(ValueError): tf.ones(2)",
    "with pytest.raises(ValueError, match='not this'): raise ValueError('that')",
    "with pytest.warns(UserWarning): tf.ones(2)",
    "np.testing.assert_allclose(tf.ones(2).numpy(), np.zeros(2))",
    "unittest.TestCase().assertEqual(tf.ones(2).shape, (3,))",
    "tf.test.TestCase().assertAllClose(tf.ones(2), tf.zeros(2))",
    "tf.test.TestCase().assertShapeEqual(np.ones(2), tf.zeros(3))",
)


def test_the_verdict_of_a_test_is_no_refusal(run) -> None:
    tests = (f"def test_{number}():\n    {verdict}\n" for number, verdict in enumerate(VERDICTS))
    result = run("import unittest\nimport numpy as np\nimport pytest\nimport tensorflow as tf\n" + "\n".join(tests))
    result.assert_outcomes(failed=len(VERDICTS))
    result.stdout.no_fnmatch_line("*TW701*")


@pytest.mark.parametrize("options", [(), ("--why",)])
def test_a_none_that_an_assert_found_is_explained(run, options: tuple[str, ...]) -> None:
    result = run(LOST + "\n    def test_it(tmp_path):\n        assert gradient() is not None\n", *options)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- tensorwhy -*", "*TW101 not-watched*"])


APPLIED = """
    import pytest
    import tensorflow as tf

    @pytest.fixture(scope="module")
    def model():
        return tf.Variable(1.0)

    def apply(variable):
        with tf.GradientTape() as tape:
            loss = tf.round(variable)
        tf.keras.optimizers.SGD().apply_gradients([(tape.gradient(loss, variable), variable)])
"""


def test_an_optimizer_that_got_no_gradient_is_explained(run) -> None:
    result = run(APPLIED + "\n    def test_it():\n        apply(tf.Variable(1.0))\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*No gradients provided*", "*- tensorwhy -*", "*TW106 non-differentiable-op*"])


@pytest.mark.parametrize(
    "test", ["def test_it(model):", "@pytest.mark.parametrize('n', [1])\n    def test_it(n, model):"]
)
def test_a_test_that_shares_a_fixture_is_not_run_again_but_told_how_to_be_explained(run, test: str) -> None:
    result = run(APPLIED + f"\n    {test}\n        print('ran')\n        apply(model)\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- tensorwhy -*", "*`pytest --why` records this test*"])
    assert str(result.stdout).count("ran\n") == 1


def test_a_none_that_an_assert_found_with_a_shared_fixture_is_told_how_to_be_explained(run) -> None:
    body = """
    def test_it(model):
        with tf.GradientTape() as tape:
            y = tf.round(model)
        slope = tape.gradient(y, model)
        assert slope is not None
    """
    result = run(APPLIED + body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- tensorwhy -*", "*`pytest --why` records this test*"])


def test_a_second_run_leaves_no_trace_in_what_follows(run) -> None:
    text = (
        LOST
        + """
    import random

    def test_first():
        print("said")
        random.random()
        assert gradient() is not None

    def test_second():
        expected = random.Random(7)
        expected.random()
        assert random.random() == expected.random()
    """
    )
    result = run(text.replace("import random", "import random\n    random.seed(7)", 1))
    result.assert_outcomes(failed=1, passed=1)
    assert str(result.stdout).count("said") == 2, "once in the source that is shown, once as output"


def test_another_failure_of_a_test_with_gradients_says_nothing(run) -> None:
    result = run("import tensorflow as tf\ndef test_it():\n    assert tf.constant(1.0) + 1.0 == 3.0\n")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*tensorwhy -*")


def test_what_a_passing_test_lost_is_listed(run) -> None:
    result = run(LOST + "\n    def test_it():\n        gradient()\n", "--why")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_it passed, but*", "*TW101 not-watched*"])


def test_a_healthy_test_says_nothing(run) -> None:
    result = run("import tensorflow as tf\ndef test_it():\n    assert tf.constant(1.0) + 1.0 == 2.0\n", "--why")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*tensorwhy*passed, but*")


@pytest.mark.parametrize("options", [(), ("--why",)])
@pytest.mark.parametrize("end", ["raise KeyboardInterrupt", "pytest.exit('enough')"])
def test_an_interrupted_test_is_explained(run, options: tuple[str, ...], end: str) -> None:
    fixture = "" if options else "tensorwhy_recording"
    text = f"import pytest\n{LOST}\n    def test_it({fixture}):\n        gradient()\n        {end}\n"
    result = run("\n".join(line.removeprefix("    ") for line in text.splitlines()), *options)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*tensorwhy: the interrupted test*", "*TW101 not-watched*"])


def test_an_interrupt_while_a_test_runs_again_keeps_its_failure(run) -> None:
    result = run(
        LOST
        + """
    tried = []

    def test_it():
        tried.append(gradient())
        if len(tried) > 1:
            raise KeyboardInterrupt
        assert tried[0] is not None

    def test_never():
        pass
    """
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(failed=1)


def test_a_fixture_records_one_test(run) -> None:
    result = run(
        LOST
        + """
    def test_report(tensorwhy_recording):
        gradient()
        assert [each.code for each in tensorwhy_recording.so_far().diagnoses] == ["TW101"]

    def test_failure(tensorwhy_recording):
        assert gradient() is not None
    """
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*- tensorwhy -*", "*TW101 not-watched*"])


def test_no_hook_is_left_behind(run) -> None:
    run(LOST + "\n    def test_it():\n        assert gradient()\n", "--why")
    pywrap_tfe = sys.modules["tensorflow"].__name__ and __import__("tensorflow.python.pywrap_tfe", fromlist=["x"])
    assert not pywrap_tfe.TFE_Py_TapeGradient.__module__.startswith("tensorwhy")
