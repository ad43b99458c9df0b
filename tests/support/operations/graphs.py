"""Operations that can be put into a graph, though nothing here could run them, or that only graphs can hold.

They need another device, belong to the control flow of TensorFlow 1, or are so old that TensorFlow takes them only from
a graph of their time. Their gradients can be built all the same: that is what the tables are compared with.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.python.debug.lib import debug_gradients
from tensorflow.python.framework import op_def_library
from tensorflow.python.ops import control_flow_util

from support.operations.values import i, long
from tensorwhy.adapters.tensorflow.gradients.tables import op_definition

v1 = tf.compat.v1
raw = tf.raw_ops
FLOAT = tf.float32


def x(*shape: int) -> tf.Tensor:
    return v1.placeholder(FLOAT, shape)


def made(name: str, **arguments: Any) -> Any:
    """The outputs of an operation with these arguments, and the defaults of all others."""
    definition = op_definition(name)
    assert definition is not None
    for attr in definition.attr:
        kind = attr.default_value.WhichOneof("value")
        if kind not in (None, "type") and attr.name not in arguments:
            arguments[attr.name] = [] if kind == "list" else getattr(attr.default_value, kind)
    return op_def_library.apply_op(name, name="made", **arguments)


def _of_version(version: int) -> None:
    """From here on the graph counts as one that an older TensorFlow wrote."""
    graph = graph_pb2.GraphDef()
    graph.versions.producer = version
    graph.node.add(name="old", op="NoOp")
    tf.import_graph_def(graph, name="")


@contextlib.contextmanager
def old_control_flow() -> Iterator[None]:
    """Loops, branches and arrays as TensorFlow 1 made them: it decides that when it builds a gradient, too."""
    kept = control_flow_util.ENABLE_CONTROL_FLOW_V2
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
    try:
        yield
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = kept


def _old(version: int, name: str, **arguments: Any) -> Any:
    _of_version(version)
    return made(name, **arguments)


def _csr() -> tf.Tensor:
    return raw.DenseToCSRSparseMatrix(dense_input=x(2, 2), indices=long([[0, 0], [1, 1]]))


def _dense(matrix: tf.Tensor) -> tf.Tensor:
    return raw.CSRSparseMatrixToDense(sparse_input=matrix, type=FLOAT)


def _rnn(name: str, **more: Any) -> Any:
    return made(name, input=x(2, 1, 3), input_h=x(1, 1, 3), input_c=x(1, 1, 3), params=x(9), **more)


def _named_nothing(name: str) -> dict[str, str]:
    """An empty string for each attribute that is one: `mesh` was called `layout` in older versions."""
    definition = op_definition(name)
    return {attr.name: "" for attr in definition.attr if attr.type == "string"} if definition else {}


def _gpu(name: str, **arguments: Any) -> Any:
    with tf.device("/device:GPU:0"):
        return made(name, **arguments)


def _activations() -> Any:
    v1.add_to_collection("tpu_embedding_gradients_table_0", None)
    return made(
        "TPUEmbeddingActivations", embedding_variable=x(2, 2), sliced_activations=x(2, 2), table_id=0, lookup_id=0
    )


# Each puts the op into the graph and gives what depends on it. The sources are all inputs of the op that may have one.
CALLS: dict[str, Callable[[], Any]] = {
    "AccumulateNV2": lambda: made("AccumulateNV2", inputs=[x(2), x(2)], shape=[2]),
    "AllToAll": lambda: made(
        "AllToAll",
        input=x(2, 2),
        group_assignment=i([[0, 1]]),
        concat_dimension=0,
        split_dimension=1,
        split_count=2,
    ),
    "BatchNormWithGlobalNormalization": lambda: _old(
        8,
        "BatchNormWithGlobalNormalization",
        t=x(1, 2, 2, 3),
        m=x(3),
        v=x(3),
        beta=x(3),
        gamma=x(3),
        variance_epsilon=0.1,
        scale_after_normalization=True,
    ),
    "CTCLossV2": lambda: made(
        "CTCLossV2", inputs=x(3, 1, 3), labels_indices=long([[0, 0]]), labels_values=i([1]), sequence_length=i([3])
    ),
    "CollectivePermute": lambda: made("CollectivePermute", input=x(2), source_target_pairs=i([[0, 1]])),
    "CopyToMesh": lambda: made("CopyToMesh", input=x(2), **_named_nothing("CopyToMesh")),
    "CopyToMeshGrad": lambda: made("CopyToMeshGrad", input=x(2), forward_input=x(2)),
    "CrossReplicaSum": lambda: made("CrossReplicaSum", input=x(2), group_assignment=i([[0, 1]])),
    "CudnnRNN": lambda: _rnn("CudnnRNN"),
    "CudnnRNNV2": lambda: _rnn("CudnnRNNV2"),
    "CudnnRNNV3": lambda: _rnn("CudnnRNNV3", sequence_lengths=i([2])),
    "NcclAllReduce": lambda: _gpu("NcclAllReduce", input=x(2), reduction="sum", num_devices=1, shared_name="all"),
    "NcclBroadcast": lambda: _gpu("NcclBroadcast", input=x(2), shape=[2]),
    "NcclReduce": lambda: _gpu("NcclReduce", input=[x(2), x(2)], reduction="sum"),
    "QuantizeAndDequantize": lambda: _old(21, "QuantizeAndDequantize", input=x(4)),
    "Relayout": lambda: made("Relayout", input=x(2), layout=""),
    "RelayoutLike": lambda: made("RelayoutLike", input=x(2), layout_input=x(2)),
    "SparseMatrixAdd": lambda: _dense(made("SparseMatrixAdd", a=_csr(), b=_csr(), alpha=x(), beta=x())),
    "SparseMatrixMul": lambda: _dense(made("SparseMatrixMul", a=_csr(), b=x())),
    "SparseMatrixSoftmax": lambda: _dense(made("SparseMatrixSoftmax", logits=_csr(), type=FLOAT)),
    "SparseMatrixSparseMatMul": lambda: _dense(made("SparseMatrixSparseMatMul", a=_csr(), b=_csr(), type=FLOAT)),
    "TPUEmbeddingActivations": _activations,
    "TopK": lambda: _old(6, "TopK", input=x(4), k=2)[0],
    "XlaClusterOutput": lambda: made("XlaClusterOutput", input=x(2)),
    "XlaEinsum": lambda: made("XlaEinsum", a=x(2, 3), b=x(3, 2), equation="ij,jk->ik"),
    "XlaSharding": lambda: made("XlaSharding", input=x(2)),
    "XlaSpmdFullToShardShape": lambda: made("XlaSpmdFullToShardShape", input=x(2), manual_sharding=""),
    "XlaSpmdShardToFullShape": lambda: made("XlaSpmdShardToFullShape", input=x(2), manual_sharding="", full_shape=[2]),
    "_EagerConst": lambda: made("_EagerConst", input=x(2)),
}


# Functions of one source, of shape (3, 2), in which the op lies on the only way; with the flat input of the op.
Chain = Callable[[tf.Tensor], tf.Tensor]


def _loop(value: tf.Tensor, times: float | None = 2.0) -> tf.Tensor:
    """A loop of TensorFlow 1. Its body has to hand a reference on as it is."""
    body = (lambda n, a: (n + 1, a)) if times is None else lambda n, a: (n + 1, a * times)
    return v1.while_loop(lambda n, a: n < 3, body, [0, value])[1]


def _branch(value: tf.Tensor) -> tf.Tensor:
    return v1.cond(v1.placeholder(tf.bool, []), lambda: value * 2.0, lambda: value * 3.0)


def _array(values: str, version: str = "V3") -> Chain:
    """A TensorArray of TensorFlow 1 that is written and read; `version` is the end of its operations' names."""

    def through(value: tf.Tensor) -> tf.Tensor:
        if version != "V3":
            _of_version(15)

        def op(name: str, **arguments: Any) -> Any:
            return made(f"TensorArray{name}{version}", **arguments)

        array = op("", size=3, dtype=FLOAT)
        handle, flow = array if version == "V3" else (array, tf.constant(0.0))
        if values == "one":
            flow = op("Write", handle=handle, index=0, value=value[0], flow_in=flow)
            return op("Read", handle=handle, index=0, flow_in=flow, dtype=FLOAT)
        if values == "some":
            flow = op("Scatter", handle=handle, indices=[0, 1, 2], value=value, flow_in=flow)
            return op("Gather", handle=handle, indices=[0, 1], flow_in=flow, dtype=FLOAT)
        flow = op("Split", handle=handle, value=value, lengths=long(1, 1, 1), flow_in=flow)
        return op("Concat", handle=handle, flow_in=flow, dtype=FLOAT)[0]

    return through


