"""What was observed of loops, of functions mapped over elements, and of tensor arrays.

`call` or `statement` is the user's line of the construct, `declaration` the source text that would declare what really
came out, and `alternative` a form without a Python function per element, where the adapter knows one. Shapes are
tuples with None for an unknown dimension; a shape of unknown rank is None.
"""

from __future__ import annotations

from typing import Literal

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location

Shape = tuple[int | None, ...]


class VaryingOutput(Fact, frozen=True, kw_only=True):
    """A mapped function whose results have different shapes for different elements, where they must be stacked.

    `shapes` are two results that differ, `element` is the index of the later one. `operation` is the framework's name
    of what made the result, as the user writes it. `conversion` makes a ragged tensor of a result that has several
    sizes, and `converted` declares that: then any of them can differ up to the last that was seen to. `rankless`:
    they were to become ragged, and did not, as how many axes they have is unknown.
    """

    construct: str
    call: Location
    function: str = ""
    operation: str = ""
    produced: Location | None = None
    shapes: tuple[Shape, Shape] | None = None
    element: int | None = None
    declaration: str = ""
    conversion: str = ""
    converted: str = ""
    alternative: str = ""
    rankless: bool = False


class SignatureMismatch(Fact, frozen=True, kw_only=True):
    """A mapped function that takes or returns something else than was declared for it.

    `explicit` is whether the program declares anything itself; without that, the elements' own signature holds.
    `ragged_rank` is the declared one, where the result is ragged in fewer axes.
    """

    construct: str
    call: Location
    problem: Literal[
        "dtype",
        "structure",
        "shape",
        "no-value",
        "scalar-elements",
        "unequal-elements",
        "composite-result",
    ]
    function: str = ""
    produced: Location | None = None
    declared: str = ""
    got: str = ""
    explicit: bool = False
    element: int | None = None
    declaration: str = ""
    ragged_rank: int = 0


class LoopShapeChange(Fact, frozen=True, kw_only=True):
    """A loop variable that comes out of an iteration with another static shape than it went in with.

    `invariant` is the shape that the program declared for it, `declared` whether it did. `problem` is "changes", or
    "initial" when the value before the loop already contradicts the declared shape, "count" when there is not one
    declared shape for each variable, or "axis" when the loop takes slices (of shape `exit`, of a tensor of shape
    `invariant`) along another axis than the variable (of shape `entry`) was made for. "state": the state of a recurrent
    cell, which Keras loops over, or of a step function of the user's (construct "rnn"); "array": a shape was
    declared for a tensor array.
    `element` is the element at which it was seen, where the loop goes along elements and was executed.
    """

    construct: str
    statement: Location
    variable: str
    problem: Literal["changes", "initial", "count", "axis", "state", "array"] = "changes"
    entry: Shape | None = None
    exit: Shape | None = None
    invariant: Shape | None = None
    declared: bool = False
    before: Location | None = None
    changed: Location | None = None
    element: int | None = None
    declaration: str = ""


class LoopStructureChange(Fact, frozen=True, kw_only=True):
    """A loop variable, or a branch's result, whose dtype or structure is not the same on all ways.

    `before` is the line that made the value on entry (or in the first branch), `changed` the line of the other one.
    `literal` is the source text of a plain Python number that became a tensor of `expected`, `element` the element at
    which it was seen, where the loop goes along elements and was executed. "pair": a recurrent cell does not return two
    things, the output and the new states. "operand": the variable itself stays what it is, and something of dtype `got`
    was put to it at `changed`. "begin": the states that a recurrent layer is given to begin with are nested as in
    `got`, and those of its cells as in `expected`; the numbers are their sizes. "annotated": at `before` the variable
    is given an annotation, and no value.
    """

    construct: str
    statement: Location
    problem: Literal[
        "dtype",
        "structure",
        "undefined",
        "annotated",
        "none",
        "count",
        "no-value",
        "no-return",
        "return-in-loop",
        "never-ran",
        "pair",
        "operand",
        "begin",
    ]
    variable: str = ""
    before: Location | None = None
    changed: Location | None = None
    expected: str = ""
    got: str = ""
    literal: str = ""
    branch: str = ""
    element: int | None = None


