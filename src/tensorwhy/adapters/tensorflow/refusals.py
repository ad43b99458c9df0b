"""What TensorFlow's objects are called where something refuses them, and what is special about its functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tensorwhy.adapters.keras_common import creations, packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal.described import Described, FrameRule, Kernel, Vocabulary
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import called_python, failed_node, fixed_sizes, loss_results
from tensorwhy.adapters.tensorflow.graphs import batched, origins, symbolic
from tensorwhy.adapters.tensorflow.variables import answered, arrays
from tensorwhy.model.facts.refusal import FixedSize, RefusedObject
from tensorwhy.model.location import Location, Marked
from tensorwhy.recording.locations import UserCode

_CHANGE = "create a new tensor: `tf.tensor_scatter_nd_update(x, indices, updates)`, or `tf.where(mask, new, x)`"

_MOST = 5_000

_USES = (
    (tf.data.Dataset, "apply it to each element: `{}.map(...)`, or a loop over the dataset"),
    (tf.IndexedSlices, "make the gradient dense first: `tf.convert_to_tensor({})`"),
    (tf.SparseTensor, "use the operations of `tf.sparse`, or make it dense: `tf.sparse.to_dense({})`"),
    (tf.RaggedTensor, "pad it to a tensor: `{}.to_tensor()`"),
    (tf.TensorArray, "read its elements as one tensor: `{}.stack()`"),
)
"""How one computes with what holds tensors and is none."""


def describe(thing: Any, user: UserCode) -> Described | None:
    """A tensor or variable with its shape and the line that made it; None for anything else."""
    if symbolic.is_symbolic(thing):
        made = symbolic.describe(thing, user)
        return Described(
            what=_gradient(thing) or "symbolic tensor",
            detail=_sizes(made.shape, made.dtype),
            made=made.created,
            calls=made.calls,
            instead=_CHANGE,
        )
    if isinstance(thing, tf.Variable):
        name = str(getattr(thing, "name", "")).partition(":")[0]
        return Described(
            what="variable",
            name=name,
            detail=_sizes(_static(thing), thing.dtype.name),
            made=creations.made(thing),
            instead="assign to a part of the variable: `v[i].assign(value)`",
        )
    if isinstance(thing, tf.Tensor):
        detail = _sizes(_static(thing), thing.dtype.name)
        return Described(what=_gradient(thing) or "tensor", detail=detail, instead=_CHANGE, broken=arrays.broken(thing))
    use = next((text for cls, text in _USES if isinstance(thing, cls)), None)
    if use is None:
        return None
    return Described(what=type(thing).__name__.removeprefix("_"), detail=_sizes(_static(thing), ""), use=use)


def _gradient(tensor: Any) -> str:
    """Of a gradient what it is the gradient of; empty for any other tensor."""
    variable = answered.variable_of(tensor)
    return f"gradient of variable `{variable.name}`" if variable is not None and variable.name else ""


def kind(cls: type) -> str:
    """The noun for the objects of a class of TensorFlow."""
    if not isinstance(cls, type):
        return ""
    return "variable" if issubclass(cls, tf.Variable) else "tensor" if issubclass(cls, tf.Tensor) else ""


def _static(thing: Any) -> tuple[int | None, ...] | None:
    shape: Any = getattr(thing, "shape", None)
    return tuple(shape.as_list()) if getattr(shape, "rank", None) is not None else None


def _sizes(shape: tuple[int | None, ...] | None, dtype: str) -> str:
    return f"{dtype} {tuple(shape)}".strip() if shape is not None else dtype


def kernel(exceptions: tuple[BaseException, ...], stack: Stack, user: UserCode) -> Kernel | None:
    """The operation of a running graph that failed, with the tensors that it was given."""
    found = failed_node.failed(exceptions, stack)
    if found is None:
        return None
    operation, _ = found
    size = fixed_sizes.of(operation)
    operation = size.operation if size is not None else operation
    origin = failed_node.origin(operation, user)
    if origin.location is None:
        return None
    tensors = [failed_node.through_captures(each) for each in operation.inputs]
    operands = [(_argument(each), describe(each, user)) for each in tensors]
    methods = tuple(failed_node.methods(operation, user))
    rows = fixed_sizes.cut(operation, stack) if size is None else None
    return Kernel(
        used=origin.location,
        operation=operation.type,
        operands=tuple((name, each) for name, each in operands if each is not None),
        methods=tuple(cls.__name__ for cls in methods),
        within=_layer(operation.name, methods),
        fixed=_fixed(size, origin.location, user) if size is not None else None,
        says=_CUT.format(*rows) if rows is not None else "",
        advice=(_WHOLE.format(*rows),) if rows is not None else _LENGTHS if operation.type in _ALIGNED else (),
        marks=tuple(_shortened(operation, user)) if operation.type in _ALIGNED else (),
    )


_CUT = "`fit` passes {1} of the {0} rows at a time, but an operand has one number for each of the {0}"
_WHOLE = "train on all rows at once: `batch_size={0}` and `shuffle=False`; or cut that axis as well"


_ALIGNED = ("CTCLoss", "CTCLossV2", "CTCGreedyDecoder", "CTCBeamSearchDecoder")
_LENGTHS = ("count the frames behind all layers that shorten the sequence: divide the lengths by their strides",)


def _shortened(operation: Any, user: UserCode) -> Iterator[Marked]:
    """The layers that shorten a sequence, on the way from the data to an operation that is told its lengths."""
    waiting, seen = [operation.inputs[0]], set[int]()
    while waiting and len(seen) < _MOST:
        tensor = failed_node.through_captures(waiting.pop())
        if id(tensor.op) in seen:
            continue
        seen.add(id(tensor.op))
        strides = tensor.op.get_attr("strides") if "strides" in tensor.op.node_def.attr else ()
        if any(each > 1 for each in strides):
            origin = failed_node.origin(tensor.op, user)
            layer = _layer(tensor.op.name, tuple(failed_node.methods(tensor.op, user)))
            at = layer.made if layer is not None else origin.location
            name = f"layer `{layer.name}`" if layer is not None else f"`{tensor.op.type}`"
            if at is not None:
                yield Marked.at(at, f"{name} shortens the sequence: its stride is {max(strides)}", "shortened")
        waiting += [each for each in tensor.op.inputs if each.dtype.is_floating]


def _fixed(size: fixed_sizes.FixedSize, used: Location, user: UserCode) -> FixedSize | None:
    """The size with the line of the program's that fixes it; None where the library does."""
    source = describe(size.source, user)
    if source is None or source.made is None:
        return None
    detail, read = source.detail, "tf.shape({})"
    return FixedSize(size=size.size, at=source.made, detail=detail, read=read, certain=size.certain)


