"""Edits that a reason proposes for a fact, where no long program is needed to see them."""

from __future__ import annotations

import msgspec
import pytest

from support.edits import Written, after, line
from tensorwhy.diagnosis.engine import diagnose
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.gradient import Made, NotPassed, NotRecorded, NotWatched, Unused
from tensorwhy.model.facts.graph import EagerOnlyInGraph, GraphOnlyInEager, Symbolic
from tensorwhy.model.facts.loops import LoopShapeChange
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import Symptom
from tensorwhy.reasons import catalogue
from tensorwhy.source.files import Sources


def test_a_function_of_numpy_that_is_called_back_becomes_its_twin(written: Written) -> None:
    file = written("import numpy as np\nimport tensorflow as tf\ny = tf.numpy_function(np.abs, [p - t], tf.float32)\n")
    place = line(file, 3)
    source = Source(tensor=1, variable=True, name="p", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=place)
    fact = NotPassed(kind="callback", op="PyFunc", location=place, question=question, sources=(source,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert found.code == "TW111" and after(file, found.fixes[0].edits).endswith("\ny = tf.abs(p - t)\n")


def test_a_value_that_a_branch_asks_for_stays_a_tensor(written: Written) -> None:
    file = written(
        "import tensorflow as tf\n\n\ndef f(x):\n    if tf.norm(x).numpy() > 1:\n        x = x / 2\n    return x\n"
    )
    fact = EagerOnlyInGraph(tensor=Symbolic(), operation="method", name="numpy", used=line(file, 5))
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert found.code == "TW406" and "    if tf.norm(x) > 1:\n" in after(file, found.fixes[0].edits)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("if (n := tf.norm(x).numpy()) > 1:", "    n = tf.norm(x)\n    if (n) > 1:\n"),
        ("if ready and (n := tf.norm(x).numpy()) > 1:", "    if ready and (n := tf.norm(x)) > 1:\n"),
        ("while (n := tf.norm(x).numpy()) > 1:", "    while (n := tf.norm(x)) > 1:\n"),
    ],
)
def test_a_value_that_a_condition_names_is_named_before_it(written: Written, test: str, expected: str) -> None:
    file = written(f"import tensorflow as tf\n\n\ndef f(x):\n    {test}\n        x = x / n\n    return x\n")
    column = test.index("tf.norm")
    used = Location(file=file, line=5, column=column + 4, end_line=5, end_column=column + 4 + len("tf.norm(x).numpy"))
    fact = EagerOnlyInGraph(tensor=Symbolic(), operation="method", name="numpy", used=used)
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert expected in after(file, found.fixes[0].edits)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("compose(tf.square, tf.stop_gradient)", "compose(tf.square, tf.identity)"),
        ("[tf.square, tf.stop_gradient]", "[tf.square, tf.identity]"),
    ],
)
def test_a_stop_gradient_that_is_handed_on_becomes_the_identity(written: Written, given: str, expected: str) -> None:
    file = written(f"import tensorflow as tf\nrun = lambda f, x: f(x)\nfs = {given}\n")
    place = line(file, 2)
    source = Source(tensor=1, variable=True, name="p", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=place)
    fact = NotPassed(kind="stop-gradient", op="StopGradient", location=place, question=question, sources=(source,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert after(file, found.fixes[0].edits).endswith(f"\nfs = {expected}\n")


@pytest.mark.parametrize(
    ("shape", "proposed"), [(None, True), ((), True), ((1,), True), ((None, 1), False), ((8,), False)]
)
def test_autograph_is_proposed_only_for_a_condition_that_may_be_one_truth_value(
    written: Written, shape: tuple[int | None, ...] | None, proposed: bool
) -> None:
    file = written("import tensorflow as tf\n\n\ndef f(x):\n    if x > 1:\n        x = x / 2\n    return x\n")
    tensor = Symbolic(dtype="bool", shape=shape)
    fact = EagerOnlyInGraph(tensor=tensor, operation="truth", name="", used=line(file, 5), autograph=False)
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert any(fix.edits for fix in found.fixes) is proposed
    assert proposed or any("tf.reduce_any" in fix.summary for fix in found.fixes)


@pytest.mark.parametrize(
    ("decorator", "advised"),
    [("", True), ("@tf.function\n", False), ("@tf.function(autograph=False)\n", True)],
    ids=["plain", "decorated", "without AutoGraph"],
)
def test_a_function_that_is_decorated_already_is_not_to_be(written: Written, decorator: str, advised: bool) -> None:
    file = written(
        f"import tensorflow as tf\n\n\n{decorator}def f(x):\n    if x > 1:\n        x = x / 2\n    return x\n"
    )
    used = line(file, 6 if decorator else 5)
    fact = EagerOnlyInGraph(
        tensor=Symbolic(dtype="bool", shape=()), operation="truth", name="", used=used, autograph=False
    )
    group = CaseGroup(symptom=Symptom(kind="exception", location=used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert any("decorate the function" in fix.summary for fix in found.fixes) is advised


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("x in RARE", "tf.reduce_any(tf.equal(x, RARE))"),
        ("x not in RARE", "tf.reduce_all(tf.not_equal(x, RARE))"),
    ],
)
def test_a_tensor_is_looked_for_in_a_list_by_the_graph(written: Written, test: str, expected: str) -> None:
    file = written(f"import tensorflow as tf\n\n\ndef f(x):\n    if {test}:\n        x = x / 2\n    return x\n")
    used = line(file, 5)
    fact = EagerOnlyInGraph(tensor=Symbolic(), operation="truth", name="", tensor_text=test, used=used, autograph=True)
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert f"    if {expected}:\n" in after(file, found.fixes[0].edits)


COPIED = """\
import tensorflow as tf


def mse(net, x):
    return tf.reduce_mean(net(x))


class Learner:
    def step(self, x):
        work = tf.keras.models.clone_model(self.net)
        work.set_weights(self.net.get_weights())
        with tf.GradientTape() as tape:
            loss = mse(work, x)
        return tape.gradient(loss, self.net.trainable_variables)
"""


def test_a_copy_that_is_handed_on_is_replaced_where_the_gradient_is_asked_for(written: Written) -> None:
    file = written(COPIED)
    asked = Location(file=file, line=14, function="Learner.step")
    used = Location(file=file, line=5, function="mse")
    source = Source(tensor=1, variable=True, name="kernel", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=asked)
    copy = Variable(tensor=2, name="kernel", created=Location(file=file, line=10))
    fact = Unused(kind="copied", location=used, question=question, sources=(source,), instead=(copy,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=asked), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert after(file, found.fixes[0].edits) == COPIED.replace("mse(work, x)", "mse(self.net, x)")
    assert "`self.net` in the place of its copy" in found.fixes[0].summary


def test_a_whole_number_that_meets_floating_point_may_become_that(written: Written) -> None:
    file = written(
        "import tensorflow as tf\n\n\ndef f(x, n):\n    longest = int(tf.reduce_max(n))\n    return x / longest\n"
    )
    fact = EagerOnlyInGraph(tensor=Symbolic(), operation="call", name="int", used=line(file, 5))
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    texts = [after(file, fix.edits) for fix in found.fixes if fix.edits]
    assert "longest = tf.cast(tf.reduce_max(n), tf.int32)" in texts[0]
    assert "longest = tf.cast(tf.cast(tf.reduce_max(n), tf.int32), tf.float32)" in texts[1]


SLOPES = """\
import tensorflow as tf


def slopes(model, x):
    return tf.gradients(model(x), x)[0]
"""


@pytest.mark.parametrize(("more", "traced", "old"), [("", True, False), ("\ntf.compat.v1.Session()\n", False, True)])
def test_eager_execution_is_turned_off_only_in_a_program_of_graph_mode(
    written: Written, more: str, traced: bool, old: bool
) -> None:
    file = written(SLOPES + more)
    fact = GraphOnlyInEager(api="tf.gradients", used=line(file, 5), role="gradients")
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.used), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    texts = [after(file, fix.edits) for fix in found.fixes if fix.edits]
    assert [("@tf.function\ndef slopes" in text, "disable_eager_execution" in text) for text in texts] == [
        (traced, old)
    ]


@pytest.mark.parametrize("variable", [False, True])
def test_a_tape_watches_the_whole_list_of_tensors_that_an_attribute_holds(written: Written, variable: bool) -> None:
    file = written(
        "import tensorflow as tf\n\n\n"
        "def step(self):\n    with tf.GradientTape() as tape:\n        loss = self.loss()\n"
        "    return tape.gradient(loss, self.parameters)\n"
    )
    source = Source(tensor=1, variable=variable, trainable=True, name="p", dtype="float32", position=0)
    place = msgspec.structs.replace(line(file, 7), function="step")
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=2, location=place)
    opened = msgspec.structs.replace(line(file, 5), function="step")
    fact = NotWatched(
        kind="not-watched",
        watched="never",
        made=Made(source=opened, recorder=opened),
        question=question,
        sources=(source,),
    )
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    proposed = after(file, found.fixes[0].edits)
    assert ("as tape:\n        tape.watch(self.parameters)\n" in proposed) is not variable


@pytest.mark.parametrize("stores", [True, False])
def test_a_stopped_variable_that_the_program_sets_may_be_made_untrainable(written: Written, stores: bool) -> None:
    store = "    codes.assign(0.9 * codes + 0.1 * x)\n" if stores else ""
    file = written(
        "import tensorflow as tf\ncodes = tf.Variable([1.0])\n\n\ndef f(x):\n"
        f"{store}    return tf.stop_gradient(codes) * x\n"
    )
    made = Location(file=file, line=2, column=8, end_line=2, end_column=26)
    place = line(file, 6 + stores)
    source = Source(tensor=1, variable=True, trainable=True, name="codes", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=place)
    fact = NotPassed(
        kind="stop-gradient",
        op="StopGradient",
        location=place,
        question=question,
        sources=(source,),
        made=Made(source=made),
    )
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    texts = [after(file, fix.edits) for fix in found.fixes[1:]]
    assert [("codes = tf.Variable([1.0], trainable=False)\n" in text) for text in texts] == [True] * stores


@pytest.mark.parametrize("used", [True, False])
def test_what_is_used_in_front_of_the_tape_is_to_be_done_once_more(written: Written, used: bool) -> None:
    given = "fake" if used else "real"
    between = f"    with tf.GradientTape() as first:\n        other = judge({given})\n    update(first, other)\n"
    file = written(
        f"import tensorflow as tf\n\n\ndef f(real):\n    fake = make()\n{between}"
        "    with tf.GradientTape() as tape:\n        loss = judge(fake)\n    return tape.gradient(loss, weights)\n"
    )
    made, opened, place = (msgspec.structs.replace(line(file, at), function="f") for at in (5, 9, 11))
    source = Source(tensor=1, variable=True, trainable=True, name="w", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=2, location=place)
    fact = NotRecorded(
        kind="not-recorded",
        region="before",
        location=made,
        made=Made(recorder=opened),
        question=question,
        sources=(source,),
    )
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    once_more = "repeat line 5 inside the `with` of the tape: `fake` is also used before it"
    assert found.fixes[0].summary == (once_more if used else "move line 5 into the `with` of the tape")
    assert bool(found.fixes[0].edits) is not used


FORGOTTEN = """\
def step(x):
    values = critic(x)
    loss = rate(other)
    {asked}
    return loss
{later}
"""


@pytest.mark.parametrize(
    ("asked", "later", "given_back"),
    [("g = tape.gradient(loss, w)", "", False), ("", "g = tape.gradient(loss, w)", True)],
)
def test_a_forgotten_value_is_not_given_back_where_the_gradient_was_asked_for_before_that(
    written: Written, asked: str, later: str, given_back: bool
) -> None:
    file = written(FORGOTTEN.format(asked=asked or "pass", later=later))
    place = msgspec.structs.replace(line(file, 2), function="step")
    question_at = msgspec.structs.replace(line(file, 4), function="step") if asked else line(file, 6)
    source = Source(tensor=1, variable=True, name="w", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=question_at)
    fact = Unused(kind="unused", location=place, question=question, sources=(source,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=question_at), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert (found.fixes[0].summary == "add `values` to what the function returns") is given_back


@pytest.mark.parametrize(("source", "anew"), [("shifted(x)", True), ("x", False)])
def test_the_result_of_a_call_in_the_question_itself_gets_a_name(written: Written, source: str, anew: bool) -> None:
    file = written(f"loss = rate(x)\ng = tf.gradients(loss, {source})\n")
    asked = Source(tensor=1, name="clip:0", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(asked,), asked=1, location=line(file, 2))
    fact = Unused(kind="unused", question=question, sources=(asked,), made=Made(source=line(file, 2)))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=line(file, 2)), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert ("creates a new tensor" in found.message, "use it in" in found.fixes[0].summary) == (anew, anew)


def test_a_loop_variable_with_the_same_elements_keeps_its_shape(written: Written) -> None:
    file = written("import tensorflow as tf\ns = tf.zeros([4])\nwhile tf.constant(True):\n    s = pick(s)\n")
    fact = LoopShapeChange(
        construct="while", statement=line(file, 3), variable="s", entry=(4,), exit=(4, 1), changed=line(file, 4)
    )
    group = CaseGroup(symptom=Symptom(kind="exception", location=fact.changed), facts=(fact,))
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert found.code == "TW503" and after(file, found.fixes[0].edits).endswith("    s = tf.reshape(pick(s), [4])\n")


def test_a_value_that_is_overwritten_goes_to_what_overwrites_it(written: Written) -> None:
    file = written(
        "def call(self, x):\n    out = self.one(x)\n    out = self.two(out)\n    out = self.three(x)\n    return out\n"
    )
    place, asked = line(file, 3), Location(file=file, line=9, column=0, function="train")
    source = Source(tensor=1, variable=True, name="w", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=asked)
    fact = Unused(kind="unused", location=place, question=question, sources=(source,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=asked), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    assert found.fixes[0].summary == "pass `out` to `self.three` on line 4 instead of `x`"
    assert "    out = self.three(out)\n" in after(file, found.fixes[0].edits)


def test_a_position_gets_the_gradient_of_a_mean_position(written: Written) -> None:
    file = written(
        "import tensorflow as tf\ndef call(x):\n    i = tf.argmax(x, axis=1)\n    return tf.cast(i, tf.float32)\n"
    )
    place = Location(file=file, line=3, column=8, end_line=3, end_column=28, function="call")
    source = Source(tensor=1, variable=True, name="w", dtype="float32", position=0)
    question = GradientQuestion(event=9, recorder=1, targets=(5,), sources=(source,), asked=1, location=line(file, 4))
    fact = NotPassed(kind="no-gradient", op="ArgMax", location=place, question=question, sources=(source,))
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=place), facts=(fact,), asked=True)
    [found] = diagnose([group], catalogue(), Sources()).diagnoses
    changed = after(file, found.fixes[0].edits)
    assert "    place = tf.reduce_sum(tf.nn.softmax(x, axis=1) * tf.cast(tf.range(tf.shape(x)[1]), x" in changed
    assert "    i = place + tf.stop_gradient(tf.cast(tf.argmax(x, axis=1), x.dtype) - place)\n" in changed
