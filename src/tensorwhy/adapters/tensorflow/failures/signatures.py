"""Values and declared signatures in words, and as the source text that would declare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensorwhy.model.facts.loops import Shape


def shape_of(value: Any) -> Shape | None:
    """The static shape as a tuple; None when the rank is unknown or there is none."""
    shape = value if _is_shape(value) else getattr(value, "shape", None)
    if shape is None:
        return None
    if not _is_shape(shape):
        return tuple(shape) if isinstance(shape, tuple) else None
    return None if shape.rank is None else tuple(shape.as_list())


def _is_shape(value: Any) -> bool:
    return type(value).__name__ == "TensorShape"


def dtype_name(value: Any) -> str:
    """`int32` for a dtype, a tensor, an array or a Python number; empty when it has none."""
    dtype = getattr(value, "dtype", None)
    if dtype is None and type(value).__name__ == "DType":
        dtype = value
    if dtype is None and isinstance(value, (bool, int, float, str)):
        return {bool: "bool", int: "int32", float: "float32", str: "string"}[type(value)]
    return str(getattr(dtype, "name", "") or "")


def shape_text(shape: Shape | None) -> str:
    """`[2, None]`; `unknown` for an unknown rank."""
    return "unknown" if shape is None else "[" + ", ".join(str(each) for each in shape) + "]"


def describe(value: Any) -> str:
    """A value, spec or structure of them, in few words."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, dict):
        return "a dict with " + ", ".join(f"`{key}`" for key in value)
    if isinstance(value, (tuple, list)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        if len(value) > 4:
            return f"a {kind} of {len(value)}"
        return f"a {kind} of {len(value)} ({', '.join(describe(each) for each in value)})"
    name = type(value).__name__
    if name.startswith("Ragged"):
        return f"a ragged {dtype_name(_ragged_dtype(value))} tensor".replace("  ", " ")
    if name.startswith("Sparse"):
        return f"a sparse {dtype_name(value)} tensor".replace("  ", " ")
    if "TensorArray" in name or name == "ShouldUseWrapper":
        return "a TensorArray"
    dtype = dtype_name(value)
    if not dtype:
        return f"a {name}"
    shape = shape_of(value)
    if name == "DType" or shape is None:
        return f"one {dtype} tensor" if not isinstance(value, (bool, int, float, str)) else f"the number {value!r}"
    return f"one {dtype} tensor of shape {shape_text(shape)}"


def _ragged_dtype(value: Any) -> Any:
    return getattr(value, "dtype", None) or getattr(value, "_dtype", None)


def declaration(value: Any, prefix: str = "tf") -> str:
    """Source text of a signature for this value: `tf.float32`, `(tf.int32, tf.float32)`, `{'a': tf.int32}`.

    Empty when some part is no tensor.
    """
    if isinstance(value, dict):
        parts = {repr(key): declaration(each, prefix) for key, each in value.items()}
        return "{" + ", ".join(f"{key}: {text}" for key, text in parts.items()) + "}" if all(parts.values()) else ""
    if isinstance(value, (tuple, list)):
        texts = [declaration(each, prefix) for each in value]
        if not all(texts):
            return ""
        if isinstance(value, list):
            return "[" + ", ".join(texts) + "]"
        return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"
    if type(value).__name__ == "RaggedTensor":
        shape = shape_of(value) or ()
        # The rest is as it is by default.
        rank = f", ragged_rank={value.ragged_rank}" if value.ragged_rank != len(shape) - 1 else ""
        splits = dtype_name(value.row_splits)
        rows = f", row_splits_dtype={prefix}.{splits}" if splits != "int64" else ""
        return f"{prefix}.RaggedTensorSpec(shape={shape_text(shape)}, dtype={prefix}.{dtype_name(value)}{rank}{rows})"
    dtype = dtype_name(value)
    if type(value).__name__ == "SparseTensor":
        sparse = shape_of(value)
        known = "None" if sparse is None else shape_text(sparse)
        return f"{prefix}.SparseTensorSpec(shape={known}, dtype={prefix}.{dtype})"
    return f"{prefix}.{dtype}" if dtype else ""


def ragged_declaration(shapes: tuple[Shape, ...], dtype: str, prefix: str = "tf") -> str:
    """The RaggedTensorSpec of results that differ in their first dimension only; empty for other results.

    A dense result of rank above one needs `ragged_rank=0`: the default takes its dimensions as ragged.
    """
    ranks = {len(shape) for shape in shapes}
    if len(ranks) != 1 or not shapes[0] or not dtype:
        return ""
    columns = list(zip(*(shape[1:] for shape in shapes), strict=True))
    if any(len({each for each in column if each is not None}) > 1 for column in columns):
        return ""
    inner = tuple(_common(column) for column in columns)
    rank = ", ragged_rank=0" if inner else ""
    return f"{prefix}.RaggedTensorSpec(shape={shape_text((None, *inner))}, dtype={prefix}.{dtype}{rank})"


def ragged_conversion(shapes: tuple[Shape, ...], dtype: str, prefix: str = "tf") -> tuple[str, str]:
    """What makes a ragged tensor of dense results with several sizes, the first two or more of which differ.

    Returns the conversion of a `result` and its RaggedTensorSpec; two empty texts for results of one size, or of
    several ranks.
    """
    if len({len(shape) for shape in shapes}) != 1 or len(shapes[0]) < 2 or not dtype:
        return "", ""
    common = [_common(column) for column in zip(*shapes, strict=True)]
    rank = max([1, *(position for position, each in enumerate(common) if each is None)])
    spec = shape_text((*(None for _ in range(rank + 1)), *common[rank + 1 :]))
    given = f", ragged_rank={rank}" if rank > 1 else ""
    return (
        f"{prefix}.RaggedTensor.from_tensor(result{given})",
        f"{prefix}.RaggedTensorSpec(shape={spec}, dtype={prefix}.{dtype}, ragged_rank={rank})",
    )


def _common(dimensions: tuple[int | None, ...]) -> int | None:
    return dimensions[0] if len(set(dimensions)) == 1 else None


def index_of(value: Any, among: Any) -> int | None:
    """Where a value itself stands in a sequence."""
    for position, each in enumerate(among if isinstance(among, Sequence) else ()):
        if each is value:
            return position
    return None


def listed(value: Any) -> list[Any] | None:
    """What a loop takes for its variables: one value stands for a list of it."""
    if isinstance(value, (list, tuple)):
        return list(value)
    return None if value is None else [value]


def form(value: Any) -> Any:
    """Two values of one form can take each other's place in a structure."""
    if isinstance(value, dict):
        return {key: form(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [form(each) for each in value])
    return None
