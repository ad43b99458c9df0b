"""For every differentiable TensorFlow op a small valid call, to compare what is known of the op with what it does.

A recipe makes the arguments of `tf.raw_ops.<name>`; every float or complex tensor among them is a source. Ops on lists,
variables and other handles are in CHAINS: functions of one source, in which the op lies on the only way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

# Element-wise ops and others that take the same small matrix (0.4 everywhere) for each float input and 0 for an index.
UNIFORM = """
Abs Acos Add AddN AddV2 Asin Asinh Atan Atan2 Atanh BatchMatMul BatchMatMulV2 BesselI0 BesselI0e BesselI1 BesselI1e
BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Betainc BiasAddGrad Ceil ClipByValue Concat
ConcatV2 Cos Cosh Cumprod Cumsum CumulativeLogsumexp Dawsn DebugIdentityV2 Diag DiagPart Digamma Div DivNoNan
DynamicStitch Elu EluGrad Erf Erfc Erfinv Exp Expint Expm1 FakeQuantWithMinMaxArgs Floor FloorDiv FloorMod FresnelCos
FresnelSin Gather Identity IdentityN Igamma Igammac Inv InvGrad IsotonicRegression L2Loss LeakyRelu LeakyReluGrad
Lgamma Log Log1p LogSoftmax MatMul MatrixBandPart MatrixDiag MatrixDiagPart Maximum Minimum Mul MulNoNan Ndtri Neg
NextAfter NthElement Pack ParallelDynamicStitch Polygamma Pow Print RealDiv Reciprocal ReciprocalGrad Relu Relu6
Relu6Grad ReluGrad Rint Roll Round Rsqrt RsqrtGrad SelectV2 Selu SeluGrad Sigmoid SigmoidGrad Sign Sin Sinh Softmax
SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad Softsign SparseMatMul Spence Sqrt SqrtGrad Square
SquaredDifference Squeeze Sub Tan Tanh TanhGrad TruncateDiv Xdivy Xlog1py Xlogy Zeta
""".split()  # noqa: SIM905
COMPLEX = ["Angle", "Complex", "ComplexAbs", "Conj", "FFT", "FFT2D", "IFFT", "IFFT2D", "Imag", "Real"]


def f(*shape: int, value: float = 0.4) -> tf.Tensor:
    """A float tensor whose entries differ a little."""
    count = 1
    for size in shape:
        count *= size
    return tf.reshape(value + 0.01 * tf.range(count, dtype=tf.float32), shape)


def c(*shape: int) -> tf.Tensor:
    return tf.complex(f(*shape), f(*shape, value=0.2))


def i(*values: Any) -> tf.Tensor:
    return tf.constant(values[0] if len(values) == 1 else list(values), tf.int32)


def long(*values: Any) -> tf.Tensor:
    return tf.constant(values[0] if len(values) == 1 else list(values), tf.int64)


def square(size: int = 2) -> tf.Tensor:
    """A symmetric positive definite matrix."""
    return tf.linalg.diag(tf.range(2.0, 2.0 + size)) + 0.1


POOL = {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "VALID"}
POOL3 = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 1, 1, 1, 1], "padding": "VALID"}
CONV = {"strides": [1, 1, 1, 1], "padding": "VALID"}
CONV3 = {"strides": [1, 1, 1, 1, 1], "padding": "VALID"}
SPARSE_INDICES = [[0, 0], [1, 1]]

Recipe = Callable[[], dict[str, Any]]
RECIPES: dict[str, Recipe] = {
    "Acosh": lambda: {"x": f(2, value=1.5)},
    "ApproxTopK": lambda: {"input": f(4), "k": 2},
    "ArgMax": lambda: {"input": f(2, 3), "dimension": i(0)},
    "ArgMin": lambda: {"input": f(2, 3), "dimension": i(0)},
    "AvgPool": lambda: {"value": f(1, 4, 4, 1), **POOL},
    "AvgPool3D": lambda: {"input": f(1, 3, 3, 3, 1), **POOL3},
    "AvgPool3DGrad": lambda: {"orig_input_shape": i(1, 3, 3, 3, 1), "grad": f(1, 2, 2, 2, 1), **POOL3},
    "AvgPoolGrad": lambda: {"orig_input_shape": i(1, 4, 4, 1), "grad": f(1, 3, 3, 1), **POOL},
    "BandedTriangularSolve": lambda: {"matrix": f(2, 2), "rhs": f(2, 2)},
    "BatchMatMulV3": lambda: {"x": f(2, 2, 3), "y": f(2, 3, 2), "Tout": tf.float32},
    "BatchToSpace": lambda: {"input": f(4, 1, 1, 1), "crops": i([[0, 0], [0, 0]]), "block_size": 2},
    "BatchToSpaceND": lambda: {"input": f(4, 1, 1, 1), "block_shape": i(2, 2), "crops": i([[0, 0], [0, 0]])},
    "BiasAdd": lambda: {"value": f(2, 3), "bias": f(3)},
    "BiasAddV1": lambda: {"value": f(2, 3), "bias": f(3)},
    "BlockLSTM": lambda: _lstm(),
    "BlockLSTMV2": lambda: _lstm(),
    "BroadcastTo": lambda: {"input": f(2), "shape": i(3, 2)},
    "CTCLoss": lambda: {
        "inputs": f(3, 1, 3),
        "labels_indices": long([[0, 0]]),
        "labels_values": i([1]),
        "sequence_length": i([3]),
    },
    "Cast": lambda: {"x": f(2), "DstT": tf.float64},
    "CheckNumerics": lambda: {"tensor": f(2), "message": ""},
    "CheckNumericsV2": lambda: {"tensor": f(2), "message": ""},
    "Cholesky": lambda: {"input": square()},
    "ConjugateTranspose": lambda: {"x": f(2, 3), "perm": i(1, 0)},
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
    "Cross": lambda: {"a": f(3), "b": f(3)},
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
    "DynamicPartition": lambda: {"data": f(3), "partitions": i(0, 1, 0), "num_partitions": 2},
    "Eig": lambda: {"input": tf.cast(square(), tf.complex64), "Tout": tf.complex64},
    "Einsum": lambda: {"inputs": [f(2, 3), f(3, 2)], "equation": "ij,jk->ik"},
    "EnsureShape": lambda: {"input": f(2), "shape": [2]},
    "EuclideanNorm": lambda: {"input": f(2, 3), "axis": i(0)},
    "ExpandDims": lambda: {"input": f(2), "axis": i(0)},
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
    "FFT3D": lambda: {"input": c(2, 2, 2)},
    "FFTND": lambda: {"input": c(2, 2), "fft_length": i(2, 2), "axes": i(0, 1)},
    "IFFTND": lambda: {"input": c(2, 2), "fft_length": i(2, 2), "axes": i(0, 1)},
    "FakeQuantWithMinMaxVars": lambda: {"inputs": f(2), "min": f(value=-1.0), "max": f(value=1.0)},
    "FakeQuantWithMinMaxVarsPerChannel": lambda: {"inputs": f(2), "min": f(2, value=-1.0), "max": f(2, value=1.0)},
    "Fill": lambda: {"dims": i([2]), "value": f()},
    "FractionalAvgPool": lambda: {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 1.5, 1.5, 1.0]},
    "FractionalMaxPool": lambda: {"value": f(1, 4, 4, 1), "pooling_ratio": [1.0, 1.5, 1.5, 1.0]},
    "FusedBatchNorm": lambda: _batch_norm(),
    "FusedBatchNormGrad": lambda: _batch_norm_grad(),
    "FusedBatchNormGradV2": lambda: _batch_norm_grad(),
    "FusedBatchNormGradV3": lambda: {**_batch_norm_grad(), "reserve_space_3": f(2)},
    "FusedBatchNormV2": lambda: _batch_norm(),
    "FusedBatchNormV3": lambda: _batch_norm(),
    "GatherV2": lambda: {"params": f(3), "indices": i(0, 2), "axis": i(0)},
    "GatherNd": lambda: {"params": f(2, 2), "indices": i([[0, 1]])},
    "IFFT3D": lambda: {"input": c(2, 2, 2)},
    "IRFFT": lambda: {"input": c(2, 3), "fft_length": i([4])},
    "IRFFT2D": lambda: {"input": c(4, 3), "fft_length": i(4, 4)},
    "ImageProjectiveTransformV2": lambda: _projective(),
    "ImageProjectiveTransformV3": lambda: {**_projective(), "fill_value": f()},
    "LRN": lambda: {"input": f(1, 2, 2, 3)},
    "LogMatrixDeterminant": lambda: {"input": square()},
    "MatrixDeterminant": lambda: {"input": square()},
    "MatrixDiagPartV2": lambda: {"input": f(3, 3), "k": i(0), "padding_value": f()},
    "MatrixDiagPartV3": lambda: {"input": f(3, 3), "k": i(0), "padding_value": f()},
    "MatrixDiagV2": lambda: _matrix_diag(),
    "MatrixDiagV3": lambda: _matrix_diag(),
    "MatrixExponential": lambda: {"input": f(2, 2)},
    "MatrixInverse": lambda: {"input": square()},
    "MatrixSetDiag": lambda: {"input": f(2, 2), "diagonal": f(2)},
    "MatrixSetDiagV2": lambda: {"input": f(2, 2), "diagonal": f(2), "k": i(0)},
    "MatrixSetDiagV3": lambda: {"input": f(2, 2), "diagonal": f(2), "k": i(0)},
    "MatrixSolve": lambda: {"matrix": square(), "rhs": f(2, 1)},
    "MatrixSolveLs": lambda: {"matrix": square(), "rhs": f(2, 1), "l2_regularizer": tf.constant(0.1, tf.float64)},
    "MatrixSquareRoot": lambda: {"input": square()},
    "MatrixTriangularSolve": lambda: {"matrix": square(), "rhs": f(2, 1)},
    "Max": lambda: {"input": f(2, 3), "axis": i(0)},
    "MaxPool": lambda: {"input": f(1, 4, 4, 1), **POOL},
    "MaxPool3D": lambda: {"input": f(1, 3, 3, 3, 1), **POOL3},
    "MaxPool3DGrad": lambda: _max_pool_grad(3, f(1, 2, 2, 2, 1), POOL3),
    "MaxPool3DGradGrad": lambda: _max_pool_grad(3, f(1, 3, 3, 3, 1), POOL3),
    "MaxPoolGrad": lambda: _max_pool_grad(2, f(1, 3, 3, 1), POOL),
    "MaxPoolGradGrad": lambda: _max_pool_grad(2, f(1, 4, 4, 1), POOL),
    "MaxPoolGradV2": lambda: _max_pool_grad(2, f(1, 3, 3, 1), _POOL_V2),
    "MaxPoolGradGradV2": lambda: _max_pool_grad(2, f(1, 4, 4, 1), _POOL_V2),
    "MaxPoolV2": lambda: {"input": f(1, 4, 4, 1), **_POOL_V2},
    "MaxPoolWithArgmax": lambda: {"input": f(1, 4, 4, 1), **POOL},
    "Mean": lambda: {"input": f(2, 3), "axis": i(0)},
    "Min": lambda: {"input": f(2, 3), "axis": i(0)},
    "MirrorPad": lambda: {"input": f(3), "paddings": i([[1, 1]]), "mode": "REFLECT"},
    "MirrorPadGrad": lambda: {"input": f(5), "paddings": i([[1, 1]]), "mode": "REFLECT"},
    "Pad": lambda: {"input": f(3), "paddings": i([[1, 1]])},
    "PadV2": lambda: {"input": f(3), "paddings": i([[1, 1]]), "constant_values": f()},
    "PlaceholderWithDefault": lambda: {"input": f(2), "shape": [2]},
    "PreventGradient": lambda: {"input": f(2)},
    "Prod": lambda: {"input": f(2, 3), "axis": i(0)},
    "Qr": lambda: {"input": f(2, 2)},
    "QuantizeAndDequantizeV2": lambda: {"input": f(2), "input_min": f(value=-1.0), "input_max": f(value=1.0)},
    "QuantizeAndDequantizeV4": lambda: {"input": f(2), "input_min": f(value=-1.0), "input_max": f(value=1.0)},
    "QuantizeAndDequantizeV3": lambda: {
        "input": f(2),
        "input_min": f(value=-1.0),
        "input_max": f(value=1.0),
        "num_bits": i(8),
    },
    "QuantizeAndDequantizeV4Grad": lambda: {
        "gradients": f(2),
        "input": f(2),
        "input_min": f(value=-1.0),
        "input_max": f(value=1.0),
    },
    "RFFT": lambda: {"input": f(4), "fft_length": i([4])},
    "RFFT2D": lambda: {"input": f(4, 4), "fft_length": i(4, 4)},
    "RFFT3D": lambda: {"input": f(2, 2, 2), "fft_length": i(2, 2, 2)},
    "IRFFT3D": lambda: {"input": c(2, 2, 2), "fft_length": i(2, 2, 2)},
    "RGBToHSV": lambda: {"images": f(2, 3)},
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
    "RandomGamma": lambda: {"shape": i([2]), "alpha": f(2)},
    "RandomGammaGrad": lambda: {"alpha": f(2), "sample": f(2)},
    "Reshape": lambda: {"tensor": f(2, 2), "shape": i([4])},
    "ResizeBicubic": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "ResizeBilinear": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "ResizeNearestNeighbor": lambda: {"images": f(1, 4, 4, 1), "size": i(2, 2)},
    "Reverse": lambda: {"tensor": f(2), "dims": tf.constant([True])},
    "ReverseSequence": lambda: {"input": f(2, 3), "seq_lengths": i(1, 2), "seq_dim": 1},
    "ReverseV2": lambda: {"tensor": f(2), "axis": i([0])},
    "ScaleAndTranslate": lambda: {
        "images": f(1, 4, 4, 1),
        "size": i(2, 2),
        "scale": f(2, value=1.0),
        "translation": f(2, value=0.0),
    },
    "ScatterNd": lambda: {"indices": i([[0], [2]]), "updates": f(2), "shape": i([4])},
    "ScatterNdNonAliasingAdd": lambda: {"input": f(4), "indices": i([[0], [2]]), "updates": f(2)},
    "SegmentMax": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentMean": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentMin": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentProd": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "SegmentSum": lambda: {"data": f(3), "segment_ids": i(0, 0, 1)},
    "Select": lambda: {"condition": tf.constant([True, False]), "x": f(2), "y": f(2)},
    "SelfAdjointEigV2": lambda: {"input": square()},
    "Slice": lambda: {"input": f(4), "begin": i([1]), "size": i([2])},
    "SpaceToBatch": lambda: {"input": f(1, 2, 2, 1), "paddings": i([[0, 0], [0, 0]]), "block_size": 2},
    "SpaceToBatchND": lambda: {"input": f(1, 2, 2, 1), "block_shape": i(2, 2), "paddings": i([[0, 0], [0, 0]])},
    "SpaceToDepth": lambda: {"input": f(1, 2, 2, 1), "block_size": 2},
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
    "SparseSoftmaxCrossEntropyWithLogits": lambda: {"features": f(2, 3), "labels": i(0, 1)},
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
    "Split": lambda: {"axis": i(0), "value": f(4), "num_split": 2},
    "SplitV": lambda: {"value": f(4), "size_splits": i(1, 3), "axis": i(0), "num_split": 2},
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
    "Svd": lambda: {"input": square()},
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
    "Transpose": lambda: {"x": f(2, 3), "perm": i(1, 0)},
    "TopKV2": lambda: {"input": f(4), "k": i(2)},
    "TridiagonalMatMul": lambda: {"superdiag": f(1, 3), "maindiag": f(1, 3), "subdiag": f(1, 3), "rhs": f(3, 2)},
    "TridiagonalSolve": lambda: {"diagonals": tf.add(f(3, 3), [[0.0], [3.0], [0.0]]), "rhs": f(3, 1)},
    "Unpack": lambda: {"value": f(2, 3), "num": 2},
    "UnsortedSegmentMax": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentMin": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentProd": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
    "UnsortedSegmentSum": lambda: {"data": f(3), "segment_ids": i(0, 0, 1), "num_segments": i(2)},
}
_POOL_V2: dict[str, Any] = {"ksize": i(1, 2, 2, 1), "strides": i(1, 1, 1, 1), "padding": "VALID"}


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


def _projective() -> dict[str, Any]:
    return {
        "images": f(1, 4, 4, 1),
        "transforms": tf.constant([[1.0, 0, 0, 0, 1, 0, 0, 0]]),
        "output_shape": i(4, 4),
        "interpolation": "BILINEAR",
    }


def _matrix_diag() -> dict[str, Any]:
    return {"diagonal": f(3), "k": i(0), "num_rows": i(-1), "num_cols": i(-1), "padding_value": f()}


def _max_pool_grad(rank: int, grad: tf.Tensor, attributes: dict[str, Any]) -> dict[str, Any]:
    images = f(1, *([4, 4] if rank == 2 else [3, 3, 3]), 1)
    pooled = tf.raw_ops.MaxPool(input=images, **POOL) if rank == 2 else tf.raw_ops.MaxPool3D(input=images, **POOL3)
    return {"orig_input": images, "orig_output": pooled, "grad": grad, **attributes}


def _sparse_dense() -> dict[str, Any]:
    return {"sp_indices": long(SPARSE_INDICES), "sp_values": f(2), "sp_shape": long(2, 2), "dense": f(2, 2)}


def _sparse_pair() -> dict[str, Any]:
    one = {"indices": long(SPARSE_INDICES), "values": f(2), "shape": long(2, 2)}
    return {f"{side}_{name}": value + 0 for side in "ab" for name, value in one.items()}


def _sparse_and(dense: tf.Tensor) -> dict[str, Any]:
    return {"a_indices": long(SPARSE_INDICES), "a_values": f(2), "a_shape": long(2, 2), "b": dense}


def _segments() -> dict[str, Any]:
    return {"data": f(3, 2), "indices": i(0, 2), "segment_ids": i(0, 1)}


def _tensor_scatter() -> dict[str, Any]:
    return {"tensor": f(4), "indices": i([[0], [2]]), "updates": f(2)}


def uniform(name: str) -> dict[str, Any]:
    """Arguments for an op in UNIFORM or COMPLEX, from its definition."""
    from tensorwhy.adapters.tensorflow.tables import op_definition

    definition = op_definition(name)
    assert definition is not None
    allowed = {attr.name: attr.allowed_values.list.type for attr in definition.attr}
    arguments: dict[str, Any] = {}
    for arg in definition.input_arg:
        dtypes = [arg.type] if arg.type else allowed.get(arg.type_attr, [])
        if not dtypes or 1 in dtypes:  # DT_FLOAT
            value: Any = f(2, 2)
        elif 8 in dtypes:  # DT_COMPLEX64
            value = c(2, 2)
        elif 10 in dtypes:  # DT_BOOL
            value = tf.fill((2, 2), True)
        else:
            value = tf.constant(0, dtypes[0])
        arguments[arg.name] = [value, value + 0] if arg.number_attr or arg.type_list_attr else value
    return arguments


def arguments_of(name: str) -> dict[str, Any]:
    """Valid arguments for `tf.raw_ops.<name>`. KeyError where there is no recipe."""
    return RECIPES[name]() if name in RECIPES else uniform(name)


def callable_ops() -> frozenset[str]:
    """The ops that have a recipe and exist in this TensorFlow."""
    return frozenset(name for name in [*UNIFORM, *COMPLEX, *RECIPES] if hasattr(tf.raw_ops, name))
