"""What PyTorch's functions do to a gradient, in the words of the signal walk, by the names that a mode sees.

This is no list of what can be lost: the walk finds an operation by its numbers, whatever it is. A trait only lets the
answer say why. An operation that has none here is still named, with its line and its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tensorwhy.adapters.torch.operations.kinds import CASTS, STOPS
from tensorwhy.model.facts.signal import Numbers, Trait, Wording

WORDING = Wording(
    straight_through="x + (step(x) - x).detach()",
    stop="detach()",
    select="torch.where",
    checking="call `torch.autograd.set_detect_anomaly(True)` before training",
    checked_data="`torch.isfinite(x).all()`",
    wide="compute this in float32: `with torch.autocast(device, enabled=False):`, and `.float()` for its input",
    each="`torch.func.jacrev`, or `torch.autograd.functional.jacobian`",
    hides_infinity=(("zero_infinity", "a target is longer than its input"),),
)

_TRAITS: dict[Trait, str] = {
    "multiply": "mul multiply __rmul__ matmul __rmatmul__ mm bmm mv dot vdot inner outer einsum tensordot linear "
    "bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d addmm addmv baddbmm addbmm "
    "addcmul xlogy cross chain_matmul kron",
    "divide": "div divide true_divide __rdiv__ __rtruediv__ reciprocal addcdiv",
    "add": "add sub subtract rsub __rsub__ __radd__ __add__ __sub__",
    "select": "where masked_fill masked_scatter",
    "limit": "clamp clip clamp_min clamp_max maximum minimum hardtanh relu6 hardsigmoid hardswish threshold "
    "fake_quantize_per_tensor_affine fake_quantize_per_channel_affine fmax fmin",
    "rectify": "relu leaky_relu elu selu celu prelu rrelu softplus gelu silu mish",
    "saturate": "sigmoid tanh erf exp exp2 expm1 softsign atan arctan erfc logsigmoid",
    "normalize": "softmax log_softmax softmin cross_entropy batch_norm layer_norm group_norm instance_norm normalize "
    "gumbel_softmax rms_norm",
    "steep": "sqrt rsqrt log log2 log10 log1p pow __rpow__ float_power acos arccos asin arcsin atanh arctanh acosh "
    "arccosh lgamma digamma cholesky linalg_cholesky inverse linalg_inv erfinv logit "
    "hypot cdist std var",
    "factorize": "svd linalg_svd eigh linalg_eigh linalg_eig",
    "stationary": "square abs cos cosh mse_loss l1_loss smooth_l1_loss huber_loss norm linalg_norm linalg_vector_norm "
    "hinge_embedding_loss margin_ranking_loss triplet_margin_loss multi_margin_loss multilabel_margin_loss "
    "cosine_embedding_loss relu_loss",
    "reduce": "sum mean prod max min amax amin cumsum cumprod logsumexp median max_pool1d max_pool2d max_pool3d "
    "avg_pool1d avg_pool2d adaptive_avg_pool2d adaptive_max_pool2d nansum nanmean topk sort",
    "index": "gather index_select embedding embedding_bag take take_along_dim __getitem__ one_hot scatter scatter_add "
    "index_add index_put masked_select nll_loss",
    "round": "round floor ceil sign sgn trunc fix remainder fmod floor_divide __floordiv__ heaviside",
    "move": "view reshape transpose permute T mT expand expand_as view_as reshape_as repeat repeat_interleave cat "
    "concat stack hstack vstack chunk split unsqueeze squeeze flatten unflatten ravel clone contiguous pad flip roll "
    "neg negative tile broadcast_to broadcast_tensors unbind narrow select t movedim swapaxes "
    "interpolate meshgrid tril triu diagonal diag",
    "compare": "gt lt ge le eq ne __eq__ logical_and logical_or logical_not argmax argmin isfinite isnan zeros_like "
    "ones_like full_like",
    "align": "ctc_loss",
    "random": "rand randn randint bernoulli normal multinomial rand_like randn_like randperm poisson",
}
_CAST: Trait = "cast"
_STOP: Trait = "stop"
_BY_NAME: dict[str, Trait] = {name: trait for trait, names in _TRAITS.items() for name in names.split()}
_BY_NAME.update(dict.fromkeys(CASTS, _CAST))
_BY_NAME.update(dict.fromkeys(STOPS, _STOP))
_NORMALIZED_BY_DIM = ("softmax", "log_softmax", "softmin", "gumbel_softmax", "normalize")
WITH_NUMBERS = frozenset[Trait](("multiply", "divide", "add", "steep", "limit", "select"))
"""A number among the arguments of these takes part in the result as a tensor would."""
WITH_BIAS = frozenset({"linear", *(f"conv{d}d" for d in (1, 2, 3)), *(f"conv_transpose{d}d" for d in (1, 2, 3))})
"""They add a bias to many elements."""
_FIXED: dict[str, tuple[float | None, float | None]] = {
    "relu6": (0.0, 6.0), "hardsigmoid": (-3.0, 3.0), "hardswish": (-3.0, None), "hardtanh": (-1.0, 1.0),
}  # fmt: skip


def trait_of(name: str) -> Trait:
    """Return the trait of a function; empty for one that is not known. `relu_` is as `relu`."""
    return _BY_NAME.get(name) or _BY_NAME.get(name.rstrip("_"), "")


def limits_of(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any], inputs: Sequence[Numbers | None]
) -> tuple[float | None, float | None]:
    """Return the range in which a limit lets a gradient through, and that of the ids of `one_hot`."""
    name = name.rstrip("_")

    def number(position: int, *names: str) -> float | None:
        value = args[position] if position < len(args) else next((kwargs[n] for n in names if n in kwargs), None)
        if isinstance(value, (int, float)):
            return float(value)
        given = inputs[position] if position < len(inputs) else None
        return given.low if given is not None and given.size == 1 else None

    if name in ("clamp", "clip"):
        return number(1, "min"), number(2, "max")
    if name == "hardtanh":
        low, high = number(1, "min_val"), number(2, "max_val")
        return (-1.0 if low is None else low), (1.0 if high is None else high)
    if name in ("clamp_min", "maximum", "fmax", "threshold"):
        return number(1, "min", "other", "threshold"), None
    if name in ("clamp_max", "minimum", "fmin"):
        return None, number(1, "max", "other")
    if name == "one_hot":
        return 0.0, number(1, "num_classes")
    return _FIXED.get(name, (None, None))


def together(name: str, args: Sequence[Any], kwargs: Mapping[str, Any], given: Numbers | None) -> int:
    """Return how many elements are normalized together; 0 where that is not known."""
    if given is None or not given.shape:
        return 0
    shape = given.shape
    if name in _NORMALIZED_BY_DIM:
        dim = kwargs.get("dim", args[2 if name == "normalize" and len(args) > 2 else 1] if len(args) > 1 else None)
        if name == "normalize" and len(args) < 3 and "dim" not in kwargs:
            dim = 1
        return shape[dim] if isinstance(dim, int) and -len(shape) <= dim < len(shape) else 0
    if name == "cross_entropy":
        return shape[1] if len(shape) > 1 else shape[0]
    if name in ("layer_norm", "rms_norm"):
        over = kwargs.get("normalized_shape", args[1] if len(args) > 1 else ())
        return math.prod(over) if isinstance(over, (tuple, list)) else 0
    if name in ("batch_norm", "instance_norm", "group_norm"):
        channels = shape[1] if len(shape) > 1 else 1
        return math.prod(shape) // max(channels, 1) if name == "batch_norm" else 0
    return 0
