"""A question that the program itself asked: a gradient of a target with respect to sources."""

from __future__ import annotations

import msgspec

from tensorwhy.model.location import Location


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One source of a gradient question. `tensor` is the journal's id (for a variable: of its resource handle).

    `made` is where something that is no tensor at all got its name.
    """

    tensor: int
    variable: bool = False
    trainable: bool | None = None
    name: str = ""
    dtype: str = ""
    differentiable_dtype: bool = True
    shape: tuple[int | None, ...] | None = None
    position: int = 0
    made: Location | None = None


class GradientQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One call of `tape.gradient` (or of what is built on it) whose answer held a None or a zero.

    `event` is its row in the journal, `place` the journal's number of the user's line, `tape` the tape's serial number.
    `sources` are those that got None, and `all_sources` are the tensors of all `asked` ones. `error` is the exception's
    type, when there was no answer at all. `warned` says that the framework itself warned of the None, or refused it.
    `callers` are the user's calls that led to the question, innermost first.
    """

    event: int
    place: int = -1
    tape: int
    targets: tuple[int, ...]
    sources: tuple[Source, ...]
    asked: int
    all_sources: tuple[int, ...] = ()
    error: str = ""
    location: Location | None
    callers: tuple[Location, ...] = ()
    warned: bool = False
    in_callback: bool = False


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a variable, by its handle's id."""

    tensor: int
    name: str = ""
    dtype: str = ""
    shape: tuple[int | None, ...] | None = None
    trainable: bool | None = None
    created: Location | None = None


class Function(msgspec.Struct, frozen=True, kw_only=True):
    """A traced function by the name that calls use: the ids of its inputs and outputs inside its graph, in order."""

    name: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
