"""The compiled recorder and the one in Python write the same, and keep the same promises."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.tensorflow.session import TensorFlowSession  # noqa: E402
from tensorwhy.recording import hot_path  # noqa: E402
from tensorwhy.recording import journal as j  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture
def recording(either_hot_path):
    session = TensorFlowSession(UserCode(), "full")
    yield session
    session.close()
    assert session.recorder.failure is None


def _helper(x):
    return tf.sin(x)


def _program() -> None:
    variable, constant = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(constant)
        first = _helper(constant) * variable
        second = _helper(first)
        both = tf.add_n([first, second, constant])
        left, right = tf.split(tf.stack([first, both]), 2)
        variable.assign_add(1.0)
        tf.raw_ops.Sin(x=first)
        tf.raw_ops.Add(x=first, y=1.0)
        tf.raw_ops.Split(axis=0, value=tf.raw_ops.Pack(values=[first, 2.0]), num_split=2)
        tf.raw_ops.Mul(x=first, y=np.float32(2.0))
        tf.raw_ops.AddN(inputs=[first] * 300)
        list(map(tf.cos, [left, right]))
        for _ in range(3):
            tf.debugging.assert_equal(first, first)  # the library reads a value
            float(tf.reduce_sum(first))
        total = tf.reduce_sum(tf.concat([left, right], 0))
    tape.gradient(total, [variable, constant])


def _written(session: TensorFlowSession) -> list[tuple]:
    """All rows, with tensors numbered in the order in which they appear."""
    numbers: dict[int, int] = {}

    def number(value: int) -> int:
        return numbers.setdefault(value, len(numbers)) if value > 0 else value

    return [
        (
            event.kind,
            session.journal.names[event.name],
            event.thread,
            session.journal.chain(event.place),
            [number(abs(value)) if event.kind <= j.RECORDED else 0 for value in event.inputs],
            [number(value) for value in event.outputs],
            event.dtypes,
        )
        for event in session.journal.events()
    ]


@pytest.mark.skipif(hot_path.compiled is None, reason="it was not built")
def test_both_recorders_write_the_same(monkeypatch) -> None:
    _program()
    gc.collect()  # variables of other tests would go in between
    written = []
    for pure in ("1", ""):
        monkeypatch.setenv("TENSORWHY_PURE", pure)
        session = TensorFlowSession(UserCode(), "full")
        session.start()
        _program()
        thread = threading.Thread(target=_program)
        thread.start()
        thread.join()
        session.close()
        assert (session.recorder.fast_path.native is None) == bool(pure)
        written.append(_written(session))
    assert len(written[0]) > 80
    assert written[0] == written[1]


def test_the_line_is_that_of_the_nearest_user_frame(recording) -> None:
    recording.start()
    x = tf.constant(1.0)
    _helper(x)
    _helper(x)
    chains = [
        [frame.location.function for frame in recording.journal.chain(event.place)][:2]
        for event in recording.journal.events()
        if recording.journal.names[event.name] == "Sin"
    ]
    here = "test_the_line_is_that_of_the_nearest_user_frame"
    assert chains == [["_helper", here], ["_helper", here]]
    places = {e.place for e in recording.journal.events() if recording.journal.names[e.name] == "Sin"}
    assert len(places) == 2


def test_no_tensor_is_kept_alive(recording) -> None:
    recording.start()
    tensor = tf.sin(tf.constant(1.0))
    reference = weakref.ref(tensor)
    del tensor
    gc.collect()
    assert reference() is None


def test_what_an_operation_raises_comes_through(recording) -> None:
    recording.start()
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        tf.matmul(tf.ones((2, 3)), tf.ones((2, 3)))


def test_an_interrupt_that_comes_while_a_row_is_written_is_the_programs(recording) -> None:
    def interrupted(*args):
        raise KeyboardInterrupt

    recording.start()
    recording.recorder.places.new = interrupted
    with pytest.raises(KeyboardInterrupt):
        tf.sin(tf.constant([1.0]))
    del recording.recorder.places.new
    assert tf.sin(tf.constant(0.0)).numpy() == 0.0


def test_a_failure_in_a_hook_gives_tensorflow_its_functions_back(recording, monkeypatch, capsys) -> None:
    from tensorflow.python import pywrap_tfe

    before = pywrap_tfe.TFE_Py_FastPathExecute
    recording.start()
    x = tf.constant(2.0)
    monkeypatch.setattr(recording.recorder.places.files, "_user", None)
    recording.recorder.places.files.clear()
    try:
        assert eval(compile("(x * x).numpy()", "<somewhere new>", "eval"), {"x": x}) == 4.0
    finally:
        failure, recording.recorder.failure = recording.recorder.failure, None
    assert failure is not None
    assert pywrap_tfe.TFE_Py_FastPathExecute is before
    assert capsys.readouterr().err.count("recording stopped") == 1


def test_rows_of_threads_never_mix(recording) -> None:
    recording.start()
    x = tf.constant(1.0)

    def work() -> None:
        for _ in range(2000):
            tf.add(x, x)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    added = [e for e in recording.journal.events() if recording.journal.names[e.name] == "AddV2"]
    assert len(added) == 6000
    assert all(event.inputs == (x._id, x._id) and len(event.outputs) == 1 for event in added)


def test_what_traced_functions_are_given_is_told_apart_in_every_call(recording) -> None:
    """Handles of variables are the same each time; an argument may lie where one of an earlier call did."""
    first, second = tf.Variable(2.0), tf.Variable(3.0)
    functions = [tf.function(lambda x, v=v: x * v) for v in (first, second)]
    for function in functions:
        function(tf.constant(1.0))
    recording.start()
    given = []
    for number in range(12):
        argument = tf.constant(float(number))
        for function, variable in zip(functions, (first, second)):
            function(argument)
            given.append({argument._id, variable.handle._id})
    calls = [event for event in recording.journal.events() if "inference" in recording.journal.names[event.name]]
    assert [set(event.inputs) for event in calls] == given


def test_a_tensor_that_a_traced_function_was_given_again_and_again_is_not_kept_alive(recording) -> None:
    function = tf.function(lambda x: x * 2.0)
    recording.start()
    tensor = tf.constant(1.0)
    for _ in range(4):
        function(tensor)
    reference = weakref.ref(tensor)
    del tensor
    gc.collect()
    assert reference() is None
