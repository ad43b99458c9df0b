"""For every differentiable TensorFlow op a small valid call, to compare what is known of the op with what it does.

A recipe makes the arguments of `tf.raw_ops.<name>`; every float or complex tensor among them is a source. Ops on lists,
variables and other handles are in chains.py, and those that only a graph can hold in graphs.py.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations import arrays, images, learning, matrices, sparse
from support.operations.values import Recipe, c, f

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

RECIPES: dict[str, Recipe] = {
    **arrays.RECIPES,
    **images.RECIPES,
    **learning.RECIPES,
    **matrices.RECIPES,
    **sparse.RECIPES,
}


def uniform(name: str) -> dict[str, Any]:
    """Arguments for an op in UNIFORM or COMPLEX, from its definition."""
    from tensorwhy.adapters.tensorflow.gradients.tables import op_definition

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
