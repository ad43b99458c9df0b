"""What a function that PyTorch was called with means for a lineage: told once for each function, by its name."""

from __future__ import annotations

from typing import Any

import torch

SKIP, OP, IN_PLACE, EXIT, ENTRY, GRAD_MODE, SET_DATA, REQUIRE, GRAD, RETAIN, SET_GRAD = range(11)

_SKIPPED = frozenset(
    [
        "size",
        "dim",
        "ndimension",
        "numel",
        "nelement",
        "stride",
        "storage",
        "storage_offset",
        "data_ptr",
        "untyped_storage",
        "element_size",
        "get_device",
        "is_contiguous",
        "backward",
        "register_post_accumulate_grad_hook",
        "__len__",
        "__repr__",
        "__str__",
        "__hash__",
        "__format__",
        "__bool__",
        "__contains__",
        "__dir__",
        "__reduce_ex__",
        "__deepcopy__",
        "__setstate__",
        "__array_wrap__",
        "__dlpack__",
        "__dlpack_device__",
        "__cuda_array_interface__",
        "type_as_dtype",
        "requires_grad_",
        "has_names",
        "allclose",
        "equal",
        "share_memory_",
        "manual_seed",
        "get_default_dtype",
        "set_default_dtype",
        "result_type",
        "can_cast",
        "promote_types",
        "_has_compatible_shallow_copy_type",
    ]
)
# fmt: off
VIEWS = frozenset({
    "__getitem__", "as_strided", "chunk", "detach", "diagonal", "expand", "expand_as", "flatten", "hsplit", "imag",
    "mH", "mT", "movedim", "moveaxis", "narrow", "permute", "real", "reshape", "reshape_as", "select", "split",
    "squeeze", "swapaxes", "swapdims", "T", "t", "tensor_split", "transpose", "unbind", "unflatten", "unfold",
    "unsqueeze", "view", "view_as", "view_as_complex", "view_as_real", "vsplit", "H", "adjoint",
})
# fmt: on
"""Functions whose result may share its memory with their first operand (PyTorch's notes on tensor views)."""
_EXITS = frozenset(["item", "tolist", "numpy", "__float__", "__int__", "__index__", "__complex__", "__array__"])
_ENTRIES = frozenset(["tensor", "as_tensor", "from_numpy", "asarray", "frombuffer"])
_READ = {"data": "data", "T": "T", "mT": "mT", "H": "H", "mH": "mH", "real": "real", "imag": "imag"}
_IN_PLACE_DUNDERS = frozenset(
    [
        "__iadd__",
        "__isub__",
        "__imul__",
        "__itruediv__",
        "__idiv__",
        "__ifloordiv__",
        "__imod__",
        "__ipow__",
        "__iand__",
        "__ior__",
        "__ixor__",
        "__ilshift__",
        "__irshift__",
        "__imatmul__",
        "__setitem__",
    ]
)
_OTHER_MODULES = ("torch._ops", "torch.autograd", "torch._jit_internal", "torch.profiler", "torch.utils")

CASTS = frozenset(
    [
        "to",
        "long",
        "int",
        "short",
        "char",
        "byte",
        "bool",
        "float",
        "double",
        "half",
        "bfloat16",
        "type",
        "type_as",
        "cfloat",
        "cdouble",
    ]
)
"""Functions that give the same values in another dtype."""

CAST_CALLS = {torch.float32: "float()", torch.int64: "long()", torch.float64: "double()", torch.bool: "bool()"}
"""How a program writes a cast to the usual dtypes."""
STOPS = frozenset({"detach", "detach_", "data", "detach_copy", "new_tensor", "Variable"})
"""Functions that give the same value without its history."""
SAME_MEMORY = frozenset({"detach", "detach_", "data"})
"""Those of them whose result shares the memory."""
SHAPE_ONLY = frozenset(
    [
        "zeros_like",
        "ones_like",
        "rand_like",
        "randn_like",
        "randint_like",
        "empty_like",
        "full_like",
        "new_zeros",
        "new_ones",
        "new_empty",
        "new_full",
        "bernoulli_like",
    ]
)
"""Functions whose result depends on the shape of what they are given."""


class Kind:
    """What to do with one function. `name` is the one that the user writes."""

    __slots__ = ("changes", "code", "floats", "name")

    def __init__(self, code: int, name: str, changes: int = -1) -> None:
        self.code = code
        self.name = name
        self.changes = changes
        """The argument that it changes in place; -1 for none."""
        self.floats = name in _WITH_NUMBERS
        """Whether a number that it is given becomes a part of the result."""


_WITH_NUMBERS = frozenset(
    [
        "add",
        "sub",
        "mul",
        "div",
        "true_divide",
        "rsub",
        "rdiv",
        "pow",
        "rpow",
        "__rsub__",
        "__rdiv__",
        "__rpow__",
        "__radd__",
        "__rmul__",
        "__rtruediv__",
        "add_",
        "sub_",
        "mul_",
        "div_",
        "pow_",
        "where",
        "lerp",
        "full",
        "full_like",
        "maximum",
        "minimum",
        "fill_",
        "__setitem__",
        "addcmul",
        "addcdiv",
        "__iadd__",
        "__isub__",
        "__imul__",
        "__itruediv__",
        "masked_fill",
        "scatter",
        "new_full",
        "atan2",
        "remainder",
        "fmod",
        "subtract",
        "multiply",
        "divide",
    ]
)


def kind_of(func: Any) -> Kind:
    """Classify a function as a mode sees it."""
    name = str(getattr(func, "__name__", ""))
    if name in ("__get__", "__set__", "__delete__"):
        return _of_attribute(str(getattr(getattr(func, "__self__", None), "__name__", "")), name)
    module = str(getattr(func, "__module__", None) or "")
    if name == "_set_grad_enabled":
        return Kind(GRAD_MODE, name)
    if name == "requires_grad_":
        return Kind(REQUIRE, name)
    if name in ("retain_grad", "register_hook"):
        return Kind(RETAIN, name)
    if not name or name in _SKIPPED or name.startswith("is_") or module.startswith(_OTHER_MODULES):
        return Kind(SKIP, name)
    if name in _EXITS:
        return Kind(EXIT, name)
    if name in _ENTRIES:
        return Kind(ENTRY, name)
    if is_in_place(name):
        return Kind(IN_PLACE, name, changes=0)
    return Kind(OP, name)


def is_in_place(name: str) -> bool:
    """Whether a function of this name changes what it is given in place."""
    return name in _IN_PLACE_DUNDERS or (name.endswith("_") and not name.endswith("__"))


def _of_attribute(name: str, access: str) -> Kind:
    if access == "__get__" and name in _READ:
        return Kind(OP, _READ[name])
    if access == "__get__" and name == "grad":
        return Kind(GRAD, name)
    if access != "__get__" and name == "grad":
        return Kind(SET_GRAD, "grad =")
    if access == "__set__" and name == "data":
        return Kind(SET_DATA, "data =")
    if access == "__set__" and name == "requires_grad":
        return Kind(REQUIRE, "requires_grad =")
    return Kind(SKIP, name)


DTYPES: dict[torch.dtype, int] = {}
"""Numbers of dtypes, for the journal. That of float32 is 1."""
for _each in (torch.float32, *(each for each in vars(torch).values() if isinstance(each, torch.dtype))):
    DTYPES.setdefault(_each, len(DTYPES) + 1)
DTYPE_NAMES = {number: str(dtype).removeprefix("torch.") for dtype, number in DTYPES.items()}
DIFFERENTIABLE = frozenset(number for dtype, number in DTYPES.items() if dtype.is_floating_point or dtype.is_complex)