def _debugged(value: tf.Tensor) -> tf.Tensor:
    return debug_gradients.GradientsDebugger().identify_gradient(value) * 2.0


def _checked_choice(branches: int) -> Chain:
    """Branches that may stop the program: the call that holds them then counts as stateful."""

    def chosen(value: tf.Tensor) -> tf.Tensor:
        def checked() -> tf.Tensor:
            raw.Assert(condition=tf.reduce_all(value > 0.0), data=[value])
            return value * 2.0

        if branches == 2:
            return tf.cond(v1.placeholder(tf.bool, []), checked, checked)
        return tf.switch_case(v1.placeholder(tf.int32, []), [checked] * branches)

    return chosen


CHAINS: dict[str, tuple[int, Chain]] = {
    "Case": (1, _checked_choice(3)),
    "DebugGradientIdentity": (0, _debugged),
    "If": (1, _checked_choice(2)),
    "StatelessCase": (
        1,
        lambda a: tf.switch_case(v1.placeholder(tf.int32, []), [lambda: a * 2.0, lambda: a * 3.0]),
    ),
    "StatelessIf": (1, lambda a: tf.cond(v1.placeholder(tf.bool, []), lambda: a * 2.0, lambda: a * 3.0)),
    "StatelessWhile": (
        3,
        lambda a: tf.while_loop(lambda n, b: n < 3, lambda n, b: (n + 1, b * 2.0), [0, a])[1],
    ),
    "While": (
        3,
        lambda a: tf.while_loop(lambda n, b: n < 3, lambda n, b: (n + 1, b * tf.random.uniform([])), [0, a])[1],
    ),
}
# Those of TensorFlow 1.
OLD_CHAINS: dict[str, tuple[int, Chain]] = {
    "Enter": (0, _loop),
    "Exit": (0, _loop),
    "Merge": (0, _branch),
    "NextIteration": (0, _loop),
    "Switch": (0, _branch),
    "TensorArrayConcatV3": (1, _array("all")),
    "TensorArrayGatherV3": (2, _array("some")),
    "TensorArrayReadV3": (2, _array("one")),
    "TensorArrayScatterV3": (2, _array("some")),
    "TensorArraySplitV3": (1, _array("all")),
    "TensorArrayWriteV3": (2, _array("one")),
}
# The same for a variable of TensorFlow 1, whose value is a reference.
REFERENCE_CHAINS: dict[str, tuple[int, Chain]] = {
    "DebugGradientRefIdentity": (0, _debugged),
    "RefEnter": (0, lambda v: _loop(v, times=None)),
    "RefExit": (0, lambda v: _loop(v, times=None)),
    "RefIdentity": (0, lambda v: raw.RefIdentity(input=v) * 2.0),
    "RefMerge": (0, lambda v: _loop(v, times=None)),
    "RefNextIteration": (0, lambda v: _loop(v, times=None)),
    "RefSwitch": (0, lambda v: _loop(v, times=None)),
}
# Those whose gradient TensorFlow cannot build: the arrays' handles are strings, and its own functions want another.
FAILING_CHAINS: dict[str, tuple[int, Chain]] = {
    f"TensorArray{step}{version}": (2, _array(values, version))
    for version in ("", "V2")
    for values, steps in {"one": ("Write", "Read"), "some": ("Scatter", "Gather"), "all": ("Split", "Concat")}.items()
    for step in steps
}


def reference() -> tf.Tensor:
    """The value of a variable of TensorFlow 1."""
    return v1.get_variable("v", initializer=tf.ones([3, 2]), use_resource=False)._variable
