"""What is known of each op's gradient agrees with what TensorFlow does, eagerly and inside tf.function."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

from support.operations import graphs  # noqa: E402
from support.operations.calls import arguments_of, callable_ops  # noqa: E402
from support.operations.chains import CHAINS, VARIABLE_CHAINS  # noqa: E402
from support.operations.values import f  # noqa: E402
from tensorwhy.adapters.tensorflow.gradients import tables  # noqa: E402
from tensorwhy.adapters.tensorflow.gradients.rules import trainable  # noqa: E402

OPAQUE = tables.CALLS | tables.BRANCHES | tables.LOOPS | tables.CALLBACKS

# Registered ops that no test calls, and why.
NOT_CALLED = {"LoopCond": "takes and gives a truth value only"}
# Ops of which the tables rightly say that they do not know.
UNKNOWN = frozenset({"FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"})


def registered() -> list[str]:
    """The operations with a gradient, without the names that custom gradients of other tests have added."""
    names = [name for name in tables.ops._gradient_registry._registry if not name.startswith("CustomGradient-")]
    return sorted(name for name in names if tables.differentiability(name) == "registered")


def flat(arguments: dict[str, Any], name: str) -> list[Any]:
    """The inputs of a call, list inputs expanded."""
    definition = tables.op_definition(name)
    renamed = dict(zip((arg.name for arg in definition.input_arg), arguments.values(), strict=False))
    inputs: list[Any] = []
    for arg in definition.input_arg:
        value = arguments.get(arg.name, renamed[arg.name])
        inputs.extend(value if isinstance(value, list) else [value])
    return inputs


def attributes_of(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a call, with the defaults of those that are not given."""
    found: dict[str, Any] = {}
    for attr in tables.op_definition(name).attr:
        if attr.name in arguments:
            found[attr.name] = arguments[attr.name]
        elif attr.default_value.HasField("b"):
            found[attr.name] = attr.default_value.b
    return found


def gradients(name: str, arguments: dict[str, Any]) -> list[Any]:
    """For each flat input the gradient, or "not a source"."""
    sources = [x for x in flat(arguments, name) if x.dtype.is_floating or x.dtype.is_complex]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        outputs = tf.nest.flatten(getattr(tf.raw_ops, name)(**arguments))
        targets = [one for one in outputs if one.dtype.is_floating or one.dtype.is_complex]
        if not targets:
            targets = [one for one in outputs if one.dtype == tf.variant] or outputs[:1]
    found = iter(tape.gradient(targets, sources))
    return [next(found) if any(x is one for one in sources) else "not a source" for x in flat(arguments, name)]


def seen(name: str, arguments: dict[str, Any]) -> list[str]:
    """What TensorFlow returns for each flat input: "none", "zero", "value", or "raises"."""
    try:
        found = gradients(name, arguments)
    except (LookupError, NotImplementedError, TypeError):
        return ["raises"] * len(flat(arguments, name))
    words = []
    for one in found:
        if isinstance(one, str):
            words.append(one)
        elif one is None:
            words.append("none")
        else:
            words.append("value" if not tf.executing_eagerly() or np.any(one) else "zero")
    return words


def agrees(carries: str, answer: str) -> bool:
    """Zero counts as a value here: it may be zero by chance, and in a graph there is nothing to look at."""
    return answer == "not a source" or answer == carries or {answer, carries} == {"zero", "value"}


CALLS = sorted(set(registered()) & callable_ops())


@pytest.mark.parametrize("name", CALLS)
def test_what_is_known_of_an_op_is_what_tensorflow_does(name: str) -> None:
    arguments = arguments_of(name)
    inputs = flat(arguments, name)
    attributes = attributes_of(name, arguments)
    facts = tables.op_facts(name, attributes, input_dtypes=[x.dtype.name for x in inputs])
    assert facts.inputs is not None
    if name not in UNKNOWN:
        assert not facts.unknown_inputs
    predicted = [one.carries for one in facts.inputs]
    answers: list[list[str]] = []
    with contextlib.suppress(tf.errors.NotFoundError):  # no kernel for the CPU in this version
        answers.append(seen(name, arguments))
        assert not [i for i, one in enumerate(predicted) if one == "zero" and answers[0][i] == "value"]

    @tf.function(autograph=False)
    def traced() -> None:
        answers.append(seen(name, arguments))

    traced.get_concrete_function()
    for answer in answers:
        differ = [i for i, one in enumerate(answer) if not agrees(predicted[i], one)]
        assert name in UNKNOWN or not differ, (name, predicted, answer)


@pytest.mark.parametrize("name", sorted(set(registered()) & CHAINS.keys()))
def test_an_op_on_a_handle_carries_the_gradient_through_the_known_input(name: str) -> None:
    index, chain = CHAINS[name]
    source = f(3, 2)
    with tf.GradientTape() as tape:
        tape.watch(source)
        target = chain(source)
    assert tape.gradient(target, source) is not None
    facts = tables.op_facts(name, n_inputs=_count(name))
    assert name in OPAQUE or facts.carries(index) == "value"


