"""Calls of the operations that take arrays apart, put them together, reduce or only pass them on."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.values import Recipe, f, i

RECIPES: dict[str, Recipe] = {
    "Acosh": lambda: {"x": f(2, value=1.5)},
    "ApproxTopK": lambda: {"input": f(4), "k": 2},
    "ArgMax": lambda: {"input": f(2, 3), "dimension": i(0)},
    "ArgMin": lambda: {"input": f(2, 3), "dimension": i(0)},
    "BroadcastTo": lambda: {"input": f(2), "shape": i(3, 2)},
    "Cast": lambda: {"x": f(2), "DstT": tf.float64},
    "CheckNumerics": lambda: {"tensor": f(2), "message": ""},
    "CheckNumericsV2": lambda: {"tensor": f(2), "message": ""},
    "DynamicPartition": lambda: {"data": f(3), "partitions": i(0, 1, 0), "num_partitions": 2},
    "EnsureShape": lambda: {"input": f(2), "shape": [2]},
    "EuclideanNorm": lambda: {"input": f(2, 3), "axis": i(0)},
    "ExpandDims": lambda: {"input": f(2), "axis": i(0)},
    "Fill": lambda: {"dims": i([2]), "value": f()},
    "GatherNd": lambda: {"params": f(2, 2), "indices": i([[0, 1]])},
    "GatherV2": lambda: {"params": f(3), "indices": i(0, 2), "axis": i(0)},
    "Max": lambda: {"input": f(2, 3), "axis": i(0)},
    "Mean": lambda: {"input": f(2, 3), "axis": i(0)},
    "Min": lambda: {"input": f(2, 3), "axis": i(0)},
    "MirrorPad": lambda: {"input": f(3), "paddings": i([[1, 1]]), "mode": "REFLECT"},
    "MirrorPadGrad": lambda: {"input": f(5), "paddings": i([[1, 1]]), "mode": "REFLECT"},
    "Pad": lambda: {"input": f(3), "paddings": i([[1, 1]])},
    "PadV2": lambda: {"input": f(3), "paddings": i([[1, 1]]), "constant_values": f()},
    "PlaceholderWithDefault": lambda: {"input": f(2), "shape": [2]},
    "PreventGradient": lambda: {"input": f(2)},
    "Prod": lambda: {"input": f(2, 3), "axis": i(0)},
    "Reshape": lambda: {"tensor": f(2, 2), "shape": i([4])},
    "Reverse": lambda: {"tensor": f(2), "dims": tf.constant([True])},
    "ReverseSequence": lambda: {"input": f(2, 3), "seq_lengths": i(1, 2), "seq_dim": 1},
    "ReverseV2": lambda: {"tensor": f(2), "axis": i([0])},
    "ScatterNd": lambda: {"indices": i([[0], [2]]), "updates": f(2), "shape": i([4])},
    "ScatterNdNonAliasingAdd": lambda: {"input": f(4), "indices": i([[0], [2]]), "updates": f(2)},
    "SegmentMax": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentMean": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentMin": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentProd": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentSum": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "Select": lambda: {"condition": tf.constant([True, False]), "x": f(2), "y": f(2)},
    "Slice": lambda: {"input": f(4), "begin": i([1]), "size": i([2])},
    "Split": lambda: {"axis": i(0), "value": f(4), "num_split": 2},
    "SplitV": lambda: {"value": f(4), "size_splits": i(1, 3), "axis": i(0), "num_split": 2},
    "StopGradient": lambda: {"input": f(2)},
    "StridedSlice": lambda: {"input": f(4), "begin": i([0]), "end": i([2]), "strides": i([1])},
    "StridedSliceGrad": lambda: {
        "shape": i([4]),
        "begin": i([0]),
        "end": i([2]),
        "strides": i([1]),
        "dy": f(2),
    },
    "Sum": lambda: {"input": f(2, 3), "axis": i(0)},
    "TensorScatterAdd": lambda: _tensor_scatter(),
    "TensorScatterMax": lambda: _tensor_scatter(),
    "TensorScatterMin": lambda: _tensor_scatter(),
    "TensorScatterSub": lambda: _tensor_scatter(),
    "TensorScatterUpdate": lambda: _tensor_scatter(),
    "TensorStridedSliceUpdate": lambda: {
        "input": f(4),
        "begin": i([0]),
        "end": i([2]),
        "strides": i([1]),
        "value": f(2),
    },
    "Tile": lambda: {"input": f(2), "multiples": i([2])},
    "TopKV2": lambda: {"input": f(4), "k": i(2)},
    "Transpose": lambda: {"x": f(2, 3), "perm": i(1, 0)},
    "Unpack": lambda: {"value": f(2, 3), "num": 2},
    "UnsortedSegmentMax": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentMin": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentProd": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentSum": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
}


def _tensor_scatter() -> dict[str, Any]:
    return {"tensor": f(4), "indices": i([[0], [2]]), "updates": f(2)}
