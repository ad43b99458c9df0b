"""What is known of operations that cannot run here agrees with the gradients that TensorFlow builds for them."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from support.operations import graphs  # noqa: E402
from tensorwhy.adapters.tensorflow.gradients import tables  # noqa: E402

# Registered gradient functions that fail for every input, with the exception.
FAILING = {"NcclBroadcast": TypeError, "TopK": ValueError}


def registered(names) -> list[str]:
    """Those that this TensorFlow has a gradient for, in order."""
    return sorted(name for name in names if tables.differentiability(name) == "registered")


def made_in(graph, name: str):
    """The operation of this kind in a graph."""
    return next(op for op in graph.get_operations() if op.type == name)


@pytest.mark.parametrize("name", registered(graphs.CALLS))
def test_what_is_known_of_an_op_is_what_tensorflow_builds_in_a_graph(name: str) -> None:
    with tf.Graph().as_default() as graph:
        targets = graphs.CALLS[name]()
        inputs = list(made_in(graph, name).inputs)
        sources = [i for i, one in enumerate(inputs) if one.dtype.is_floating or one.dtype == tf.variant]
        facts = tables.op_facts(name, n_inputs=len(inputs), input_dtypes=[one.dtype.name for one in inputs])
        predicted = [facts.carries(i) for i in sources]
        targets = [one for one in tf.nest.flatten(targets) if one.dtype.is_floating]
        if name in FAILING:
            with pytest.raises(FAILING[name]):
                tf.gradients(targets, [inputs[i] for i in sources])
            return
        if "raises" in predicted:
            with pytest.raises((RuntimeError, AssertionError, NotImplementedError)):
                tf.gradients(targets, [inputs[i] for i in sources])
            return
        found = tf.gradients(targets, [inputs[i] for i in sources])
    assert ["none" if one is None else "value" for one in found] == [
        "value" if one == "zero" else one for one in predicted
    ]


@pytest.mark.parametrize("name", registered(graphs.CHAINS))
def test_an_op_of_graphs_carries_the_gradient_through_the_known_input(name: str) -> None:
    index, chain = graphs.CHAINS[name]
    with tf.Graph().as_default() as graph:
        source = graphs.x(3, 2)
        target = chain(source)
        assert_carries(name, index, len(made_in(graph, name).inputs))
        assert tf.gradients(target, source) != [None]


@pytest.mark.parametrize("name", registered(graphs.OLD_CHAINS))
def test_an_op_of_old_graphs_carries_the_gradient_through_the_known_input(name: str) -> None:
    index, chain = graphs.OLD_CHAINS[name]
    with tf.Graph().as_default() as graph, graphs.old_control_flow():
        source = graphs.x(3, 2)
        target = chain(source)
        assert_carries(name, index, len(made_in(graph, name).inputs))
        assert tf.gradients(target, source) != [None]


@pytest.mark.parametrize("name", registered(graphs.REFERENCE_CHAINS))
def test_an_op_on_a_reference_carries_the_gradient(name: str) -> None:
    index, chain = graphs.REFERENCE_CHAINS[name]
    with tf.Graph().as_default() as graph, graphs.old_control_flow():
        source = graphs.reference()
        target = chain(source)
        assert_carries(name, index, len(made_in(graph, name).inputs))
        assert tf.gradients(target, source) != [None]


def assert_carries(name: str, index: int, inputs: int) -> None:
    facts = tables.op_facts(name, n_inputs=inputs)
    assert facts.carries(index) in ("value", "unknown")


@pytest.mark.parametrize("name", registered(graphs.FAILING_CHAINS))
def test_tensorflow_cannot_build_the_gradient_of_its_oldest_arrays(name: str) -> None:
    _, chain = graphs.FAILING_CHAINS[name]
    with tf.Graph().as_default() as graph, graphs.old_control_flow():
        source = graphs.x(3, 2)
        target = chain(source)
        assert made_in(graph, name) is not None
        with pytest.raises(TypeError):
            tf.gradients(target, source)
