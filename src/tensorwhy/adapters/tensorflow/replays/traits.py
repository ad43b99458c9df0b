"""What TensorFlow's operations do to a gradient, in the words of the signal walk.

This is no list of what can be lost: the walk finds an operation by its numbers, whatever it is. A trait only lets the
answer say why. An operation that has none here is still named, with its line and its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensorwhy.model.facts.signal import Trait, Wording

WORDING = Wording(
    straight_through="x + tf.stop_gradient(step(x) - x)",
    stop="tf.stop_gradient",
    select="tf.where",
    checking="call `tf.debugging.enable_check_numerics()` before training",
    checked_data="`tf.debugging.check_numerics`",
    wide='compute this in float32, and the layer that gives its input: `dtype="float32"` for that layer',
    each="`tape.jacobian(target, source)`, or `tape.batch_jacobian`",
)

_TRAITS: dict[Trait, str] = {
    "multiply": "Mul MulNoNan MatMul BatchMatMul BatchMatMulV2 BatchMatMulV3 Conv1D Conv2D Conv3D Einsum XlaDot "
    "DepthwiseConv2dNative Conv2DBackpropInput Xlogy SparseTensorDenseMatMul SparseMatMul Cross",
    "divide": "RealDiv Div DivNoNan Xdivy Reciprocal Inv",
    "add": "Add AddV2 Sub BiasAdd AddN BiasAddV1",
    "select": "Select SelectV2 Where3",
    "limit": "ClipByValue Maximum Minimum FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars "
    "FakeQuantWithMinMaxVarsPerChannel QuantizeAndDequantizeV4 QuantizeAndDequantizeV4Grad Relu6",
    "rectify": "Relu LeakyRelu Elu Selu Softplus",
    "saturate": "Sigmoid Tanh Erf Exp Expm1 Softsign Atan Erfc Igamma Igammac",
    "normalize": "Softmax LogSoftmax SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits "
    "FusedBatchNormV3 L2Normalize",
    "factorize": "Svd SelfAdjointEigV2 Eig",
    "steep": "Sqrt Rsqrt Log Log1p Pow EuclideanNorm Acos Asin Atanh Acosh Cbrt Lgamma Digamma Cholesky "
    "MatrixInverse ComplexAbs Erfinv Ndtri",
    "stationary": "Square Abs L2Loss SquaredDifference Cos Cosh",
    "reduce": "Sum Mean Prod Max Min MaxPool AvgPool Cumsum Cumprod EuclideanNorm SegmentSum UnsortedSegmentSum "
    "SegmentMean UnsortedSegmentMax TopKV2",
    "index": "GatherV2 Gather GatherNd ResourceGather OneHot ScatterNd TensorScatterUpdate LookupTableFindV2 "
    "LookupTableFind SparseToDense UniqueV2",
    "cast": "Cast Bitcast",
    "round": "Round Rint Floor Ceil Sign FloorDiv FloorMod Mod",
    "custom": "CustomGradient",
    "stop": "StopGradient PreventGradient",
    "callback": "PyFunc PyFuncStateless EagerPyFunc",
    "move": "Identity IdentityN Reshape ExpandDims Squeeze Transpose Tile BroadcastTo Pack Unpack ConcatV2 Slice "
    "StridedSlice Split SplitV Pad PadV2 MirrorPad ReverseV2 Roll SpaceToBatchND BatchToSpaceND Neg ResizeBilinear",
    "compare": "Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr LogicalNot ArgMax ArgMin "
    "IsFinite IsNan ZerosLike Fill ApproximateEqual",
    "read": "ReadVariableOp VariableV2",
    "random": "RandomUniform RandomStandardNormal TruncatedNormal RandomUniformInt Multinomial RandomShuffle "
    "StatelessRandomUniformV2 StatelessRandomNormalV2 StatelessRandomUniform StatelessRandomNormal",
    "align": "CTCLoss CTCLossV2",
    "slope": "ReluGrad Relu6Grad LeakyReluGrad MaxPoolGrad SeluGrad",
}
_BY_OP = {op: trait for trait, ops in _TRAITS.items() for op in ops.split()}


def trait_of(op: str) -> Trait:
    """Return the trait of an operation; empty for one that is not known."""
    return _BY_OP.get(op, "")


def limits_of(op: str, inputs: Sequence[Any], attribute: Callable[[str], Any]) -> tuple[float | None, float | None]:
    """Return the range in which a limit lets a gradient through. `inputs` are arrays, None where not known."""

    def number(position: int) -> float | None:
        value = inputs[position] if position < len(inputs) else None
        return float(value.reshape(-1)[0]) if value is not None and value.size == 1 else None

    if op in ("ClipByValue", "FakeQuantWithMinMaxVars"):
        return number(1), number(2)
    if op == "FakeQuantWithMinMaxArgs":
        low, high = attribute("min"), attribute("max")
        return (-6.0 if low is None else low, 6.0 if high is None else high)
    if op == "Relu6":
        return 0.0, 6.0
    if op == "Maximum":
        return number(1), None
    if op == "Minimum":
        return None, number(1)
    if op == "OneHot":
        return 0.0, number(1)
    return None, None
