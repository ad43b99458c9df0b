"""What the installed TensorFlow says about the gradients of its own ops.

Read from TensorFlow itself, never shipped as data, because versions differ: the gradient registry, the definitions of
the ops, and the source of the registered gradient functions (gradient_functions.py). Everything is computed when it is
first asked for, and kept.

Why a gradient function is not simply called: it needs an operation of a graph with real attributes, may build many
nodes, and its answer holds for these shapes and this dtype alone. Why there is no table of what is known: there are
more than a thousand op types, and a None of one of them comes and goes between releases. To read the source is exact
for whatever is installed.

Three states must not be mixed up. An op without an entry in the registry raises when a gradient is asked for; one that
is registered with None ends the gradient; and a function can return None for some inputs only. So an input is described
by what arrives at it (`Carries`). "unknown" is a state of its own: it counts as a gradient that passes, and what
follows from it is not called exact, since a wrong break is worse than one that is missed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from tensorflow.python.framework import dtypes, op_def_registry, ops

from tensorwhy.adapters.tensorflow.gradients import op_kinds
from tensorwhy.adapters.tensorflow.gradients.abstract_scopes import Question
from tensorwhy.adapters.tensorflow.gradients.abstract_values import NONE, UNKNOWN, ZERO
from tensorwhy.adapters.tensorflow.gradients.gradient_functions import pattern
from tensorwhy.adapters.tensorflow.gradients.op_roles import container_of, is_random, role_of
from tensorwhy.model.optable import Carries, Differentiability, OpFacts, OpInput

# Ops that call a function: TensorFlow builds their gradient from the function's body. What reaches any output gets at
# least zeros, whichever output is asked for; an input that reaches no output gets None.
PARTITIONED = op_kinds.CALLS
CALLS = PARTITIONED | {"SymbolicGradient", "RemoteCall"}
BRANCHES, LOOPS = op_kinds.BRANCHES, op_kinds.LOOPS
# A Python function: TensorFlow differentiates it with a tape of its own, and turns None into zeros.
CALLBACKS = frozenset({"EagerPyFunc"})
_STOPS = frozenset({"StopGradient", "PreventGradient"})

# Outputs whose missing gradient stays None instead of becoming zeros (FunctionsAcceptingNoneForIndicesMap in
# tensorflow/python/eager/pywrap_tensor.cc and tape code): the function then sees None for these.
_ACCEPTS_NONE = frozenset({"SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"})


def gradient_function(name: str) -> FunctionType | None:
    """The gradient function of an op type; None where it is registered as not differentiable.

    Raises LookupError where nothing is registered.
    """
    found: FunctionType | None = ops._gradient_registry.lookup(name)
    return found


def differentiability(name: str) -> Differentiability:
    """Return whether a gradient is registered for an op type."""
    try:
        function = gradient_function(name)
    except LookupError:
        return "unregistered"
    return "not-differentiable" if function is None else "registered"


@cache
def op_definition(name: str) -> Any | None:
    """The OpDef of a built-in op; None for functions and for ops of libraries that are not loaded."""
    return op_def_registry.get(name)


def flat_positions(
    name: str,
    attrs: Mapping[str, Any] | None = None,
    n_inputs: int | None = None,
) -> tuple[tuple[int, int | None], ...] | None:
    """For each flat input, (position in the OpDef, index within the list or None). None where lengths are not known.

    A list has the length of its number attribute or of its list of types; a single list of unknown length takes
    what the other inputs leave of `n_inputs`.
    """
    definition = op_definition(name)
    if definition is None:
        return None
    lengths = [_length(arg, attrs or {}) for arg in definition.input_arg]
    if None in lengths and n_inputs is not None:
        lengths = _solve(definition, lengths, n_inputs)
    if None in lengths or (n_inputs is not None and _total(lengths) != n_inputs):
        return None
    flat: list[tuple[int, int | None]] = []
    for position, length in enumerate(lengths):
        if length == -1:
            flat.append((position, None))
        else:
            flat.extend((position, i) for i in range(length or 0))
    return tuple(flat)


def _total(lengths: Sequence[int | None]) -> int:
    return sum(1 if one == -1 else one or 0 for one in lengths)


def _length(arg: Any, attrs: Mapping[str, Any]) -> int | None:
    """Length of a list input, -1 for a single tensor, None where it is not known."""
    if arg.number_attr:
        value = attrs.get(arg.number_attr)
        return None if value is None else int(value)
    if arg.type_list_attr:
        value = attrs.get(arg.type_list_attr)
        return None if value is None else len(value)
    return -1


def _solve(definition: Any, lengths: Sequence[int | None], n_inputs: int) -> list[int | None]:
    """Lists that share one number attribute share the rest equally; lists with different ones stay unknown."""
    open_lists = [
        arg.number_attr or arg.type_list_attr
        for arg, one in zip(definition.input_arg, lengths, strict=True)
        if one is None
    ]
    rest = n_inputs - _total(lengths)
    if len(set(open_lists)) != 1 or rest < 0 or rest % len(open_lists):
        return list(lengths)
    return [rest // len(open_lists) if one is None else one for one in lengths]


def op_facts(
    name: str,
    attrs: Mapping[str, Any] | None = None,
    n_inputs: int | None = None,
    input_dtypes: Sequence[str | None] | None = None,
    output_dtypes: Sequence[str | None] | None = None,
) -> OpFacts:
    """What is known of an op. Attributes and dtypes are looked at only where the gradient depends on them.

    `attrs` may hold TensorFlow's own values (DType, enum number, bytes, str); attributes that are missing are taken
    as unknown. `n_inputs` counts flat inputs. Without it the OpDef decides, if it has no list inputs.
    """
    if n_inputs is None and input_dtypes is not None:
        n_inputs = len(input_dtypes)
    if n_inputs is None:
        flat = flat_positions(name, attrs)
        n_inputs = None if flat is None else len(flat)
    facts = _facts(name, n_inputs, ())
    if not facts.depends_on or (attrs is None and input_dtypes is None):
        return facts
    known = _relevant(name, facts.depends_on, attrs or {}, input_dtypes, output_dtypes or ())
    return _facts(name, n_inputs, known) if known else facts


def _relevant(
    name: str,
    wanted: Sequence[str],
    attrs: Mapping[str, Any],
    input_dtypes: Sequence[str | None] | None,
    output_dtypes: Sequence[str | None],
) -> tuple[tuple[str, Any], ...]:
    """The attributes that matter, normalised and hashable; type attributes also from the dtypes of the tensors."""
    definition = op_definition(name)
    if definition is None:
        return ()
    kinds = {attr.name: attr.type for attr in definition.attr}
    found: dict[str, Any] = {}
    for attr in wanted:
        if attr in attrs and attr in kinds:
            value = _normal(kinds[attr], attrs[attr])
            if value is not None:
                found[attr] = value
    typed: list[tuple[str, str | None]] = []
    if input_dtypes is not None:
        flat = flat_positions(name, attrs, len(input_dtypes)) or ()
        typed = [
            (definition.input_arg[at].type_attr, dtype) for (at, _), dtype in zip(flat, input_dtypes, strict=False)
        ]
    if len(output_dtypes) == len(definition.output_arg):
        typed += [(arg.type_attr, dtype) for arg, dtype in zip(definition.output_arg, output_dtypes, strict=True)]
    for attr, dtype in typed:
        if dtype and attr in wanted and attr not in found:
            found[attr] = dtypes.as_dtype(dtype).base_dtype
    return tuple(sorted(found.items()))


def _normal(kind: str, value: Any) -> Any | None:
    """An attribute as gradient functions see it; None for kinds that are not used there."""
    if kind == "type":
        return dtypes.as_dtype(value).base_dtype
    if kind == "string":
        return value.encode() if isinstance(value, str) else value
    if kind == "bool":
        return bool(value)
    if kind == "int":
        return int(value)
    return None


@cache
def _facts(name: str, n_inputs: int | None, known: tuple[tuple[str, Any], ...]) -> OpFacts:
    definition = op_definition(name)
    # TensorFlow differentiates a call by the function that is called, and has nothing registered for it.
    registered = "registered" if name in PARTITIONED else differentiability(name)
    opaque = name in CALLS | BRANCHES | LOOPS | CALLBACKS
    inputs: tuple[OpInput, ...] | None = None
    asked: tuple[str, ...] = ()
    if n_inputs is not None:
        attributes = dict(known)
        states, asked = _states(name, registered, n_inputs, definition, attributes, opaque)
        flat = flat_positions(name, attributes, n_inputs)
        inputs = tuple(
            _input(definition, flat[i][0] if flat else None, i, state, name) for i, state in enumerate(states)
        )
    return OpFacts(
        name=name,
        differentiability=registered,
        inputs=inputs,
        depends_on=() if known else asked,
        stops_gradient=name in _STOPS,
        random=is_random(name),
        container=container_of(name, definition),
    )


def _input(definition: Any, position: int | None, index: int, state: Carries, op: str) -> OpInput:
    if definition is None or position is None:
        return OpInput(name=str(index), carries=state)
    arg = definition.input_arg[position]
    return OpInput(name=arg.name, carries=state, role=role_of(op, arg))


def _states(
    name: str, registered: Differentiability, n_inputs: int, definition: Any, attributes: dict[str, Any], opaque: bool
) -> tuple[tuple[Carries, ...], tuple[str, ...]]:
    none: Carries = "none"
    unknown: Carries = "unknown"
    raises: Carries = "raises"
    if registered == "not-differentiable":
        return (none,) * n_inputs, ()
    if registered != "registered" or opaque or definition is None:
        return (unknown,) * n_inputs, ()
    function = gradient_function(name)
    assert function is not None
    question = Question(
        name=name,
        inputs=_input_dtypes(definition, attributes, n_inputs),
        outputs=_outputs(definition, attributes),
        attributes=attributes,
        certain_gradients=name not in _ACCEPTS_NONE,
    )
    found = pattern(function, question)
    if found is None:
        return (raises,) * n_inputs, ()
    states = tuple(_word(one) for one in found)
    asked = _dtype_attributes(definition) | question.asked if "unknown" in states else set()
    return states, tuple(sorted(asked))


def _word(one: Any) -> Carries:
    if one == NONE:
        return "none"
    if one == UNKNOWN:
        return "unknown"
    return "zero" if one == ZERO else "value"


def _dtype_attributes(definition: Any) -> set[str]:
    return {arg.type_attr for arg in [*definition.input_arg, *definition.output_arg] if arg.type_attr}


def _input_dtypes(definition: Any, attributes: Mapping[str, Any], n_inputs: int) -> list[Any]:
    flat = flat_positions(definition.name, attributes, n_inputs)
    if flat is None:
        return [None] * n_inputs
    return [_dtype(definition.input_arg[position], attributes) for position, _ in flat]


def _dtype(arg: Any, attributes: Mapping[str, Any]) -> Any | None:
    if arg.type_attr:
        return attributes.get(arg.type_attr)
    return dtypes.as_dtype(arg.type) if arg.type else None


def _outputs(definition: Any, attributes: Mapping[str, Any]) -> list[Any] | None:
    """The dtype (or None) of each output; None where their number is not known."""
    if any(arg.number_attr or arg.type_list_attr for arg in definition.output_arg):
        return None
    return [_dtype(arg, attributes) for arg in definition.output_arg]
