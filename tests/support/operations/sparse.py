"""Calls of the operations on sparse and ragged tensors, given by their parts."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.values import Recipe, f, i, long

SPARSE_INDICES = [[0, 0], [1, 1]]

RECIPES: dict[str, Recipe] = {
    "RaggedFillEmptyRows": lambda: {
        "value_rowids": long([0, 2]),
        "values": f(2),
        "nrows": long(3),
        "default_value": f(),
    },
    "RaggedGather": lambda: {
        "params_nested_splits": [long(0, 1, 3)],
        "params_dense_values": f(3),
        "indices": long(1, 0),
        "OUTPUT_RAGGED_RANK": 1,
    },
    "RaggedTensorToSparse": lambda: {"rt_nested_splits": [long(0, 1, 3)], "rt_dense_values": f(3)},
    "RaggedTensorToTensor": lambda: {
        "shape": long(-1, -1),
        "values": f(3),
        "default_value": f(),
        "row_partition_tensors": [long(0, 1, 3)],
        "row_partition_types": ["ROW_SPLITS"],
    },
    "SparseAdd": lambda: {
        "a_indices": long(SPARSE_INDICES),
        "a_values": f(2),
        "a_shape": long(2, 2),
        "b_indices": long(SPARSE_INDICES),
        "b_values": f(2),
        "b_shape": long(2, 2),
        "thresh": f(value=0.0),
    },
    "SparseDenseCwiseAdd": lambda: _sparse_dense(),
    "SparseDenseCwiseDiv": lambda: _sparse_dense(),
    "SparseDenseCwiseMul": lambda: _sparse_dense(),
    "SparseFillEmptyRows": lambda: {
        "indices": long([[0, 0], [2, 1]]),
        "values": f(2),
        "dense_shape": long(3, 2),
        "default_value": f(),
    },
    "SparseReduceSum": lambda: {
        "input_indices": long(SPARSE_INDICES),
        "input_values": f(2),
        "input_shape": long(2, 2),
        "reduction_axes": i([0]),
    },
    "SparseReorder": lambda: {
        "input_indices": long(SPARSE_INDICES),
        "input_values": f(2),
        "input_shape": long(2, 2),
    },
    "SparseSegmentMean": lambda: _segments(),
    "SparseSegmentMeanWithNumSegments": lambda: {**_segments(), "num_segments": i(2)},
    "SparseSegmentSqrtN": lambda: _segments(),
    "SparseSegmentSqrtNWithNumSegments": lambda: {**_segments(), "num_segments": i(2)},
    "SparseSegmentSum": lambda: _segments(),
    "SparseSegmentSumWithNumSegments": lambda: {**_segments(), "num_segments": i(2)},
    "SparseSlice": lambda: {
        "indices": long(SPARSE_INDICES),
        "values": f(2),
        "shape": long(2, 2),
        "start": long(0, 0),
        "size": long(2, 2),
    },
    "SparseSoftmax": lambda: {"sp_indices": long(SPARSE_INDICES), "sp_values": f(2), "sp_shape": long(2, 2)},
    "SparseSparseMaximum": lambda: _sparse_pair(),
    "SparseSparseMinimum": lambda: _sparse_pair(),
    "SparseTensorDenseAdd": lambda: _sparse_and(f(2, 2)),
    "SparseTensorDenseMatMul": lambda: _sparse_and(f(2, 2)),
    "SparseToDense": lambda: {
        "sparse_indices": long(SPARSE_INDICES),
        "output_shape": long(2, 2),
        "sparse_values": f(2),
        "default_value": f(),
    },
}


def _sparse_dense() -> dict[str, Any]:
    return {"sp_indices": long(SPARSE_INDICES), "sp_values": f(2), "sp_shape": long(2, 2), "dense": f(2, 2)}


def _sparse_pair() -> dict[str, Any]:
    one = {"indices": long(SPARSE_INDICES), "values": f(2), "shape": long(2, 2)}
    return {f"{side}_{name}": value + 0 for side in "ab" for name, value in one.items()}


def _sparse_and(dense: tf.Tensor) -> dict[str, Any]:
    return {"a_indices": long(SPARSE_INDICES), "a_values": f(2), "a_shape": long(2, 2), "b": dense}


def _segments() -> dict[str, Any]:
    return {"data": f(3, 2), "indices": i(0, 2), "segment_ids": i(0, 1)}
