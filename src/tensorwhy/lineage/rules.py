"""What the lineage must know of the framework, handed in by the adapter as plain values and one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from tensorwhy.model.location import Location
from tensorwhy.model.optable import OpFacts
from tensorwhy.model.question import Function, Variable


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The framework's rules.

    - `dtypes`: the names of dtype numbers; `differentiable`: those through which a tape records.
    - `op(name, inputs, outputs)`: the facts of an operation called with flat inputs of these dtypes (None: unknown)
      that gave outputs of these. The name is that of the journal, with all that follows a bar.
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
    - `unnamed`: what a variable is called that nobody gave a name;
    - `functions`, `variables`: what was registered while recording, by name and by handle;
    - `assembled`: for a tensor that a part of a model gave out, the user's line that put this part into the model;
      `part`: where the part is ready-made, its name and the user's line that made it.
    - `collected`: for a tensor that a library was handed to be added to the loss, the user's line that did so.
    """

    dtypes: Mapping[int, str]
    differentiable: frozenset[int]
    op: Callable[[str, tuple[str | None, ...], tuple[str | None, ...]], OpFacts]
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
    functions: Mapping[str, Function]
    variables: Mapping[int, Variable]
    assembled: Callable[[int], Location | None] = lambda tensor: None
    part: Callable[[int], tuple[str, Location] | None] = lambda tensor: None
    collected: Callable[[int], Location | None] = lambda tensor: None
