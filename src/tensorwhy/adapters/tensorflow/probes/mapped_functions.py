"""`map_fn` and `vectorized_map`: what was declared for the function, and what it took and returned.

While elements are mapped (eagerly, or while a graph is traced) the frames of `map_fn` hold all of it. A graph that is
already running has only the operations that stack the results; they lead back to the call and the function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.adapters.tensorflow.failures import failed_node, mapped_calls, signatures, tensor_lists
from tensorwhy.adapters.tensorflow.failures.mapped_calls import MappedCall
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import SignatureMismatch, VaryingOutput
from tensorwhy.source.files import Sources

_FILE = "ops/map_fn.py"
_OF_KERAS = "keras.ops.map"
_SET = re.compile(r"shape: (\[[\d,?]*\]) list shape: (\[[\d,?]*\])")
_MERGE = re.compile(r"(\[[\d,?]*\]) vs\. (\[[\d,?]*\])")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """Facts of a failing `map_fn` or `vectorized_map`; nothing for any other failure."""
    way = live.joined()
    found = way.first("map_fn", _FILE)
    if found is not None and not way.below(found[0]):
        fact = _Mapping(live, way, found[0], found[1]).fact()
        if fact is not None:
            yield fact
            return
    yield from _running(live, way)


class _Mapping:
    """A failure inside `map_fn` itself: not in the user's function that it calls."""

    def __init__(self, live: LiveFailure, way: Stack, index: int, step: Frame) -> None:
        self.live, self.way, self.index, self.step = live, way, index, step
        caller = way.caller(index)
        self.caller = caller.location if caller is not None else None
        self.function = step.local("fn")
        self.inner = {each.name: each for each in way.frames[index + 1 :]}

    def fact(self) -> Fact | None:
        if self.caller is None:
            return None
        self.call = mapped_calls.read(self.caller, "map_fn", Sources(), self.live.user, self.function)
        return (
            self._elements() or self._structure() or self._written() or self._declared_type() or self._ragged_result()
        )

    def _mismatch(self, problem: Any, **fields: Any) -> SignatureMismatch:
        return SignatureMismatch(
            construct="map_fn",
            call=self.call.location,
            problem=problem,
            function=self.call.function,
            produced=self.call.produced,
            explicit=self.step.local("fn_output_signature") is not None,
            element=self._element(),
            **fields,
        )

    def _element(self) -> int | None:
        compute = self.inner.get("compute")
        counter = compute.local("i") if compute is not None else None
        return int(counter) if counter is not None and hasattr(counter, "numpy") else None

    def _elements(self) -> Fact | None:
        """The elements cannot be taken apart: scalars, or different numbers of them."""
        elements = self.step.local("elems_flat")
        if self.inner.get("compute") is not None or not isinstance(elements, (list, tuple)) or not elements:
            return None
        if self.step is self.way.frames[-1]:
            if any(signatures.shape_of(each) == () for each in elements):
                return self._mismatch(
                    "scalar-elements", declared="tensors with a first dimension", got=_elements_text(self.step)
                )
            return None
        if "assert_is_compatible_with" in self.inner:
            lengths = [shape[0] if (shape := signatures.shape_of(each)) else None for each in elements]
            return self._mismatch(
                "unequal-elements", declared="one length for all of them", got=", ".join(map(str, lengths))
            )
        return None

    def _declares(self) -> Any:
        """What the results must look like: the signature, or, without one, the elements."""
        signature = self.step.local("fn_output_signature")
        return self.step.local("elems") if signature is None else signature

    def _structure(self) -> Fact | None:
        compute = self.inner.get("compute")
        if compute is None or "assert_same_structure" not in self.inner or "write" in self.inner:
            return None
        result = compute.local("result_value")
        return self._mismatch(
            "no-value" if result is None else "structure",
            declared=signatures.describe(_without_first(self._declares(), self.step)),
            got=signatures.describe(result),
            declaration=signatures.declaration(result, self.call.prefix),
        )

    def _written(self) -> Fact | None:
        """The result was put beside the earlier ones, and does not fit."""
        written = next((each for each in self.way.frames[self.index + 1 :] if each.name == "write"), None)
        compute = self.inner.get("compute")
        if written is None or compute is None:
            return None
        value = written.local("value")
        array = written.local("self")
        inner = getattr(array, "_implementation", array)
        if not hasattr(value, "dtype") and not isinstance(value, (bool, int, float, str)):
            return self._mismatch(
                "no-value" if value is None else "structure",
                declared=signatures.describe(_without_first(self._declares(), self.step)),
                got=signatures.describe(value),
            )
        if type(value).__name__ in ("RaggedTensor", "SparseTensor"):
            return self._mismatch(
                "composite-result",
                declared=signatures.describe(_without_first(self._declares(), self.step)),
                got=signatures.describe(value),
                declaration=signatures.declaration(value, self.call.prefix),
            )
        dtype = signatures.dtype_name(inner.dtype)
        if dtype != signatures.dtype_name(value):
            return self._mismatch(
                "dtype",
                declared=dtype,
                got=signatures.dtype_name(value),
                declaration=signatures.declaration(compute.local("result_value"), self.call.prefix),
            )
        return self._shape(value, inner)

    def _shape(self, value: Any, array: Any) -> Fact | None:
        expected = signatures.shape_of(getattr(array, "element_shape", None))
        got = signatures.shape_of(value)
        if expected is None or got is None or expected == got:
            return None
        declared = _declared_shape(self.step.local("fn_output_signature"))
        if declared is not None:
            return self._mismatch(
                "shape",
                declared=signatures.shape_text(declared),
                got=signatures.shape_text(got),
                declaration=signatures.declaration(value, self.call.prefix),
            )
        dtype = signatures.dtype_name(value)
        conversion, converted = signatures.ragged_conversion((expected, got), dtype, self.call.prefix)
        return VaryingOutput(
            construct="map_fn",
            call=self.call.location,
            function=self.call.function,
            operation=self.call.operation,
            produced=self.call.produced,
            shapes=(expected, got),
            element=self._element(),
            declaration=signatures.ragged_declaration((expected, got), dtype, self.call.prefix),
            conversion=conversion,
            converted=converted,
            alternative=self.call.alternative(),
        )

    def _declared_type(self) -> Fact | None:
        """A composite signature (ragged, sparse) that the function's result does not have."""
        checked = self.inner.get("result_value_flat_to_batchable")
        compute = self.inner.get("compute")
        if checked is None or compute is None:
            return None
        result, declares = compute.local("result_value"), self._declares()
        wanted, rank = getattr(declares, "_ragged_rank", None), getattr(result, "ragged_rank", None)
        fewer = isinstance(wanted, int) and isinstance(rank, int) and rank < wanted
        return self._mismatch(
            "structure",
            declared=signatures.describe(declares) + _spec(declares),
            got=signatures.describe(result) + _ragged_rank(result),
            # Of one result nobody sees along which axes others differ from it: the declaration says so.
            declaration="" if fewer else _spec_text(result, self.call.prefix),
            ragged_rank=wanted if fewer else 0,
        )

    def _ragged_result(self) -> Fact | None:
        """Ragged elements and no signature: the results are taken for ragged rows, and are none."""
        if "result_batchable_to_flat" not in self.inner or self.step.local("fn_output_signature") is not None:
            return None
        batched = self.step.local("result_batchable") or []
        dtype = next((signatures.dtype_name(each) for each in self.step.local("result_flat_signature") or ()), "")
        dtype = dtype or next((signatures.dtype_name(each) for each in batched), "")
        return self._mismatch(
            "composite-result",
            declared="ragged rows, like the elements",
            got="results of another rank",
            declaration=f"{self.call.prefix}.{dtype}" if dtype and dtype != "variant" else "",
        )


