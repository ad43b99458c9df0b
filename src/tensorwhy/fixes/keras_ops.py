"""TensorFlow functions on symbolic Keras tensors, as the Keras operations that mean the same.

Names and arguments differ in few ways; where they differ in more, nothing is proposed.
"""

from __future__ import annotations

from tensorwhy.fixes import syntax, twins
from tensorwhy.fixes.syntax import Tree
from tensorwhy.model.facts.symbolic import RawOp
from tensorwhy.model.report import Edit
from tensorwhy.source.concrete import nodes as cst
from tensorwhy.source.files import Sources

_RENAMED = {
    "concat": "concatenate",
    "pow": "power",
    "clip_by_value": "clip",
    "range": "arange",
    "math.divide_no_nan": "divide_no_nan",
    "math.l2_normalize": "normalize",
    "nn.l2_normalize": "normalize",
    "linalg.norm": "norm",
    "norm": "norm",
    "gather": "take",
}
_SAME = (
    *("sqrt", "square", "exp", "abs", "sign", "matmul", "maximum", "minimum", "where", "reshape", "transpose", "stack"),
    *("expand_dims", "squeeze", "tile", "zeros_like", "ones_like", "sum", "mean", "max", "min", "prod", "any", "all"),
    *("sin", "cos", "tan", "tanh", "sigmoid", "log", "softplus", "relu", "softmax", "cast", "shape", "split", "pad"),
    *("add", "subtract", "multiply", "divide", "concatenate", "power", "clip", "einsum", "tensordot", "cumsum"),
    "argmax",
)
_KEYWORDS = {
    "arange": {"limit": "stop", "delta": "step"},
    "clip": {"t": "x", "clip_value_min": "x_min", "clip_value_max": "x_max"},
    "concatenate": {"values": "xs"},
    "matmul": {"a": "x1", "b": "x2"},
    "transpose": {"a": "x", "perm": "axes"},
    "stack": {"values": "x"},
    "split": {"value": "x", "num_or_size_splits": "indices_or_sections"},
    "take": {"params": "x"},
}
"""Arguments that Keras calls otherwise than TensorFlow does."""
_OPERAND = ("input_tensor", "input", "tensor", "logits", "features")
"""What TensorFlow calls the one tensor that Keras calls `x`."""
_TRANSPOSED = ("transpose_a", "transpose_b")
_FIRST_AXIS = ("argmax", "cumsum", "take")
"""Along the first axis in TensorFlow where none is given, over all elements in Keras."""


def operations(fact: RawOp, sources: Sources) -> tuple[Edit, ...]:
    """The operation that a symbolic tensor met, and those that its result goes into, as Keras operations."""
    tree = syntax.tree(fact.used.file, sources)
    if tree is None:
        return ()
    if not fact.equivalents[0].startswith("keras.ops."):
        return twins.kept(fact.used, None, sources)
    ops, known = _ops(tree), {fact.function: fact.equivalents[0].removeprefix("keras.ops.")}
    if not ops:
        return ()

    def convert(call: cst.Call, updated: cst.Call, _: bool) -> str | None:
        name = tree.canonical(call.func)
        if not name.startswith(("tensorflow.", "numpy.")) or name.startswith("tensorflow.keras"):
            return ""
        ours = known.get(tree.text(call.func)) or _named(name.partition(".")[2])
        arguments = _arguments(tree, ours, updated, name.startswith("tensorflow.")) if ours else None
        return (
            None if arguments is None else f"{ops}.{ours}({', '.join(_swapped(tree, ops, ours, updated, arguments))})"
        )

    return twins.rewritten(tree, fact.used, convert)


def _arguments(tree: Tree, ours: str, call: cst.Call, tensorflows: bool) -> list[str] | None:
    """The arguments as Keras takes them; None where it means something else by them."""
    renamed = {**dict.fromkeys(_OPERAND, "x"), **_KEYWORDS.get(ours, {})} if tensorflows else {}
    axis = syntax.argument(call, {"take": 3, "norm": 2}.get(ours, 1), "axis")
    if tensorflows and ours == "normalize" and axis is None:
        return None  # over all elements in TensorFlow
    sizes = syntax.argument(call, 1, "num_or_size_splits")
    if tensorflows and ours == "split" and (sizes is None or not isinstance(sizes.value, cst.Integer)):
        return None  # the sizes of the parts; in Keras the places between them
    found = []
    for each in call.args:
        name = each.keyword.value if each.keyword is not None else ""
        if name == "name" or (ours == "matmul" and name in _TRANSPOSED):
            continue
        given = tree.text(each)
        found.append(renamed[name] + given.removeprefix(name) if name in renamed else given)
    return [*found, "axis=0"] if tensorflows and ours in _FIRST_AXIS and axis is None else found


def _swapped(tree: Tree, ops: str, ours: str, call: cst.Call, arguments: list[str]) -> list[str]:
    """`matmul(a, b, transpose_b=True)`: Keras has the last two axes swapped by a call of its own."""
    for position, flag in enumerate(_TRANSPOSED if ours == "matmul" else ()):
        given = syntax.argument(call, 2 + position, flag)
        if given is not None and given.keyword is not None and tree.text(given.value) == "True":
            name, equals, value = arguments[position].rpartition("=")
            arguments[position] = f"{name}{equals}{ops}.swapaxes({value.strip()}, -1, -2)"
    return arguments


def _named(name: str) -> str:
    last = name.removeprefix("math.").removeprefix("nn.").removeprefix("reduce_")
    return _RENAMED.get(name) or (last if last in _SAME else "")


def _ops(tree: Tree) -> str:
    """How this file calls `keras.ops`."""
    for module in ("keras.ops", "tensorflow.keras.ops"):
        if tree.spelled(module):
            return tree.spelled(module)
    for module, name in (("keras", "ops"), ("tensorflow.keras", "ops"), ("tensorflow", "keras.ops")):
        if tree.spelled(module):
            return f"{tree.spelled(module)}.{name}"
    return ""
