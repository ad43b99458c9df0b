"""Programs on which the prediction was wrong once, cut down to what they were about."""

from __future__ import annotations

import textwrap

import pytest

pytest.importorskip("tensorflow")

from fuzz import harness

CALLED_IN_A_GRAPH = """
    import tensorflow as tf

    def program():
        weight = tf.Variable([0.5, 0.2, 0.7])

        @tf.function
        def pair(x):
            y = tf.square(weight) + x
            return y, y * 2.0

        @tf.function
        def unused(x):
            tf.square(weight)
            return x, x

        @tf.function
        def step(x, y):
            QUESTION
            return x

        start = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(start)
            step(start, start + 1.0)
"""


@pytest.mark.parametrize(
    "question",
    [
        "made, beside = pair(y); graph_gradients(made, [beside, weight, x, y])",
        "made, beside = pair(y); graph_gradients(made, [beside], stops=[made])",
        "made, beside = pair(y); graph_gradients(made, [x, y], stops=[beside])",
        "made, beside = unused(y); graph_gradients(made, [x, y], stops=[made])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made, [beside])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made, [beside, y])",
        "made, beside = tf.unstack(tf.stack([x, y])); graph_gradients(made * 2.0, [beside, y], stops=[made])",
    ],
)
def test_an_output_beside_one_with_a_gradient_gets_zeros_in_a_graph(question: str, monkeypatch, tmp_path) -> None:
    outcome = asked(question, monkeypatch, tmp_path)
    assert outcome.pairs
    assert outcome.disagreements == []


def test_a_tape_around_a_graph_does_not_change_what_its_calls_pass_on(monkeypatch, tmp_path) -> None:
    outcome = asked("made, _ = unused(y); graph_gradients(made, [weight, y])", monkeypatch, tmp_path)
    assert (outcome.pairs, outcome.none) == (2, 1)
    assert outcome.disagreements == []


def test_a_graph_asks_for_no_gradient_function_behind_an_integer(monkeypatch, tmp_path) -> None:
    question = "made = tf.bitcast(tf.bitcast(y, tf.int32), tf.float32); graph_gradients(made, [x, y])"
    outcome = asked(question, monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements) == ("", 2, [])


FORWARD = """
    import tensorflow as tf

    def program():
        weight = tf.Variable([0.5, 0.2, 0.7])
        x = tf.constant([0.3, 0.5, 0.9])

        @tf.function
        def pair(a):
            return tf.sign(a), tf.sin(a)

        with tf.GradientTape(persistent=True) as tape:
            y = weight * 1.0
            with tf.autodiff.ForwardAccumulator(PRIMAL, tf.ones([3])) as forward:
                QUESTION
"""


@pytest.mark.parametrize(
    ("primal", "question", "none"),
    [
        ("weight", "z = tf.square(weight); tangent(forward, gradient(tape, z, [weight])[0])", [False, False]),
        ("weight", "z = tf.sin(weight); gradient(tape, tangent(forward, z), [weight])", [False, False]),
        ("x", "tangent(forward, tf.sign(x))", [True]),
        ("weight", "tangent(forward, tf.sign(weight))", [True]),
        ("x", "tangent(forward, tf.raw_ops.PadV2(input=y, paddings=[[1, 1]], constant_values=x[0]))", [False]),
        ("x", "sign, sine = pair(x); tangent(forward, sign); tangent(forward, sine)", [True, False]),
        ("y", "sign, sine = pair(y); gradient(tape, tangent(forward, sine), [weight])", [False, True]),
    ],
)
def test_a_tangent_is_predicted_and_a_missing_one_is_explained(
    primal: str, question: str, none: list[bool], monkeypatch, tmp_path
) -> None:
    outcome = written(FORWARD.replace("PRIMAL", primal), question, monkeypatch, tmp_path)
    assert (outcome.error, outcome.pairs, outcome.none) == ("", len(none), sum(none))
    assert (outcome.disagreements, outcome.unexplained) == ([], [])


WATCHED_TOO_LATE = """
    import tensorflow as tf

    def program():
        weight = tf.Variable([0.5, 0.2])
        x = tf.constant([0.3, 0.5])
        with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
            tape.watch(x)
            y = tf.concat([x, weight], 0)
        with tape:
            tape.watch(weight)
            QUESTION
"""


def test_a_variable_that_is_watched_after_a_kernel_read_it_gets_no_gradient(monkeypatch, tmp_path) -> None:
    outcome = written(WATCHED_TOO_LATE, "gradient(tape, y * 2.0, [x, weight])", monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements) == ("", 1, [])


GATHERED_AND_WATCHED_TOO_LATE = """
    import tensorflow as tf

    def program():
        table = tf.Variable([0.5, 0.2], trainable=False)

        @tf.function
        def step():
            with tf.GradientTape() as tape:
                y = table.sparse_read([1, 0])
                tape.watch(table)
                table.assign(y)
            QUESTION

        step()
"""


def test_a_variable_that_a_function_captures_again_after_it_was_read_was_watched_too_late(
    monkeypatch, tmp_path
) -> None:
    outcome = written(GATHERED_AND_WATCHED_TOO_LATE, "gradient(tape, y, [table])", monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements, outcome.unexplained) == ("", 1, [], [])


CALLED_UNDER_A_TAPE_OF_A_GRAPH = """
    import tensorflow as tf

    def program():
        @tf.function
        def held(x):
            return tf.stop_gradient(x) * 2.0

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = held(x * 3.0)
            QUESTION
            return x

        step(tf.constant([1.0, 2.0]))
"""


