"""Calls of what networks are made of: normalisation, recurrence, losses, quantisation, random samples."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.values import Recipe, f, i, long

RECIPES: dict[str, Recipe] = {
    "BiasAdd": lambda: {"value": f(2, 3), "bias": f(3)},
    "BiasAddV1": lambda: {"value": f(2, 3), "bias": f(3)},
    "BlockLSTM": lambda: _lstm(),
    "BlockLSTMV2": lambda: _lstm(),
    "CTCLoss": lambda: {
        "inputs": f(3, 1, 3),
        "labels_indices": long([[0, 0]]),
        "labels_values": i([1]),
        "sequence_length": i([3]),
    },
    "FakeQuantWithMinMaxVars": lambda: {"inputs": f(2), "min": f(value=-1.0), "max": f(value=1.0)},
    "FakeQuantWithMinMaxVarsPerChannel": lambda: {"inputs": f(2), "min": f(2, value=-1.0), "max": f(2, value=1.0)},
    "FusedBatchNorm": lambda: _batch_norm(),
    "FusedBatchNormGrad": lambda: _batch_norm_grad(),
    "FusedBatchNormGradV2": lambda: _batch_norm_grad(),
    "FusedBatchNormGradV3": lambda: {**_batch_norm_grad(), "reserve_space_3": f(2)},
    "FusedBatchNormV2": lambda: _batch_norm(),
    "FusedBatchNormV3": lambda: _batch_norm(),
    "QuantizeAndDequantizeV2": lambda: {"input": f(2), "input_min": f(value=-1.0), "input_max": f(value=1.0)},
    "QuantizeAndDequantizeV3": lambda: {
        "input": f(2),
        "input_min": f(value=-1.0),
        "input_max": f(value=1.0),
        "num_bits": i(8),
    },
    "QuantizeAndDequantizeV4": lambda: {"input": f(2), "input_min": f(value=-1.0), "input_max": f(value=1.0)},
    "QuantizeAndDequantizeV4Grad": lambda: {
        "gradients": f(2),
        "input": f(2),
        "input_min": f(value=-1.0),
        "input_max": f(value=1.0),
    },
    "RandomGamma": lambda: {"shape": i([2]), "alpha": f(2)},
    "RandomGammaGrad": lambda: {"alpha": f(2), "sample": f(2)},
    "SparseSoftmaxCrossEntropyWithLogits": lambda: {"features": f(2, 3), "labels": i(0, 1)},
    "StatelessParameterizedTruncatedNormal": lambda: {
        "shape": i([2]),
        "seed": i(1, 2),
        "means": f(2),
        "stddevs": f(2, value=1.0),
        "minvals": f(2, value=-1.0),
        "maxvals": f(2, value=2.0),
    },
    "StatelessRandomGammaV2": lambda: {"shape": i([2]), "seed": i(1, 2), "alpha": f(2)},
    "StatelessRandomGammaV3": lambda: {
        "shape": i([2]),
        "key": tf.constant([1], tf.uint64),
        "counter": tf.constant([1, 2], tf.uint64),
        "alg": i(1),
        "alpha": f(2),
    },
}


def _lstm() -> dict[str, Any]:
    return {
        "seq_len_max": long(2),
        "x": f(2, 1, 2),
        "cs_prev": f(1, 1),
        "h_prev": f(1, 1),
        "w": f(3, 4),
        "wci": f(1),
        "wcf": f(1),
        "wco": f(1),
        "b": f(4),
    }


def _batch_norm() -> dict[str, Any]:
    return {"x": f(1, 2, 2, 2), "scale": f(2), "offset": f(2), "mean": f(0), "variance": f(0)}


def _batch_norm_grad() -> dict[str, Any]:
    return {
        "y_backprop": f(1, 2, 2, 2),
        "x": f(1, 2, 2, 2),
        "scale": f(2),
        "reserve_space_1": f(2),
        "reserve_space_2": f(2),
    }
