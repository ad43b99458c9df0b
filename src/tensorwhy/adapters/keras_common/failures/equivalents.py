"""Which Keras operation means the same as a TensorFlow or NumPy function? Only names that the installed Keras has.

TensorFlow's and NumPy's names differ from `keras.ops` in few, regular ways; each candidate is looked up before it is
named, so that no version is told of an operation that it lacks.
"""

from __future__ import annotations

import sys

# TensorFlow's name → the name in keras.ops, where neither the same name nor one without `reduce_` means the same.
_RENAMED = {
    "concat": "concatenate",
    "gather": "take",
    "embedding_lookup": "take",
    "range": "arange",
    "pow": "power",
    "clip_by_value": "clip",
    "reduce_variance": "var",
    "reduce_std": "std",
    "truediv": "true_divide",
    "div": "divide",
    "div_no_nan": "divide_no_nan",
    "floordiv": "floor_divide",
    "floormod": "mod",
    "reverse": "flip",
    "l2_normalize": "normalize",
    "resize": "image.resize",
    "map_fn": "map",
    "conv2d": "conv",
    "conv1d": "conv",
    "batch_to_space": "",
    "inv": "inv",
    "band_part": "",
    "identity": "copy",
    "to_categorical": "one_hot",
    "get_shape": "shape",
    "astype": "cast",
    "flatten": "ravel",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "concat_v2": "concatenate",
    "mul": "multiply",
    "sub": "subtract",
    "neg": "negative",
    "lrelu": "leaky_relu",
    "swish": "silu",
    "sparse_softmax_cross_entropy_with_logits": "sparse_categorical_crossentropy",
    "softmax_cross_entropy_with_logits": "categorical_crossentropy",
    "sigmoid_cross_entropy_with_logits": "binary_crossentropy",
}
# Python's own compare what they are given with each other.
_OF_PYTHON = {"max": "maximum", "min": "minimum"}
_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "all", "any", "logsumexp")
# Same name, another meaning.
_FALSE_FRIENDS = frozenset({"reshape_", "function", "map", "Variable", "constant", "resize_", "dropout"})


def of(function: str, generation: int) -> tuple[str, ...]:
    """Installed equivalents of a function as the user wrote it (`tf.reduce_sum`, `np.sqrt`), best first."""
    name = _OF_PYTHON.get(function) or function.rpartition(".")[2]
    if not name or name in _FALSE_FRIENDS:
        return ()
    if generation >= 3:
        ours = _RENAMED.get(name)
        if ours is None:
            stripped = name.removeprefix("reduce_")
            ours = stripped if stripped in _REDUCTIONS else name
        return (f"keras.ops.{ours}",) if ours and _has("keras.ops", ours) else ()
    candidates = [f"reduce_{name}"] if name in _REDUCTIONS else []
    candidates += [name, f"math.{name}", *(old for old, new in _RENAMED.items() if new == name)]
    return tuple(f"tf.{each}" for each in candidates if _has("tensorflow", each))[:1]


def _has(module: str, name: str) -> bool:
    found = sys.modules.get(module)
    if found is None and module == "keras.ops":
        found = getattr(sys.modules.get("keras"), "ops", None) or sys.modules.get("keras.src.ops")
    for part in name.split("."):
        found = getattr(found, part, None)
    return callable(found)
