"""What a framework says about one operation: which inputs a gradient can reach, and what kind of op it is.

A state is given for every input, list inputs expanded ("flat"), because that is how a recorder numbers them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Differentiability = Literal["registered", "not-differentiable", "unregistered", "unknown"]
Carries = Literal["value", "zero", "none", "raises", "unknown"]
"""What arrives at an input: a gradient, one that is zero by definition, None, an exception, or not known."""


class OpInput(msgspec.Struct, frozen=True, kw_only=True):
    """One flat input. `role` is "data", or what the input steers: "indices", "axis", "shape", "condition", "limit"."""

    name: str
    carries: Carries
    role: str = "data"


class OpFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One operation. `inputs` is None where the number of inputs was not known.

    - `depends_on`: the attributes that decide whether a gradient passes; they were looked at where they were given.
    """

    name: str
    differentiability: Differentiability
    inputs: tuple[OpInput, ...] | None = None
    depends_on: tuple[str, ...] = ()
    stops_gradient: bool = False
    random: bool = False
    container: Literal["", "sparse", "ragged", "string", "resource", "variant"] = ""

    def carries(self, index: int) -> Carries:
        """What arrives at flat input `index`."""
        if self.differentiability == "not-differentiable":
            return "none"
        if self.inputs is None or index >= len(self.inputs):
            return "unknown"
        return self.inputs[index].carries

    def without(self, index: int) -> str:
        """The name of flat input `index`, where that gets no gradient, and others do."""
        if index < 0 or self.always_none or self.carries(index) != "none" or self.inputs is None:
            return ""
        return self.inputs[index].name

    @property
    def unknown_inputs(self) -> tuple[int, ...]:
        """The flat inputs of which nothing is known."""
        return tuple(i for i, one in enumerate(self.inputs or ()) if one.carries == "unknown")

    @property
    def always_none(self) -> bool:
        """No input ever gets a gradient."""
        if self.differentiability == "not-differentiable":
            return True
        return bool(self.inputs) and all(one.carries == "none" for one in self.inputs or ())


class OpKinds(msgspec.Struct, frozen=True, kw_only=True):
    """Operations by what they do, by their names in one framework; one operation may be of several kinds.

    - `calls`, `branches`, `loops` run traced functions; `call` is what a call of one by its own name counts as.
    - `read`, `constant`, `placeholder`, `callback`, `identity`: the one operation that does this, where it is not
      written but implied; `identities` hand on what they are given, one or many.
    - `listing` work on the list of a loop, of which `enlisting` store something.
    - `moving` give elements of their input as they are, elsewhere: a part, another shape, another dtype.
    - `adding`, of which `plain_adding` are two of one shape; `differing` compare, of which `squaring` square the
      difference.
    """

    call: str = "call"
    read: str = "read"
    constant: str = "constant"
    placeholder: str = "placeholder"
    callback: str = "callback"
    identity: str = "identity"
    calls: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    loops: frozenset[str] = frozenset()
    identities: frozenset[str] = frozenset()
    listing: frozenset[str] = frozenset()
    enlisting: frozenset[str] = frozenset()
    differing: frozenset[str] = frozenset()
    squaring: frozenset[str] = frozenset()
    adding: frozenset[str] = frozenset()
    plain_adding: frozenset[str] = frozenset()
    moving: frozenset[str] = frozenset()


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """What a framework calls its dtypes and operations, and what these do. No operation is looked into.

    - `dtypes`: the names of dtype numbers; `differentiable`: those through which a recorder records.
    - `shape_only`: operations whose result depends on the shape of their input, never on its value.
    - `assigning`: operations that store an input, by its position, in the variable that is their first input;
      `storing`: those that store it as it is, with nothing added;
      `reading`: operations that read the variable that is their first input.
    - `holding`: of the `assigning`, those whose first input is no variable, and what it is: a queue, a table;
      `taking`: operations that take from such a first input.
    - `feeding`: operations that let what is their second input, an iterator, give what their first one makes.
    - `copying`: operations whose result has the very values of their input.
    - `converting`: operations that only change the dtype.
    - `callbacks`: operations that call back into Python.
    - `unnamed`: what a variable is called that nobody gave a name.
    - `recorder`: what it calls that which remembers operations for a gradient; `stop`: what ends one there.
    - `kinds`: its operations by what they do.
    """

    dtypes: Mapping[int, str]
    differentiable: frozenset[int]
    shape_only: frozenset[str]
    assigning: Mapping[str, int]
    storing: frozenset[str]
    reading: frozenset[str]
    holding: Mapping[str, str] = {}
    taking: frozenset[str] = frozenset()
    feeding: frozenset[str] = frozenset()
    copying: frozenset[str]
    converting: frozenset[str]
    callbacks: frozenset[str]
    unnamed: frozenset[str]
    recorder: str = "graph"
    stop: str = "detach"
    kinds: OpKinds = OpKinds()