def _spec(declared: Any) -> str:
    """What the specification of a ragged tensor says beside its dtype."""
    rank, shape = getattr(declared, "_ragged_rank", None), signatures.shape_of(declared)
    if not isinstance(rank, int) or type(declared).__name__ != "RaggedTensorSpec":
        return f" ({declared!r})"
    return f" (ragged rank {rank}, by its shape {signatures.shape_text(shape)})" if shape is not None else f" ({rank})"


def _ragged_rank(result: Any) -> str:
    rank = getattr(result, "ragged_rank", None)
    return f" (ragged rank {rank})" if isinstance(rank, int) else ""


def _elements_text(step: Frame) -> str:
    elements = step.local("elems")
    return signatures.describe(elements)


def _without_first(declared: Any, step: Frame) -> Any:
    """The declaration as it is; for elements that serve as one, what one of them looks like."""
    if step.local("fn_output_signature") is not None:
        return declared
    from tensorflow import nest

    return nest.map_structure(lambda each: getattr(each, "dtype", each), declared)


def _declared_shape(signature: Any) -> Any:
    """The shape that a signature fixes for one tensor; None when it fixes none."""
    return signatures.shape_of(signature) if type(signature).__name__ == "TensorSpec" else None


def _spec_text(value: Any, prefix: str) -> str:
    shape = signatures.shape_of(value)
    if type(value).__name__ == "RaggedTensor" or not shape:
        return signatures.declaration(value, prefix)
    return signatures.ragged_declaration((shape, (None, *shape[1:])), signatures.dtype_name(value), prefix)


