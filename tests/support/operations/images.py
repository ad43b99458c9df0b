"""Calls of the operations on images: convolution, pooling, resizing, blocks."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.values import Recipe, f, i

POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}
POOL3 = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 1, 1, 1, 1], "padding": "VALID"}
CONV = {"strides": [1, 1, 1, 1], "padding": "VALID"}
CONV3 = {"strides": [1, 1, 1, 1, 1], "padding": "VALID"}

RECIPES: dict[str, Recipe] = {
    "AvgPool": lambda: {"value": f(1, 4, 4, 1), **POOL},
    "AvgPool3D": lambda: {"input": f(1, 3, 3, 3, 1), **POOL3},
    "AvgPool3DGrad": lambda: {"orig_input_shape": i(1, 3, 3, 3, 1), "grad": f(1, 2, 2, 2, 1), **POOL3},
    "AvgPoolGrad": lambda: {"orig_input_shape": i(1, 4, 4, 1), "grad": f(1, 3, 3, 1), **POOL},
    "BatchToSpace": lambda: {"input": f(4, 1, 1, 1), "crops": i([[0, 0], [0, 0]]), "block_size": 2},
    "BatchToSpaceND": lambda: {"input": f(4, 1, 1, 1), "block_shape": i(2, 2), "crops": i([[0, 0], [0, 0]])},
    "Conv2D": lambda: {"input": f(1, 4, 4, 1), "filter": f(2, 2, 1, 1), **CONV},
    "Conv2DBackpropFilter": lambda: {
        "input": f(1, 4, 4, 1),
        "filter_sizes": i(2, 2, 1, 1),
        "out_backprop": f(1, 3, 3, 1),
        **CONV,
    },
    "Conv2DBackpropInput": lambda: {
        "input_sizes": i(1, 4, 4, 1),
        "filter": f(2, 2, 1, 1),
        "out_backprop": f(1, 3, 3, 1),
        **CONV,
    },
    "Conv3D": lambda: {"input": f(1, 3, 3, 3, 1), "filter": f(2, 2, 2, 1, 1), **CONV3},
    "Conv3DBackpropFilterV2": lambda: {
        "input": f(1, 3, 3, 3, 1),
        "filter_sizes": i(2, 2, 2, 1, 1),
        "out_backprop": f(1, 2, 2, 2, 1),
        **CONV3,
    },
    "Conv3DBackpropInputV2": lambda: {
        "input_sizes": i(1, 3, 3, 3, 1),
        "filter": f(2, 2, 2, 1, 1),
        "out_backprop": f(1, 2, 2, 2, 1),
        **CONV3,
    },
    "CropAndResize": lambda: {
        "image": f(1, 4, 4, 1),
        "boxes": tf.constant([[0.1, 0.1, 0.8, 0.8]]),
        "box_ind": i([0]),
        "crop_size": i(2, 2),
    },
    "DepthToSpace": lambda: {"input": f(1, 1, 1, 4), "block_size": 2},
    "DepthwiseConv2dNative": lambda: {"input": f(1, 4, 4, 1), "filter": f(2, 2, 1, 1), **CONV},
    "DepthwiseConv2dNativeBackpropFilter": lambda: {
        "input": f(1, 4, 4, 1),
        "filter_sizes": i(2, 2, 1, 1),
        "out_backprop": f(1, 3, 3, 1),
        **CONV,
    },
    "DepthwiseConv2dNativeBackpropInput": lambda: {
        "input_sizes": i(1, 4, 4, 1),
        "filter": f(2, 2, 1, 1),
        "out_backprop": f(1, 3, 3, 1),
        **CONV,
    },
    "Dilation2D": lambda: {"input": f(1, 4, 4, 1), "filter": f(2, 2, 1), "rates": [1, 1, 1, 1], **CONV},
    "ExtractImagePatches": lambda: {
        "images": f(1, 4, 4, 1),
        "ksizes": [1, 2, 2, 1],
        "strides": [1, 1, 1, 1],
        "rates": [1, 1, 1, 1],
        "padding": "VALID",
    },
    "ExtractVolumePatches": lambda: {
        "input": f(1, 3, 3, 3, 1),
        "ksizes": [1, 2, 2, 2, 1],
        "strides": [1, 1, 1, 1, 1],
        "padding": "VALID",
    },
    "FractionalAvgPool": lambda: {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 1.5, 1.5, 1.0]},
    "FractionalMaxPool": lambda: {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 1.5, 1.5, 1.0]},
    "ImageProjectiveTransformV2": lambda: _projective(),
    "ImageProjectiveTransformV3": lambda: {**_projective(), "fill_value": f()},
    "LRN": lambda: {"input": f(1, 2, 2, 3)},
    "MaxPool": lambda: {"input": f(1, 4, 4, 1), **POOL},
    "MaxPool3D": lambda: {"input": f(1, 3, 3, 3, 1), **POOL3},
    "MaxPool3DGrad": lambda: _max_pool_grad(3, f(1, 2, 2, 2, 1), POOL3),
    "MaxPool3DGradGrad": lambda: _max_pool_grad(3, f(1, 3, 3, 3, 1), POOL3),
    "MaxPoolGrad": lambda: _max_pool_grad(2, f(1, 3, 3, 1), POOL),
    "MaxPoolGradGrad": lambda: _max_pool_grad(2, f(1, 4, 4, 1), POOL),
    "MaxPoolGradGradV2": lambda: _max_pool_grad(2, f(1, 4, 4, 1), _POOL_V2),
    "MaxPoolGradV2": lambda: _max_pool_grad(2, f(1, 3, 3, 1), _POOL_V2),
    "MaxPoolV2": lambda: {"input": f(1, 4, 4, 1), **_POOL_V2},
    "MaxPoolWithArgmax": lambda: {"input": f(1, 4, 4, 1), **POOL},
    "RGBToHSV": lambda: {"images": f(2, 3)},
    "ResizeBicubic": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "ResizeBilinear": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "ResizeNearestNeighbor": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "ScaleAndTranslate": lambda: {
        "images": f(1, 4, 4, 1),
        "size": i(2, 2),
        "scale": f(2, value=1.0),
        "translation": f(2, value=0.0),
    },
    "SpaceToBatch": lambda: {"input": f(1, 2, 2, 1), "paddings": i([[0, 0], [0, 0]]), "block_size": 2},
    "SpaceToBatchND": lambda: {"input": f(1, 2, 2, 1), "block_shape": i(2, 2), "paddings": i([[0, 0], [0, 0]])},
    "SpaceToDepth": lambda: {"input": f(1, 2, 2, 1), "block_size": 2},
}
_POOL_V2: dict[str, Any] = {"ksize": i(1, 2, 2, 1), "strides": i(1, 1, 1, 1), "padding": "VALID"}


def _projective() -> dict[str, Any]:
    return {
        "images": f(1, 4, 4, 1),
        "transforms": tf.constant([[1.0, 0, 0, 0, 1, 0, 0, 0]]),
        "output_shape": i(4, 4),
        "interpolation": "BILINEAR",
    }


def _max_pool_grad(rank: int, grad: tf.Tensor, attributes: dict[str, Any]) -> dict[str, Any]:
    images = f(1, *([4, 4] if rank == 2 else [3, 3, 3]), 1)
    pooled = tf.raw_ops.MaxPool(input=images, **POOL) if rank == 2 else tf.raw_ops.MaxPool3D(input=images, **POOL3)
    return {"orig_input": images, "orig_output": pooled, "grad": grad, **attributes}
