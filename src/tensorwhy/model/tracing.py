"""One row per trace: which function was traced, by which call, with what, what it made, and what it cost.

A traced function runs its Python code once for each signature that it is called with. So a question about a trace is
always one of these: why was it made, what did it freeze, and what did it leave behind?
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.location import Location


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One value that a function was traced with. Values in a structure are arguments of their own: `batch['x']`.

    A tensor has `dtype` and `shape`, a plain Python value is `shown` as Python writes it. Of any other object `shown`
    is its type, and `identity` tells it from others of that type; `created` is where a callable is defined.
    """

    name: str
    kind: Literal["tensor", "variable", "value", "object"]
    shown: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    identity: int = 0
    created: Location | None = None


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """A plain Python value that a trace read, as Python writes it, and what it is by now; empty where that is gone."""

    name: str
    at: Location
    then: str
    now: str = ""


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """One trace of one function.

    `defined` is None for functions of a library; `of` is then the class of the object that it was made for, which was
    made at `of_made`. `owner` numbers the traced function object, `instance` the object
    whose method it is. `calls` counts the calls that ran its graph from outside of other graphs. `within`: it was
    traced while another function was. `failed`: an exception ended it. `reads` are the Python values that are now in
    its graph, `variables` the places where it created variables, `escaped` says who holds tensors of it. `begun` and
    `seconds` are times of a clock that never goes back.
    """

    function: str
    defined: Location | None = None
    called: Location | None = None
    owner: int = 0
    instance: int = 0
    arguments: tuple[Argument, ...] = ()
    begun: float = 0.0
    seconds: float = 0.0
    calls: int = 0
    within: bool = False
    failed: bool = False
    reads: tuple[Read, ...] = ()
    variables: tuple[Location, ...] = ()
    escaped: tuple[str, ...] = ()
    of: str = ""
    of_made: Location | None = None


Why = Literal["first", "value", "object", "shape", "dtype", "structure", "function", "variables", "unknown"]
"""Why a function was traced (again).

- `first`: it had not been traced before;
- `value`, `object`, `shape`, `dtype`: an argument has another one than in every earlier trace;
- `structure`: it got other arguments;
- `function`: the traced function is a new object, made of the same code;
- `variables`: the earlier trace created the variables, so that a second one had to use them;
- `unknown`: nothing that was looked at differs.
"""


class Anew(msgspec.Struct, frozen=True, kw_only=True):
    """Why a trace was made: the argument that differs, from the most similar earlier trace."""

    why: Why
    before: Argument | None = None
    now: Argument | None = None
