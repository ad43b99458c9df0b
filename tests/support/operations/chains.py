"""Ops on lists, variables and other handles: functions of one source in which the op lies on the only way.

Each entry gives the flat input of the op through which the gradient comes, and the function.
"""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf
from tensorflow.python.ops import composite_tensor_ops

raw = tf.raw_ops
Chain = Callable[[tf.Tensor], tf.Tensor]
FLOAT = tf.float32


def _shape(*sizes: int) -> tf.Tensor:
    return tf.constant(sizes, tf.int32)


def _list(x: tf.Tensor) -> tf.Tensor:
    return raw.TensorListFromTensor(tensor=x, element_shape=_shape(2))


def _stack(handle: tf.Tensor) -> tf.Tensor:
    return raw.TensorListStack(input_handle=handle, element_shape=_shape(2), element_dtype=FLOAT)


def _empty() -> tf.Tensor:
    return raw.EmptyTensorList(element_shape=_shape(2), max_num_elements=4, element_dtype=FLOAT)


def _reserved(count: int = 3) -> tf.Tensor:
    return raw.TensorListReserve(element_shape=_shape(2), num_elements=count, element_dtype=FLOAT)


def _scattered(op: Callable[..., tf.Tensor], x: tf.Tensor, **more: int) -> tf.Tensor:
    return _stack(op(tensor=x, indices=[0, 1, 2], element_shape=_shape(2), **more))


def _csr(x: tf.Tensor) -> tf.Tensor:
    indices = tf.constant([[0, 0], [1, 1], [2, 0]], tf.int64)
    return raw.DenseToCSRSparseMatrix(dense_input=x, indices=indices)


def _dense(matrix: tf.Tensor) -> tf.Tensor:
    return raw.CSRSparseMatrixToDense(sparse_input=matrix, type=FLOAT)


def _csr_of_values(values: tf.Tensor) -> tf.Tensor:
    return raw.SparseTensorToCSRSparseMatrix(
        indices=tf.constant([[0, 0], [1, 1]], tf.int64),
        values=values[:, 0][:2],
        dense_shape=tf.constant([2, 2], tf.int64),
    )


def _ragged(x: tf.Tensor) -> tf.Tensor:
    return tf.RaggedTensor.from_row_splits(tf.reshape(x, [-1]), [0, 2, 6])._to_variant(batched_input=True)