def _running(live: LiveFailure, way: Stack) -> Iterator[Fact]:
    """A running graph that failed where it stores, stacks or unpacks the results."""
    found = failed_node.failed(live.exceptions, way)
    if found is None:
        return
    operation, error = found
    made = failed_node.origin(operation, live.user)
    if made.location is None:
        return
    if made.through("map_fn", _FILE):
        construct = "map_fn"
    elif made.through("vectorized_map", "parallel_for/control_flow_ops.py"):
        construct = "vectorized_map"
    else:
        return
    of_keras = made.through("map", "keras/src/ops/core.py")
    call = mapped_calls.read(made.location, "map" if of_keras else construct, Sources(), live.user)
    construct = _OF_KERAS if of_keras else construct
    if operation.type in ("TensorListStack", "TensorListConcatV2"):
        yield from _stacked(construct, call, operation, error, live)
    elif operation.type == "TensorListSetItem":
        declared = tensor_lists.element_dtype(operation.inputs[0])
        yield from _stored(construct, call, operation.inputs[2], declared, live)
        yield from _refused(construct, call, operation.inputs[2], error)
    elif operation.type == "TensorArrayWriteV3":
        yield from _stored(construct, call, operation.inputs[2], _array_dtype(operation.inputs[0]), live)
    elif operation.type == "TensorListGetItem" and construct != "vectorized_map":
        yield SignatureMismatch(
            construct=construct,
            call=call.location,
            problem="unequal-elements",
            function=call.function,
            declared="one length for all of them",
        )
    elif operation.type == "RaggedTensorFromVariant":
        yield SignatureMismatch(
            construct=construct,
            call=call.location,
            problem="composite-result",
            function=call.function,
            produced=call.produced,
            declared="ragged rows",
            got="results of another rank",
        )


def _stacked(
    construct: str, call: MappedCall, operation: Any, error: Any, live: LiveFailure
) -> Iterator[VaryingOutput]:
    """Only the kernel knows the shapes at run time, and says them in its message alone."""
    shapes = _MERGE.search(error.message)
    if shapes is None:
        return
    first, second = (_parsed(text) for text in shapes.groups())
    value = tensor_lists.stored_value(operation.inputs[0])
    made = failed_node.origin(value.op, live.user) if value is not None else None
    dtype = signatures.dtype_name(operation.outputs[0])
    ragged = conversion = converted = ""
    if construct == "map_fn":
        ragged = signatures.ragged_declaration((first, second), dtype, call.prefix)
        conversion, converted = signatures.ragged_conversion((first, second), dtype, call.prefix)
    stacked = made.location if made is not None else None
    # `vectorized_map` stacks the result of each operation, the others what the function returns.
    produced = stacked or call.produced if construct == "vectorized_map" else call.produced or stacked
    yield VaryingOutput(
        construct=construct,
        call=call.location,
        function=call.function,
        operation=call.operation,
        produced=produced,
        shapes=(first, second),
        declaration=ragged,
        conversion=conversion,
        converted=converted,
        alternative=call.alternative(value.op.type if value is not None else ""),
    )


def _refused(construct: str, call: MappedCall, value: Any, error: Any) -> Iterator[SignatureMismatch | VaryingOutput]:
    """A result of another shape than the declared one; Keras declares what the function gives for the first element."""
    shapes = _SET.search(error.message)
    if shapes is None:
        return
    got, declared = (_parsed(text) for text in shapes.groups())
    dtype = signatures.dtype_name(value)
    if construct == _OF_KERAS:
        yield VaryingOutput(
            construct=construct,
            call=call.location,
            function=call.function,
            operation=call.operation,
            produced=call.produced,
            shapes=(declared, got),
            alternative=call.alternative(),
        )
    elif call.declares:
        yield SignatureMismatch(
            construct=construct,
            call=call.location,
            problem="shape",
            function=call.function,
            produced=call.produced,
            declared=signatures.shape_text(declared),
            got=signatures.shape_text(got),
            explicit=True,
            declaration=signatures.ragged_declaration((declared, got), dtype, call.prefix),
        )


def _parsed(text: str) -> tuple[int | None, ...]:
    return tuple(None if each in ("?", "-1") else int(each) for each in text.strip("[]").split(",") if each)


def _array_dtype(handle: Any) -> Any:
    """What a graph of TensorFlow 1 made the array for; its handle enters the loop by an operation of its own."""
    maker = handle.op
    while maker.type == "Enter":
        maker = maker.inputs[0].op
    return maker.get_attr("dtype") if maker.type == "TensorArrayV3" else None


def _stored(
    construct: str, call: MappedCall, value: Any, declared: Any, live: LiveFailure
) -> Iterator[SignatureMismatch]:
    if declared is None or declared == value.dtype:
        return
    made = failed_node.origin(value.op, live.user)
    yield SignatureMismatch(
        construct=construct,
        call=call.location,
        problem="dtype",
        function=call.function,
        produced=call.produced or made.location,
        declared=declared.name,
        got=value.dtype.name,
        explicit=call.declares,
        declaration=f"{call.prefix}.{value.dtype.name}",
    )
