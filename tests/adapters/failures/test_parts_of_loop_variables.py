"""Which part of a structure a loop changed, and at which element, is read from the live frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.failures import live_failure  # noqa: E402
from tensorwhy.adapters.tensorflow.import_hooks import filtered_frames  # noqa: E402
from tensorwhy.adapters.tensorflow.probes import (  # noqa: E402
    array_elements,
    eager_only_in_graph,
    loop_variables,
    mapped_functions,
    while_loops,
)
from tensorwhy.recording.locations import UserCode  # noqa: E402


@pytest.fixture(autouse=True)
def all_frames() -> Iterator[None]:
    """TensorFlow leaves its own frames out of tracebacks; the probes read them."""
    restore = filtered_frames.install(UserCode())
    yield
    restore()


def read(probe: Callable[..., Any], failing: Callable[[], object]) -> Any:
    """The one fact that a probe finds in a failure."""
    try:
        failing()
    except Exception as error:
        (fact,) = probe(live_failure(error, UserCode()))
        return fact
    raise AssertionError("nothing failed")


def lengthen(state: dict[str, Any], step: Any) -> Any:
    beams = tf.concat([state["beams"], state["beams"]], axis=1)
    return {"beams": beams, "scores": state["scores"] * 0.5}, step + 1


def count(step: Any, state: dict[str, Any]) -> Any:
    return step + 1, {"scores": tf.cast(state["scores"], tf.float32), "total": state["total"]}


def in_a_function(body: Callable[..., Any], *variables: Any) -> Callable[[], Any]:
    return tf.function(lambda: tf.while_loop(lambda *_: True, body, variables), autograph=False)


def test_a_part_of_the_first_of_two_variables() -> None:
    start = {"beams": tf.ones([1, 1]), "scores": tf.ones([2])}
    fact = read(while_loops.probe, in_a_function(lengthen, start, tf.constant(0)))
    assert (fact.variable, fact.exit) == ("state['beams']", (1, 2))
    assert fact.changed.line == lengthen.__code__.co_firstlineno + 1


def test_a_part_behind_another_variable() -> None:
    start = {"scores": tf.constant(0), "total": tf.constant(0.0)}
    fact = read(while_loops.probe, in_a_function(count, tf.constant(0), start))
    assert (fact.variable, fact.expected, fact.got) == ("state['scores']", "int32", "float32")
    assert fact.changed.line == count.__code__.co_firstlineno + 1


def test_the_element_at_which_an_accumulator_changed() -> None:
    def wider(total: Any, number: Any) -> Any:
        return tf.fill([2], total) if number > 1 else total + number

    numbers = tf.constant([0, 1, 2])
    fact = read(while_loops.probe, lambda: tf.scan(wider, numbers, initializer=tf.constant(0)))
    assert (fact.exit, fact.element) == ((2,), 2)


def test_the_element_of_another_shape_in_an_array() -> None:
    def collected() -> Any:
        array = tf.TensorArray(tf.float32, size=3, infer_shape=False)
        for position, size in enumerate([3, 3, 2]):
            array = array.write(position, tf.ones([size]))
        return array.stack()

    fact = read(array_elements.probe, collected)
    assert (fact.declared, fact.got, fact.index) == ("[3]", "[2]", 2)


def test_the_element_for_which_a_mapped_function_gives_another_dtype() -> None:
    numbers = tf.constant([0, 1, 2])
    fact = read(mapped_functions.probe, lambda: tf.map_fn(lambda n: tf.cast(n, tf.float32) if n > 1 else n, numbers))
    assert (fact.got, fact.element) == ("float32", 2)


def one_too_many(state: Any, row: Any) -> Any:
    mean, steps = state
    mean = mean + row
    return mean, steps + 1.0, row


def test_all_of_what_the_function_of_a_scan_returns() -> None:
    fact = read(while_loops.probe, lambda: tf.scan(one_too_many, tf.ones([3, 2]), (tf.zeros([2]), tf.constant(0.0))))
    assert (fact.problem, fact.changed.line) == ("structure", one_too_many.__code__.co_firstlineno + 3)


def test_a_whole_number_that_was_made_a_tensor_before_is_no_plain_number() -> None:
    def far(low: Any, high: Any) -> Any:
        return high - low > 0.5

    start = (tf.constant(0), tf.constant(4))
    try:
        tf.function(lambda: tf.while_loop(far, lambda low, high: (low, high), start), autograph=False)()
    except (TypeError, ValueError) as error:
        assert list(while_loops.probe(live_failure(error, UserCode()))) == []
    else:
        raise AssertionError("nothing failed")


ELEMENTS = tf.constant([1.0, 2.0])


def test_another_dtype_than_those_of_accumulator_and_elements_is_not_the_loops_doing() -> None:
    start, other = tf.constant(0.0), tf.constant(1, tf.int64)
    with pytest.raises(ValueError, match="not enough values"):
        read(while_loops.probe, lambda: tf.scan(lambda a, x: a + x * other, ELEMENTS, initializer=start))


def handed_on(times: Any) -> Any:
    state = None
    for _ in tf.range(times):
        state = wide(state)
    return state


def wide(state: Any) -> Any:
    return state.shape


def test_none_that_the_body_hands_on_when_it_is_tried() -> None:
    fact = read(loop_variables.probe, lambda: tf.function(handed_on)(tf.constant(3)))
    assert (fact.problem, fact.variable) == ("none", "state")
    assert fact.before.line == handed_on.__code__.co_firstlineno + 1


def doubled(row: Any) -> Any:
    return tf.concat([row, row], axis=0), 0


def test_a_change_that_a_helper_makes_is_at_its_own_line() -> None:
    fact = read(while_loops.probe, in_a_function(lambda row, _: (*doubled(row),), tf.ones([1]), tf.constant(0)))
    assert (fact.entry, fact.exit) == ((1,), (2,))
    assert fact.changed.line == doubled.__code__.co_firstlineno + 1


@pytest.mark.skipif(not hasattr(tf.keras, "ops"), reason="Keras 2 has no loop of its own")
def test_the_loop_of_keras_under_its_own_name() -> None:
    def body(step: Any, rows: Any) -> Any:
        return step + 1, tf.concat([rows, rows], axis=0)

    def growing() -> Any:
        return tf.keras.ops.while_loop(lambda step, _: step < 3, body, (0, tf.ones([1, 2])))

    fact = read(while_loops.probe, tf.function(growing, autograph=False))
    assert (fact.construct, fact.variable, fact.declaration) == ("keras.ops.while_loop", "rows", "")
    assert fact.changed.line == body.__code__.co_firstlineno + 1


@pytest.mark.skipif(not hasattr(tf.keras, "ops"), reason="Keras 2 has no loop of its own")
def test_one_variable_in_the_loop_of_keras() -> None:
    def growing() -> Any:
        rows = tf.ones([1, 2])
        return tf.keras.ops.while_loop(lambda _: True, lambda rows: tf.concat([rows, rows], axis=0), rows)

    fact = read(while_loops.probe, tf.function(growing, autograph=False))
    assert (fact.variable, fact.entry, fact.exit) == ("rows", (1, 2), (2, 2))
    assert fact.before.line == growing.__code__.co_firstlineno + 1


@pytest.mark.skipif(not hasattr(tf.keras, "ops"), reason="Keras 2 has no loop of its own")
def test_a_loop_of_keras_that_counts() -> None:
    def body(step: Any, rows: Any) -> Any:
        return tf.concat([rows, rows], axis=0)

    fact = read(while_loops.probe, tf.function(lambda: tf.keras.ops.fori_loop(0, 3, body, tf.ones([1, 2]))))
    assert (fact.construct, fact.entry, fact.exit) == ("keras.ops.fori_loop", (1, 2), (2, 2))
    assert fact.changed.line == body.__code__.co_firstlineno + 1


def longer(step: Any, tokens: Any) -> Any:
    return step + 1, tf.concat([tokens, tokens], axis=1)


@pytest.mark.parametrize(("kind", "around"), [(tuple, "()"), (list, "[]")])
def test_the_shapes_to_declare_stand_in_the_same_kind_of_sequence(kind: Callable[..., Any], around: str) -> None:
    start = kind([tf.constant(0), tf.ones([4, 1])])
    fact = read(while_loops.probe, tf.function(lambda: tf.while_loop(lambda *_: True, longer, start), autograph=False))
    shapes = "tf.TensorShape([]), tf.TensorShape([4, None])"
    assert fact.declaration == f"shape_invariants={around[0]}{shapes}{around[1]}"


def test_the_sizes_of_a_batch_are_read_where_the_call_names_its_variables() -> None:
    @tf.function(autograph=False)
    def run(start: Any) -> Any:
        return tf.while_loop(lambda step, _: step < 3, longer, (tf.constant(0), start))

    fact = read(while_loops.probe, lambda: run(tf.ones([4, 1])))
    assert fact.declaration.endswith("tf.TensorShape([start.shape[0], None]))")


def single(carry: Any, row: Any) -> Any:
    return carry + row


@pytest.mark.skipif(not hasattr(tf.keras, "ops"), reason="Keras 2 has no loop of its own")
def test_what_a_scan_of_keras_cannot_take_apart_is_no_iteration_of_the_users() -> None:
    with pytest.raises(TypeError) as raised:
        tf.function(lambda: tf.keras.ops.scan(single, tf.zeros([2]), tf.ones([3, 2])))()
    assert not list(eager_only_in_graph.probe(live_failure(raised.value, UserCode())))


def lengthening(number: Any) -> Any:
    return tf.range(number)


def test_results_of_another_shape_than_the_declared_one_while_the_graph_runs() -> None:
    declared = tf.TensorSpec([1], tf.int32)
    mapped = tf.function(lambda numbers: tf.map_fn(lengthening, numbers, fn_output_signature=declared))
    fact = read(mapped_functions.probe, lambda: mapped(tf.constant([1, 2])))
    assert (fact.problem, fact.declared, fact.got) == ("shape", "[1]", "[2]")
    assert "RaggedTensorSpec" in fact.declaration


@pytest.mark.skipif(not hasattr(tf.keras, "ops"), reason="Keras 2 has no loop of its own")
@pytest.mark.parametrize("known", [True, False])
def test_results_of_several_lengths_in_a_map_of_keras(known: bool) -> None:
    given = tf.constant([1, 2])
    mapped = tf.function(lambda numbers: tf.keras.ops.map(lengthening, tf.constant([1, 2]) if known else numbers))
    fact = read(mapped_functions.probe, lambda: mapped(given))
    assert not fact.declaration
    assert (fact.construct, fact.shapes, fact.function) == ("keras.ops.map", ((1,), (2,)), "lengthening")
    assert fact.produced.line == lengthening.__code__.co_firstlineno + 1


def extremes(state: Any, value: Any) -> Any:
    low, high = state
    return [tf.minimum(low, value), tf.maximum(high, value), value]


@pytest.mark.parametrize("run", [lambda f: f(), lambda f: tf.function(f, autograph=False)()])
def test_the_accumulator_of_a_fold(run: Callable[..., Any]) -> None:
    start = (tf.constant(0.0), tf.constant(1.0))
    fact = read(while_loops.probe, lambda: run(lambda: tf.foldl(extremes, tf.ones([3]), initializer=start)))
    assert (fact.construct, fact.problem, fact.variable) == ("foldl", "structure", "state")
    assert fact.expected.startswith("a tuple of 2") and fact.got.startswith("a list of 3")
    assert fact.changed.line == extremes.__code__.co_firstlineno + 2


def forget(step: Any, vector: Any) -> Any:
    return (vector / tf.norm(vector),)


def test_a_body_that_returns_too_few_is_marked_where_it_returns() -> None:
    fact = read(while_loops.probe, in_a_function(forget, tf.constant(0), tf.ones([2])))
    assert (fact.problem, fact.expected, fact.got) == ("count", "2", "1")
    assert fact.changed.line == forget.__code__.co_firstlineno + 1


def sparse_row(row: Any) -> Any:
    return tf.sparse.from_dense(tf.maximum(row, 0))


@pytest.mark.parametrize("run", [lambda f: f(), lambda f: tf.function(f, autograph=False)()])
def test_a_mapped_function_that_makes_sparse_tensors(run: Callable[..., Any]) -> None:
    rows = tf.constant([[1, 0], [0, 2]])
    fact = read(mapped_functions.probe, lambda: run(lambda: tf.map_fn(sparse_row, rows)))
    assert (fact.problem, fact.got) == ("composite-result", "a sparse int32 tensor")
    assert fact.declaration == "tf.SparseTensorSpec(shape=[2], dtype=tf.int32)"