@pytest.mark.parametrize("name", sorted(set(registered()) & VARIABLE_CHAINS.keys()))
def test_an_op_on_a_variable_carries_the_gradient_to_its_handle(name: str) -> None:
    index, chain = VARIABLE_CHAINS[name]
    variable = tf.Variable(f(3, 2))
    with tf.GradientTape() as tape:
        tape.watch(variable)
        target = chain(variable)
    assert tape.gradient(target, variable) is not None
    assert tables.op_facts(name).carries(index) == "value"


def _count(name: str) -> int:
    lengths = {arg.number_attr: 1 for arg in tables.op_definition(name).input_arg if arg.number_attr}
    lists = {arg.type_list_attr: [1] for arg in tables.op_definition(name).input_arg if arg.type_list_attr}
    return len(tables.flat_positions(name, {**lengths, **lists}))


def test_every_registered_op_is_called_or_listed_with_a_reason() -> None:
    in_graphs = graphs.CALLS.keys() | graphs.CHAINS.keys() | graphs.OLD_CHAINS.keys() | graphs.REFERENCE_CHAINS.keys()
    called = callable_ops() | CHAINS.keys() | VARIABLE_CHAINS.keys() | in_graphs | graphs.FAILING_CHAINS.keys()
    assert set(registered()) - called - NOT_CALLED.keys() == set()


def without_gradient(name: str, inputs: int) -> list[int]:
    facts = tables.op_facts(name, n_inputs=inputs)
    return [index for index in range(inputs) if facts.carries(index) == "none"]


def test_inputs_of_a_list_are_counted_one_by_one() -> None:
    assert tables.flat_positions("ConcatV2", n_inputs=4) == ((0, 0), (0, 1), (0, 2), (1, None))
    assert without_gradient("ConcatV2", 4) == [3]
    assert without_gradient("Concat", 4) == [0]
    assert without_gradient("SplitV", 3) == [1, 2]
    assert tables.op_facts("ConcatV2").inputs is None


def test_a_cast_carries_a_gradient_only_between_floating_dtypes() -> None:
    assert tables.op_facts("Cast").carries(0) == "unknown"
    assert tables.op_facts("Cast", {"DstT": tf.int32}, input_dtypes=["float32"]).carries(0) == "none"
    assert tables.op_facts("Cast", input_dtypes=["float32"], output_dtypes=["int32"]).carries(0) == "none"
    assert tables.op_facts("Cast", {"SrcT": 1, "DstT": 2}).carries(0) == "value"


def test_an_image_of_integers_gets_no_gradient_from_crop_and_resize() -> None:
    facts = tables.op_facts("CropAndResize", input_dtypes=["int32", "float32", "int32", "int32"])
    assert [one.carries for one in facts.inputs] == ["none", "value", "none", "none"]


def test_steering_inputs_have_a_role() -> None:
    roles = {one.name: one.role for one in tables.op_facts("GatherV2").inputs}
    assert roles == {"params": "data", "indices": "indices", "axis": "axis"}
    assert tables.op_facts("SelectV2").inputs[0].role == "condition"


def test_ops_are_told_apart_by_what_is_registered() -> None:
    assert tables.op_facts("MatMul").differentiability == "registered"
    assert tables.op_facts("Shape").differentiability == "not-differentiable"
    assert tables.op_facts("Mod").differentiability == "unregistered"
    assert tables.op_facts("NoSuchOp").differentiability == "unregistered"
    assert tables.op_facts("StopGradient").stops_gradient
    assert tables.op_facts("Floor").always_none
    assert tables.op_facts("Sign", n_inputs=1).carries(0) == "zero"


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "int32", "int64", "bool"])
def test_a_tape_records_through_exactly_the_trainable_dtypes(dtype: str) -> None:
    start = tf.constant([0.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(start)
        source = tf.cast(start, dtype)
        target = tf.identity(source)
    assert (tape.gradient(target, source) is not None) == trainable(dtype)


def test_of_what_calls_a_function_nothing_is_known_beforehand() -> None:
    for name in ("PartitionedCall", "StatefulPartitionedCall", "If", "While", "Case", "EagerPyFunc"):
        assert tables.op_facts(name, n_inputs=2).carries(1) == "unknown"
    assert tables.op_facts("MatMul", n_inputs=2).carries(1) == "value"


@pytest.mark.parametrize(("op", "container"), [("ReduceDataset", ""), ("RaggedTensorToVariant", "ragged")])
def test_a_dataset_is_no_container_of_values(op: str, container: str) -> None:
    assert tables.op_facts(op).container == container