def _argument(tensor: Any) -> str:
    """The name of the parameter of a traced function that a tensor is; empty for any other."""
    return str(tensor.op.name) if tensor.op.type == "Placeholder" else ""


def _layer(node: str, methods: tuple[type, ...]) -> Described | None:
    """The layer that an operation ran in, by the name scopes of its node and the code that made it."""
    scopes = node.split("/")[:-1]
    names = {*scopes, *(each.rstrip("0123456789").rstrip("_") for each in scopes)}
    live = [each for each in creations.live(("layer",)) if isinstance(each, methods)]
    found = [each for each in live if getattr(each, "name", None) in names]
    layers = [each for each in found if type(each) in methods or packages.kind_of(each) == "layer"]
    if len(layers) != 1:
        return None
    layer: Any = layers[0]
    return Described(what="layer", name=layer.name, detail=type(layer).__name__, made=creations.made(layer))


def _is_one_axis_short(labels: Any, logits: Any) -> bool:
    """Return whether labels have one number where logits have a row."""
    given, wanted = _static(labels), _static(logits)
    return given is not None and wanted is not None and given == wanted[:-1]


_IN_SCOPE = ("create or load everything that has variables inside `with strategy.scope():`",)
_COLOCATED = "a variable that was created inside the scope of this strategy"
_TRACED = ("if_stmt", "while_stmt", "for_stmt", "cond", "while_loop", "switch_case", "case")


def _is_in_branch(frame: Frame) -> bool:
    """Return whether a branch or loop is traced around this frame, in the innermost function that is traced."""
    outer = frame.frame.f_back
    while outer is not None and outer.f_code.co_name != "_initialize":
        if outer.f_code.co_name in _TRACED:
            return True
        outer = outer.f_back
    return False


