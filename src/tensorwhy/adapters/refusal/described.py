"""What an adapter says of its objects, and the rows in which it keeps what is special about one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.refusal import FixedSize, RefusedObject
from tensorwhy.model.location import Location, Marked
from tensorwhy.recording.locations import UserCode
from tensorwhy.source.files import Sources

_LOOKED_AT, _KINDS = 1000, 3
"""So many elements of an array of objects are looked at, and so many of their types are told."""


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """An object in the framework's words.

    `what` is the noun ("symbolic tensor"), `name` its own name, `detail` shape and dtype. `made` is the user's line,
    and `calls` the lines that led to it, outermost first, where they are known. `changeable` says whether its parts
    can be assigned; if not, `instead` says how it is done. `use` says how one computes with what is no tensor, with
    `{}` for the object. `broken` is how many of its numbers are NaN or infinite.
    """

    what: str
    name: str = ""
    detail: str = ""
    made: Location | None = None
    calls: tuple[Location, ...] = ()
    instead: str = ""
    use: str = ""
    broken: int = 0


class FrameRule(msgspec.Struct, frozen=True, kw_only=True):
    """What is special about one function of a library, which its source does not tell.

    `function` and the end of `file` name it, or several that are alike; `local` is the variable that holds the refused
    object, empty where the guard tells. `requires` completes "..., which requires". `when` looks at the frame, for
    functions that raise for several reasons. `place`: the call is refused for where it stands, below a function of
    `around`, or, without `requires`, for nothing that it was given. `settled` is what an earlier call of the program
    settled, by which an object on the stack goes (`Settings`).
    """

    function: str | tuple[str, ...]
    file: str | tuple[str, ...]
    requires: str
    local: str = ""
    advice: tuple[str, ...] = ()
    when: Callable[[Frame], bool] | None = None
    place: bool = False
    around: tuple[str, ...] = ()
    settled: str = ""

    def fits(self, frame: Frame) -> bool:
        """Return whether this is the row of a frame."""
        names = (self.function,) if isinstance(self.function, str) else self.function
        named = any(frame.name == each.lstrip("_") for each in names) and frame.file.endswith(self.file)
        return named and (self.when is None or self.when(frame))


class Kernel(msgspec.Struct, frozen=True, kw_only=True):
    """An operation that was refused below Python, with what it was given, by its argument's name where it has one.

    `used` is the user's line, `methods` are the library's classes whose code made the operation there, and `within` is
    the program's object that it belongs to. `fixed` is a size that the program fixed, and the data do not keep. `says`
    is why it failed, where that is known, and `advice` what to do. `marks` are further lines that have a part in it.
    """

    used: Location
    operation: str
    operands: tuple[tuple[str, Described], ...]
    methods: tuple[str, ...] = ()
    within: Described | None = None
    fixed: FixedSize | None = None
    says: str = ""
    advice: tuple[str, ...] = ()
    marks: tuple[Marked, ...] = ()


class NativeSide(msgspec.Struct, frozen=True):
    """One side of what decided: `text` is read from `owner`, an object of the call; None for a constant."""

    owner: Any
    text: str
    value: str


class Native(msgspec.Struct, frozen=True, kw_only=True):
    """A failed call of a library, of which it was found out what decided. `below`: Python checked nothing itself.

    `thing` was refused, beside `others`, by the layer `owner`, if it was one (`owner_text` in the user's words), or by
    the library's function `by`. `sides` stand in a `relation` (see `RefusedObject`), and `takes` is what the call was
    found to accept. `advice` may have a place `{}` for the thing, `{moved}` for `moved` and `{module}` for the layer.
    `names` are texts for objects by identity, where the user's line has none. Where nothing decided alone, `by` is
    empty, and `says` is what the call says itself. `requires` says what it takes in words, instead of the sides.
    `marks` are further lines of the program that it depends on.
    """

    thing: Any
    by: str
    others: tuple[Any, ...] = ()
    owner: Any = None
    owner_text: str = ""
    sides: tuple[NativeSide, ...] = ()
    advice: tuple[str, ...] = ()
    takes: str = ""
    below: bool = True
    names: dict[int, str] = {}
    moved: Any = None
    relation: str = "!="
    says: str = ""
    requires: str = ""
    marks: tuple[Marked, ...] = ()


def array(thing: Any) -> Described | None:
    """A NumPy array, which all frameworks take, or one of its numbers."""
    cls = type(thing)
    if (
        cls.__module__ == "numpy"
        and hasattr(cls, "dtype")
        and getattr(thing, "ndim", 1) == 0
        and cls.__name__ != "ndarray"
    ):
        return Described(what="NumPy number", detail=cls.__name__)
    if cls.__module__ != "numpy" or cls.__name__ != "ndarray":
        return None
    kinds = dict.fromkeys(type(each).__name__ for each in thing.ravel()[:_LOOKED_AT]) if thing.dtype.kind == "O" else ()
    of = f" of {', '.join(list(kinds)[:_KINDS])}" if kinds else ""
    return Described(what="array", detail=f"{thing.dtype} {tuple(thing.shape)}{of}")


Describe = Callable[[Any, UserCode], "Described | None"]


class Settings(msgspec.Struct, frozen=True):
    """What one object was given by the call at a place, by the names of that call's parameters.

    `renewed`: that call was made while another one of the object ran, and throws away what that goes on with; then
    `call` is its name, and `advice` says what to do.
    """

    at: Location
    given: Mapping[str, Any]
    renewed: bool = False
    call: str = ""
    advice: tuple[str, ...] = ()


class Batches(msgspec.Struct, frozen=True):
    """What gives batches of `size` rows, and a smaller one at its end. `advice` says what to do about that one."""

    size: int
    advice: tuple[str, ...]


class Earlier(msgspec.Struct, frozen=True):
    """The shape that a line gave before, with another rank than now, and what to do about it."""

    shape: tuple[int, ...]
    advice: tuple[str, ...] = ()


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """One adapter's part: its words for objects, its rows, and its reader of failed operations of a graph.

    `kind` is the noun for the objects of a class, empty for other classes.
    `native` finds out why a call failed that no condition in Python guards.
    `elsewhere` tells of a function of the program's that is no longer on the stack: it ran on another thread, or its
    result was refused after it had returned.
    `part` describes what a model is made of: a layer, a metric, a loss; nothing else.
    `settings` tells what an earlier call of the program gave an object to keep.
    `tensor` is the class of the framework's tensors: what a plain number or array was taken for.
    `behind` gives what a library computed an object from on the same line of the user's, where that came from others.
    `earlier` is given places with the shapes that their lines gave now. It tells of the first that gave another rank
    before: which one it is, and what that was.
    `batches` tells how many rows something gives at a time that a loop goes over, if its last batch may have fewer.
    """

    describe: Describe
    libraries: tuple[str, ...] = ()
    rules: tuple[FrameRule, ...] = ()
    kernel: Callable[[tuple[BaseException, ...], Stack, UserCode], Kernel | None] | None = None
    behind: Callable[[Any, UserCode], Iterable[Any]] | None = None
    kind: Callable[[type], str] | None = None
    native: Callable[[Stack, Sources, UserCode], Native | None] | None = None
    is_kernel_error: Callable[[BaseException], bool] | None = None
    elsewhere: Callable[[LiveFailure, UserCode], RefusedObject | None] | None = None
    part: Callable[[Any, UserCode], Described | None] | None = None
    settings: Callable[[Any], Settings | None] | None = None
    tensor: type | None = None
    batches: Callable[[Any], Batches | None] | None = None
    earlier: Callable[[Sequence[tuple[Location, tuple[int, ...]]]], tuple[int, Earlier] | None] | None = None
