"""Facts of graph membership: which graph a symbolic tensor belongs to, who kept it, and where it did not belong."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location
from tensorwhy.model.tracing import Why

GraphKind = Literal["function", "dataset", "branch", "loop", "scratch", "plain", "unknown"]


class GraphRef(msgspec.Struct, frozen=True, kw_only=True):
    """A graph as people know it.

    `name` is the name of the traced Python function, or of the layer that a Keras scratch graph was made for. `call` is
    the user's line that had a Keras scratch graph traced.
    """

    kind: GraphKind
    name: str = ""
    call: Location | None = None


class Symbolic(msgspec.Struct, frozen=True, kw_only=True):
    """A tensor without a value. `calls` is the user's call stack when it was made, outermost first."""

    name: str = ""
    op: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    created: Location | None = None
    calls: tuple[Location, ...] = ()
    graph: GraphRef = GraphRef(kind="unknown")


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds an object now.

    `expression` is how Python code would reach it (`trainer.history[3]`), `steps` the same in words, outermost first.
    `attribute` is the last name on the way, `owner` the class that has it, `contained` whether a container came after,
    and `key` how the first such container is indexed.
    """

    kind: Literal["global", "attribute", "class attribute", "closure", "local", "cache"]
    expression: str
    steps: tuple[str, ...]
    attribute: str
    owner: str = ""
    contained: bool = False
    key: str = ""
    private: bool = False


class LeakedTensor(Fact, frozen=True, kw_only=True):
    """A symbolic tensor was used outside the graph that it belongs to. `used_in` is None when it was used eagerly.

    `escape` is the statement that stored it, `beside` are others that stored it, too; `handed` is the function that
    this gave it to, as written, when that is a library's and keeps it (`self.add_loss`), and `reset` the method by
    which the library lets go of it. `variable` is where the same attribute was first given a variable. `collected`: the
    graph is gone, and with it the place where the tensor was made. `lifted`: the graph was still being traced, and what
    used the tensor runs outside of it by itself, as whatever makes a variable does. `constant`: nothing that the traced
    function was given went into it. `added`: Keras made it of what a layer gave, and keeps it among the layer's losses.
    """

    tensor: Symbolic
    used: Location | None
    used_in: GraphRef | None = None
    holders: tuple[Holder, ...] = ()
    escape: Location | None = None
    beside: tuple[Location, ...] = ()
    handed: str = ""
    reset: str = ""
    variable: Location | None = None
    collected: bool = False
    lifted: bool = False
    constant: bool = False
    added: bool = False


class Unconverted(msgspec.Struct, frozen=True, kw_only=True):
    """The first function that AutoGraph left as it was written. `called` is the rewritten line that led to it.

    `why`: it is a constructor, a lambda, is excluded by itself, or a library called it (`by`); or the function was
    rewritten, but for a comprehension. Without `called`, nothing was rewritten before it.
    """

    function: str
    why: str
    by: str = ""
    called: Location | None = None


class EagerOnlyInGraph(Fact, frozen=True, kw_only=True):
    """Something that needs a value was asked of a symbolic tensor while its graph was being traced.

    `operation` says what: a method, a Python function, truth, iteration, ... `name` is the callable's dotted name,
    "elements": of a whole dataset. `switched_off` is where the program switched eager execution off.
    `unconverted` is the first function on the way that AutoGraph did not rewrite. It was unpacked into so many `names`,
    and a library gave it to the program's function, because of the call `given_by` at `given`.
    """

    tensor: Symbolic
    operation: Literal[
        "method",
        "numpy",
        "call",
        "truth",
        "iteration",
        "elements",
        "length",
        "index",
        "key",
        "format",
        "dimension",
    ]
    name: str
    used: Location
    tensor_text: str = ""
    autograph: bool | None = None
    switched_off: Location | None = None
    unconverted: Unconverted | None = None
    given: Location | None = None
    given_by: str = ""
    names: int = 0


class UnknownSize(Fact, frozen=True, kw_only=True):
    """A dimension of a symbolic tensor that is None, as it is not known yet, was taken for a number.

    `size` is the text that reads it (`x.shape[0]`) at `read`, `axis` which dimension that is, where it is one;
    `tensor_text` is empty where only the shape was at hand. `given` is what stood at the place that failed, perhaps a
    `whole` shape, and `by` the function or operator. `python`: it is one that runs while tracing, and could not do with
    a tensor either. `layered`: the tensor is one of Keras, outside of every layer. `method`: that of a layer, `build`
    or `compute_output_shape`, which Keras gave the shape to.
    """

    tensor: Symbolic
    tensor_text: str
    size: str
    axis: int | None
    read: Location
    used: Location
    given: str
    by: str
    python: bool
    layered: bool = False
    whole: bool = False
    method: str = ""


GraphOnlyRole = Literal[
    "placeholder",
    "session",
    "layers",
    "gradients",
    "initializer",
    "optimizer",
    "attribute",
    "dataset",
    "graph",
    "collection",
    "other",
]


class GraphOnlyInEager(Fact, frozen=True, kw_only=True):
    """Something that exists in graph mode only was used while executing eagerly.

    `api` is the name as the user wrote it. `removed`: the name is no longer part of TensorFlow's API at all, only of
    `tf.compat.v1`. "layers": a session was asked for symbolic Keras tensors. "collection": a list of a graph's
    variables, which is empty.
    """

    api: str
    used: Location
    role: GraphOnlyRole
    removed: bool = False


class LateVariable(Fact, frozen=True, kw_only=True):
    """A variable was created on a later call of a traced function, where only the first call may create any.

    `created` is the user's line; `layer` the line of the same function that made the layer whose weights they are, or
    the `optimizer`. `state` says that an optimizer which is kept made it, for its own state: "build" where it has a
    method to do so before. `nested`: it was created within a branch, a loop body or an inner function instead, with an
    initial value that belongs to that inner graph. `first` is the first call, where that took another path, which
    creates no such variable; it was `given` another argument then (`train=False`).
    """

    created: Location
    function: str = ""
    layer: Location | None = None
    optimizer: bool = False
    state: Literal["", "late", "build"] = ""
    nested: bool = False
    first: Location | None = None
    given: str = ""


class ForeignGraph(Fact, frozen=True, kw_only=True):
    """A tensor of one `tf.Graph` was used with another one.

    `other` is the second tensor, where there is one; `session` says that a session of another graph refused it, `eager`
    that there was no second graph at all. `thread` is the name of the thread whose own default graph or session it met.
    `text` is the user's expression for the tensor at `used`, `opened` where the session was made without a graph.
    """

    used: Location
    tensor: Symbolic = Symbolic()
    other: Symbolic | None = None
    session: bool = False
    eager: bool = False
    thread: str = ""
    text: str = ""
    opened: Location | None = None


EagerKind = Literal["tensor", "variable", "layer", "table", "resource"]


class EagerInGraph(Fact, frozen=True, kw_only=True):
    """A value of eager execution met a `tf.Graph` that is no function's, which can hold none.

    `text` is the user's name for it, `made` the expression that it came from.
    """

    used: Location
    what: EagerKind
    text: str = ""
    made: Location | None = None
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None


class RaisedWhileTracing(Fact, frozen=True, kw_only=True):
    """A `raise` in one branch of a condition on a tensor was executed, because tracing runs both branches.

    Without an `exception` of the program's own, a library raised in a branch that this condition never takes.
    """

    raised: Location
    condition: Location | None
    branch: Literal["true", "false", "unknown"]
    exception: str


FrozenKind = Literal["number", "test", "count", "state", "draw", "object", "optimizer"]
"""What a trace froze.