class NoCondition(Fact, frozen=True, kw_only=True):
    """A condition of a loop or branch that is not one truth value. `shape` and `size` are None where not known.

    `construct` and `text` are empty where the call is not known by its name; `condition` is its line then.
    """

    construct: str
    statement: Location
    condition: Location
    text: str
    dtype: str
    shape: Shape | None
    size: int | None = None


class PythonAccumulator(Fact, frozen=True, kw_only=True):
    """A Python container that code of a traced loop fills: once, while the loop is traced.

    `used` is where its contents were needed. `problem`: "escaped" when a tensor of the loop's body was taken out of
    it, "grown" when the container itself is a loop variable, "indexed" when it is indexed by a loop's tensor, and
    "left" when tensors of a graph were still in it at the end.
    """

    container: str
    kind: Literal["list", "dict", "set", "tuple"]
    problem: Literal["escaped", "grown", "indexed", "left"]
    construct: str = ""
    filled: Location | None = None
    loop: Location | None = None
    created: Location | None = None
    used: Location | None = None
    length: int = 0


class ArrayElementRejected(Fact, frozen=True, kw_only=True):
    """An element that does not fit into the tensor array, or elements that do not fit together.

    `operation` is what failed ("write", "stack", "concat", "unstack", "split", "gather", "read"), `call` its line;
    `written` is where the offending element was written, `created` where the array was made.
    """

    problem: Literal["dtype", "shape", "index", "index-dtype", "size", "empty"]
    operation: str
    call: Location
    written: Location | None = None
    created: Location | None = None
    array: str = ""
    declared: str = ""
    got: str = ""
    index: int | None = None
    size: int | None = None


class ArrayReused(Fact, frozen=True, kw_only=True):
    """A tensor array used in a state that it no longer has: read after it was cleared, or before a write that was lost.

    For "write-ignored", `call` is the write whose result nothing uses, `used` a place that reads the array without it;
    `beside` are other such writes to the same array.
    """

    problem: Literal["read-twice", "write-ignored"]
    call: Location
    used: Location | None = None
    created: Location | None = None
    array: str = ""
    index: int | None = None
    in_loop: bool = False
    failed: bool = True
    beside: tuple[Location, ...] = ()


class ArrayOutside(Fact, frozen=True, kw_only=True):
    """A tensor array where a tensor is needed, or outside of the function or loop that it belongs to.

    `origin` is the line that let it out: the return, the assignment to an attribute, the call that hands it over, or
    where it was made.
    """

    problem: Literal["as-tensor", "returned", "kept", "loop-local", "layer-output", "eager-inside", "eager-carried"]
    call: Location
    origin: Location | None = None
    created: Location | None = None
    array: str = ""
    use: str = ""
    owner: str = ""


class LostShape(Fact, frozen=True, kw_only=True):
    """A tensor whose static shape something needed and that has none: no number of axes, or no size of the last one.

    `made` is where the shape was still known before (`given`) and no longer was after (`got`), `call` what was
    called there, as it is written. `means`: "python" (a Python function whose result TensorFlow knows by dtype
    only), "generator", "decoded" (a decoder of which the data decide about axes), "declared" (an input that says
    None), "layer", "branches" (a condition whose `branches` give these different shapes), or any other "operation".
    `last` says that not the number of axes is missing but the size of the last one. `needed` is the user's line
    that failed, `by` the layer or function that refused. `results` are the names that the result was given.
    """

    means: Literal["python", "generator", "decoded", "declared", "layer", "branches", "operation"]
    made: Location
    needed: Location
    call: str = ""
    by: str = ""
    last: bool = False
    given: Shape | None = None
    got: Shape | None = None
    results: tuple[str, ...] = ()
    branches: tuple[Shape, ...] = ()