RULES: tuple[FrameRule, ...] = (
    FrameRule(
        function="_require_cross_replica_or_default_context_extended",
        file="distribute/distribute_lib.py",
        requires="a place outside of a training step: it starts steps on all replicas itself",
        advice=(
            "inside a step (of `fit`, or of `strategy.run`), call the model itself: `model(x, training=False)`",
            "or call it before or after the step, with the whole batch",
        ),
        place=True,
    ),
    FrameRule(
        function=("_validate_colocate_extended", "validate_colocate_distributed_variable", "validate_colocate"),
        file="distribute/distribute_utils.py",
        local="v",
        requires=_COLOCATED,
        advice=_IN_SCOPE,
    ),
    FrameRule(
        function="_update",
        file="distribute/mirrored_strategy.py",
        local="var",
        requires=_COLOCATED,
        advice=_IN_SCOPE,
    ),
    FrameRule(
        function="_wrong_strategy_scope",
        file="distribute/distribute_lib.py",
        requires="the scope of this strategy: the model, its optimizer and its metrics belong inside of one scope",
        advice=_IN_SCOPE,
        place=True,
    ),
    FrameRule(
        function="_from_generator",
        file="data/ops/from_generator_op.py",
        requires="elements made of tensors, tuples and dicts, not of lists",
        advice=("let the generator yield several inputs as a tuple: `(a, b), y` instead of `[a, b], y`",),
        place=True,
        when=lambda frame: isinstance(frame.local("spec"), list),
    ),
    FrameRule(
        function="softmax_cross_entropy_with_logits_v2",
        file="ops/nn_ops.py",
        local="labels",
        requires="a row of class probabilities for each sample, and no class ids",
        advice=(
            "`tf.nn.sparse_softmax_cross_entropy_with_logits(labels=..., logits=...)` takes class ids (integers)",
            "or make rows of the ids: `tf.one_hot(tf.cast(ids, tf.int32), classes)`",
        ),
        when=lambda frame: _is_one_axis_short(frame.local("labels"), frame.local("logits")),
    ),
    FrameRule(
        function="get_seed",
        file="framework/random_seed.py",
        local="global_seed",
        requires="a Python number as seed",
        advice=("use the stateless functions, which take a tensor: `tf.random.stateless_normal(shape, seed)`",),
    ),
    FrameRule(
        function="_make_indexed_slices_indices_types_match",
        file="ops/cond_v2.py",
        requires="branches that give the same number of tensors, because the condition is a tensor and both are traced",
        advice=(
            "let both branches give the same structure",
            "or decide in Python, by what is known while tracing: the static shape (`x.shape[0]`)",
        ),
        place=True,
    ),
    FrameRule(
        function="_merge_call",
        file="distribute/mirrored_run.py",
        requires="a place without a traced branch or loop around it: all replicas must reach it",
        advice=("move the call out of the branch or loop, and choose by values: `tf.where`, or a factor of 0 or 1",),
        place=True,
        around=_TRACED,
        when=lambda frame: _is_in_branch(frame),
    ),
    FrameRule(
        function="_merge_call",
        file="distribute/mirrored_run.py",
        requires="a place without an inner `tf.function` around it, which has a graph of its own: the replicas meet in"
        " the graph of the function that `strategy.run` calls",
        advice=(
            "remove the inner `tf.function`: what `strategy.run` calls is traced with the function around"
            " `strategy.run` already",
        ),
        place=True,
        around=("initialize",),
    ),
)


def _elsewhere(live: LiveFailure, user: UserCode) -> RefusedObject | None:
    """What a function of the program's did that TensorFlow or Keras called, and that had ended before the failure."""
    return called_python.refused(live, user) or loss_results.refused(live, user)


VOCABULARY = Vocabulary(
    describe=describe,
    libraries=("tensorflow",),
    rules=RULES,
    kernel=kernel,
    behind=origins.behind,
    kind=kind,
    is_kernel_error=failed_node.is_kernel_error,
    elsewhere=_elsewhere,
    tensor=tf.Tensor,
    batches=batched.batches,
)