# Sources are matrices of shape (3, 2).
CHAINS: dict[str, tuple[int, Chain]] = {
    "TensorListFromTensor": (0, lambda x: _stack(_list(x))),
    "TensorListStack": (0, lambda x: _stack(_list(x))),
    "TensorListGetItem": (
        0,
        lambda x: raw.TensorListGetItem(input_handle=_list(x), index=1, element_shape=_shape(2), element_dtype=FLOAT),
    ),
    "TensorListPushBack": (1, lambda x: _stack(raw.TensorListPushBack(input_handle=_empty(), tensor=x[0]))),
    "TensorListPopBack": (
        0,
        lambda x: raw.TensorListPopBack(input_handle=_list(x), element_shape=_shape(2), element_dtype=FLOAT)[1],
    ),
    "TensorListSetItem": (
        2,
        lambda x: raw.TensorListGetItem(
            input_handle=raw.TensorListSetItem(input_handle=_reserved(), index=0, item=x[0]),
            index=0,
            element_shape=_shape(2),
            element_dtype=FLOAT,
        ),
    ),
    "TensorListResize": (0, lambda x: _stack(raw.TensorListResize(input_handle=_list(x), size=2))),
    "TensorListGather": (
        0,
        lambda x: raw.TensorListGather(
            input_handle=_list(x), indices=[0, 2], element_shape=_shape(2), element_dtype=FLOAT
        ),
    ),
    "TensorListScatter": (0, lambda x: _scattered(raw.TensorListScatter, x)),
    "TensorListScatterV2": (0, lambda x: _scattered(raw.TensorListScatterV2, x, num_elements=3)),
    "TensorListScatterIntoExistingList": (
        1,
        lambda x: _stack(raw.TensorListScatterIntoExistingList(input_handle=_reserved(), tensor=x, indices=[0, 1, 2])),
    ),
    "TensorListConcat": (
        0,
        lambda x: (
            raw.TensorListConcat(input_handle=_list(x), element_shape=tf.TensorShape([2]), element_dtype=FLOAT).tensor
        ),
    ),
    "TensorListConcatV2": (
        0,
        lambda x: (
            raw.TensorListConcatV2(
                input_handle=_list(x),
                element_shape=_shape(2),
                leading_dims=tf.constant([], tf.int64),
                element_dtype=FLOAT,
            ).tensor
        ),
    ),
    "TensorListSplit": (
        0,
        lambda x: raw.TensorListGetItem(
            input_handle=raw.TensorListSplit(
                tensor=x, element_shape=_shape(-1, 2), lengths=tf.constant([1, 2], tf.int64)
            ),
            index=1,
            element_shape=_shape(-1, 2),
            element_dtype=FLOAT,
        ),
    ),
    "OptionalFromValue": (0, lambda x: _through_optional(x)),
    "OptionalGetValue": (0, lambda x: _through_optional(x)),
    "RaggedTensorToVariant": (1, lambda x: _through_ragged(x)),
    "RaggedTensorFromVariant": (0, lambda x: _through_ragged(x)),
    "DenseToCSRSparseMatrix": (0, lambda x: _dense(_csr(x))),
    "CSRSparseMatrixToDense": (0, lambda x: _dense(_csr(x))),
    "SparseTensorToCSRSparseMatrix": (1, lambda x: _dense(_csr_of_values(x))),
    "CSRSparseMatrixToSparseTensor": (
        0,
        lambda x: raw.CSRSparseMatrixToSparseTensor(sparse_matrix=_csr(x), type=FLOAT).values,
    ),
    "SparseMatrixMatMul": (0, lambda x: raw.SparseMatrixMatMul(a=_csr(x), b=tf.ones([2, 2]))),
    "SparseMatrixTranspose": (0, lambda x: _dense(raw.SparseMatrixTranspose(input=_csr(x), type=FLOAT))),
    "CompositeTensorVariantFromComponents": (0, lambda x: _through_composite(x)),
    "CompositeTensorVariantToComponents": (0, lambda x: _through_composite(x)),
    "EagerPyFunc": (0, lambda x: tf.py_function(lambda y: y * 2.0, [x], FLOAT)),
}
# The same for a variable as the source.
VARIABLE_CHAINS: dict[str, tuple[int, Callable[[tf.Variable], tf.Tensor]]] = {
    "ReadVariableOp": (0, lambda v: raw.ReadVariableOp(resource=v.handle, dtype=FLOAT)),
    "ResourceGather": (0, lambda v: raw.ResourceGather(resource=v.handle, indices=[0, 1], dtype=FLOAT)),
    "ResourceGatherNd": (0, lambda v: raw.ResourceGatherNd(resource=v.handle, indices=[[0, 1]], dtype=FLOAT)),
}


def _through_optional(x: tf.Tensor) -> tf.Tensor:
    optional = raw.OptionalFromValue(components=[x])
    return raw.OptionalGetValue(optional=optional, output_types=[FLOAT], output_shapes=[x.shape])[0]


def _through_ragged(x: tf.Tensor) -> tf.Tensor:
    return tf.RaggedTensor._from_variant(_ragged(x), dtype=FLOAT, output_ragged_rank=1, input_ragged_rank=0).flat_values


def _through_composite(x: tf.Tensor) -> tf.Tensor:
    ragged = tf.RaggedTensor.from_row_splits(tf.reshape(x, [-1]), [0, 2, 6])
    encoded = composite_tensor_ops.composite_tensor_to_variants(ragged)
    return composite_tensor_ops.composite_tensor_from_variant(encoded, ragged._type_spec).flat_values
