"""What an input of a TensorFlow op is for, read from its OpDef: data, or something that only steers the op."""

from __future__ import annotations

from typing import Any, Literal

_ROLES = {
    "indices": ("indices", "index", "segment_ids", "begin", "start_indices", "ids", "perm", "block_index", "positions"),
    "axis": ("axis", "dim", "dimension", "concat_dim", "split_dim", "reduction_indices", "axes", "shift_axis"),
    "shape": (
        "shape",
        "dims",
        "dense_shape",
        "output_shape",
        "input_sizes",
        "filter_sizes",
        "element_shape",
        "s0",
        "s1",
    ),
    "size": (
        "size",
        "sizes",
        "size_splits",
        "num_segments",
        "multiples",
        "k",
        "depth",
        "end",
        "strides",
        "fft_length",
        "crop_size",
        "num_lower",
        "num_upper",
        "output_length",
        "num_elements",
        "max_num_elements",
        "lengths",
    ),
    "padding": ("paddings", "crops", "padding_value", "constant_values"),
    "condition": ("condition", "cond", "pred", "branch_index", "e_cond"),
    "mask": ("mask",),
    "limit": ("limit", "start", "stop", "delta", "maxval", "minval", "clip_value_min", "clip_value_max"),
    "seed": ("seed", "seed2", "key", "counter", "alg"),
    "shift": ("shift",),
    "labels": ("labels", "targets", "labels_indices", "labels_values"),
    "resource": ("resource", "handle", "var", "ref"),
}
_BY_NAME = {name: role for role, names in _ROLES.items() for name in names}
# Inputs whose name says "indices" or "start" but which are data, or the other way round.
_EXCEPTIONS = {
    ("Select", "condition"): "condition",
    ("LinSpace", "start"): "data",
    ("LinSpace", "stop"): "data",
    ("SparseSoftmaxCrossEntropyWithLogits", "labels"): "indices",
    ("OneHot", "indices"): "indices",
}
_INTEGERS = frozenset({3, 4, 5, 6, 9, 17, 22, 23})  # DT_INT32, UINT8, INT16, INT8, INT64, UINT16, UINT32, UINT64
_INT_TYPES = frozenset({3, 9})
_STRING, _BOOL, _RESOURCE, _VARIANT = 7, 10, 20, 21


def role_of(op: str, arg: Any) -> str:
    """What input `arg` (an ArgDef) of `op` is for."""
    special = _EXCEPTIONS.get((op, arg.name))
    if special:
        return special
    role = _BY_NAME.get(arg.name.lower(), "data")
    if role == "data" and arg.type in _INTEGERS:
        return "size"
    if role == "data" and arg.type == _BOOL:
        return "condition"
    return role


def container_of(name: str, definition: Any | None) -> Literal["", "sparse", "ragged", "string", "resource", "variant"]:
    """The kind of container an op works on, where it is not plain dense tensors."""
    if name.startswith(("Sparse", "DeserializeSparse", "CSRSparse")) and "SparseSoftmax" not in name:
        return "sparse"
    if name.startswith("Ragged"):
        return "ragged"
    if definition is None:
        return ""
    types = {arg.type for arg in [*definition.input_arg, *definition.output_arg]}
    if _STRING in types and all(arg.type in _INT_TYPES | {_STRING, _BOOL, 0} for arg in definition.input_arg):
        return "string"
    if any(arg.type == _RESOURCE for arg in definition.input_arg):
        return "resource"
    # A dataset is no structure of values that could be taken apart.
    return "variant" if _VARIANT in types and "Dataset" not in name else ""


def is_random(name: str) -> bool:
    """Return whether an op draws random numbers."""
    return "Random" in name or name in {
        "Multinomial",
        "TruncatedNormal",
        "ParameterizedTruncatedNormal",
        "StatefulUniform",
    }