def test_a_call_within_a_graph_hands_on_what_its_body_does(monkeypatch, tmp_path) -> None:
    outcome = written(CALLED_UNDER_A_TAPE_OF_A_GRAPH, "gradient(tape, y, [x])", monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements) == ("", 1, [])


def asked(question: str, monkeypatch, tmp_path) -> harness.Outcome:
    """The outcome of a program that asks this inside of a traced function."""
    return written(CALLED_IN_A_GRAPH, question, monkeypatch, tmp_path)


def written(program: str, question: str, monkeypatch, tmp_path) -> harness.Outcome:
    """The outcome of a program that asks this."""
    text = textwrap.dedent(program).replace("QUESTION", question)
    monkeypatch.setattr(harness.generator, "program", lambda seed: text)
    return harness.run(0, str(tmp_path))


TWICE_THROUGH_A_LOOP = """
    import tensorflow as tf

    def program():
        weight = tf.Variable([0.5, 0.2])

        @tf.function
        def slope(x):
            y = x * 1.0
            for _ in tf.range(2):
                y = y * 0.5 + weight
            return tf.gradients(y, x)[0]

        @tf.function
        def outer(x):
            return slope(x)

        with tf.GradientTape() as tape:
            tape.watch(start := tf.constant([1.0, 2.0]))
            QUESTION
"""


def test_the_gradient_of_a_loop_depends_on_what_the_loop_computed(monkeypatch, tmp_path) -> None:
    question = "y = outer(start)\n        gradient(tape, y, [start])"
    outcome = written(TWICE_THROUGH_A_LOOP, question, monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements) == ("", 0, [])


PUSHED = """
    import tensorflow as tf

    def program():
        x = tf.constant([0.3, 0.5])
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            WATCHING
            with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as forward:
                y = tf.square(x) + [0.5]
            QUESTION
"""


def test_what_was_traced_before_the_recording_began_may_let_everything_through(monkeypatch, tmp_path) -> None:
    """TensorFlow traces its own functions that push tangents forward once, and keeps them."""
    before = written(PUSHED.replace("WATCHING", "pass"), "tangent(forward, y)", monkeypatch, tmp_path)
    question = "z = tangent(forward, y)\n        gradient(tape, z, [x])"
    outcome = written(PUSHED.replace("WATCHING", "tape.watch(x)"), question, monkeypatch, tmp_path)
    assert (before.error, outcome.error, outcome.none, outcome.disagreements) == ("", "", 0, [])


STOPPED_IN_A_LOOP = """
    import tensorflow as tf

    def program():
        v, u = tf.Variable([0.5, 0.2]), tf.Variable([1.0, 1.0])

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                y = x * 1.0
                for _ in tf.range(2):
                    y = y * u + tf.stop_gradient(v)
            QUESTION
            return y

        step(tf.constant([1.0, 2.0]))
"""


def test_a_variable_that_a_loop_uses_as_a_constant_is_not_watched(monkeypatch, tmp_path) -> None:
    outcome = written(STOPPED_IN_A_LOOP, "gradient(tape, y, [u, v])", monkeypatch, tmp_path)
    assert (outcome.error, outcome.none) == ("", 1)
    assert (outcome.disagreements, outcome.unexplained) == ([], [])


WHOLE_NUMBERS = """
    import tensorflow as tf

    def program():
        whole = tf.cast(tf.constant([1, 2, 3]), tf.float32)
        with tf.GradientTape() as tape:
            tape.watch(whole)
            y = tf.cast(tf.cast(whole, tf.int32), tf.float32) * 2.0
            QUESTION
"""


def test_floats_made_of_integers_lose_their_gradient_where_they_become_integers_again(monkeypatch, tmp_path) -> None:
    outcome = written(WHOLE_NUMBERS, "gradient(tape, y, [whole])", monkeypatch, tmp_path)
    assert (outcome.none, outcome.disagreements, outcome.unexplained) == (1, [], [])


OLD_LOOP = """
    import tensorflow as tf

    def program():
        tf.compat.v1.disable_control_flow_v2()
        try:
            with tf.Graph().as_default():
                x, scale, beside = (tf.compat.v1.placeholder(tf.float32, [3]) for _ in range(3))
                _, y = tf.compat.v1.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * BODY), [0, x])
                graph_gradients(tf.reduce_sum(y), [x, scale, beside])
        finally:
            tf.compat.v1.enable_control_flow_v2()
"""


@pytest.mark.parametrize(("body", "none"), [("scale", 1), ("tf.stop_gradient(y * scale)", 2)])
def test_a_loop_of_tensorflow_1_hands_on_what_an_iteration_gives(body: str, none: int, monkeypatch, tmp_path) -> None:
    outcome = written(OLD_LOOP.replace("BODY", body), "", monkeypatch, tmp_path)
    assert (outcome.error, outcome.none, outcome.disagreements, outcome.unexplained) == ("", none, [], [])


TANGENT_BESIDE_A_VARIABLE = """
    import tensorflow as tf

    def program():
        variable, start = tf.Variable([0.5, 0.2, 0.7]), tf.constant([1.4, 1.4, 1.4])
        with tf.GradientTape() as tape:
            with tf.autodiff.ForwardAccumulator(start, tf.ones([3])) as accumulator:
                chosen = tf.where(start > 0.2, start, variable)
            pushed = tangent(accumulator, chosen) + 0.0
            QUESTION
"""


def test_a_tape_follows_a_tangent_that_was_computed_of_a_variable_as_it_is_read(monkeypatch, tmp_path) -> None:
    question = "gradient(tape, pushed * 2.0, [pushed])"
    outcome = written(TANGENT_BESIDE_A_VARIABLE, question, monkeypatch, tmp_path)
    assert (outcome.error, outcome.disagreements) == ("", [])