- `number`: a value that became a constant of the graph; `test`: it decided which branch was traced;
- `count`: a number that the function itself counts on (`self.step += 1`), once;
- `state`: what one call stores for the next, at `read`; the trace stored a tensor of its own;
- `draw`: a number that Python drew at random;
- `object`, `optimizer`: a name stands for another model, layer, module or optimizer by now.
"""


class FrozenValue(Fact, frozen=True, kw_only=True):
    """A Python value was read while a graph was traced, and had another value when the graph ran again.

    `frozen` and `now` are the value then and at the last run, as Python writes them, or which object it was, as in
    "Sequential `classifier`". They are empty where each run was to get another one. `stale_calls` counts the runs with
    the old value, 0 for a draw of a graph that was not run. `dataset`: it runs for each element of a dataset. `set` is
    where it got its later value; of a state, its first one.
    """

    kind: FrozenKind
    name: str
    read: Location
    function: str
    frozen: str = ""
    now: str = ""
    stale_calls: int = 0
    dataset: bool = False
    set: Location | None = None


class Retraced(Fact, frozen=True, kw_only=True):
    """A function was traced again and again, each time for the same reason.

    `why` says what was new each time: the value of an `argument`, the object that it is (of type `kind`, a callable is
    `created` at its definition), its shape, or the traced function itself. `values` are some of those. It was
    traced `traces` times in so many `calls`; tracing for this reason took `seconds` of the `elapsed` time, and `costly`
    says that this is a large part of it. `called` is the line of the last such call. Of a library's function, `of` is
    the class of the objects that it is made for, which were made at `created`.
    """

    function: str
    defined: Location | None
    called: Location | None
    why: Why
    argument: str
    values: tuple[str, ...]
    kind: str
    created: Location | None
    traces: int
    calls: int
    seconds: float
    elapsed: float
    costly: bool
    of: str = ""
