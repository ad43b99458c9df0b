"""What an adapter offers to the pipeline.

An adapter is a package `adapters/<name>/` with a module `adapter.py` that has `ADAPTER`, an object of this protocol.
Beside it, these are walked by name, so that a new probe or audit is one new file. What a folder's `ELSEWHERE` lists is
a function like those in it, in a module that has another job as well: its place below `adapters`, and its name.

- `import_hooks/` (or one `import_hooks.py`): `install(user: UserCode) -> Callable[[], None]`, called when the framework
  has been imported; it returns a function that removes the hooks;
- `probes/`: `probe(live: LiveFailure) -> Iterable[Fact]`, called once an exception has failed the program, while its
  frames and objects are alive;
- `audits/`: `audit(session) -> Iterable[Fact | CaseGroup]`, called once at the end of a run, for what was lost in
  silence. A bare fact stands for a silent symptom; a `CaseGroup` says what the user saw;
- `refusals.py`: `VOCABULARY`, the adapter's words for its objects where a library refuses them, and the rows of data
  about functions of its framework (`adapters/refusal`);
- `ancestry.py`: `ancestry(thing, session, user: UserCode, limit: int) -> History | None`, called when somebody asks for
  the history of a tensor; None when it is not this framework's;
- `selftest.py`: `selftest() -> Iterable[Check]`, called by `tensorwhy doctor` in a process without a user's program: it
  imports the framework and tries the hooks.

`adapter.py` itself is loaded before the user's program starts: it imports no framework. The other modules are loaded
once the framework is there, so they may import it at their top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import msgspec

from tensorwhy.adapters.stack import Frame, Stack, UserFrame, UserStack, joined, whole
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.failure import Failure
from tensorwhy.model.inquiry import Seen, Subject
from tensorwhy.model.location import Location
from tensorwhy.model.report import Coverage, VariableView
from tensorwhy.model.tracing import Trace
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.stepped import Recorded, Stepped

if TYPE_CHECKING:
    from tensorwhy.model.history import History

RecordMode = Literal["auto", "full", "off"]


class LiveFailure(msgspec.Struct, frozen=True, kw_only=True):
    """An exception while everything it touched is still alive.

    `stacks` has one entry for each exception of the chain, the raised one first, then causes and contexts, each with
    the frames that it passed through. `record` is the same in neutral words.
    """

    stacks: tuple[Stack, ...]
    record: Failure
    user: UserCode

    @property
    def exceptions(self) -> tuple[BaseException, ...]:
        """The chain, the raised one first."""
        return tuple(stack.exception for stack in self.stacks)

    @property
    def frames(self) -> tuple[tuple[Frame, ...], ...]:
        """The frames of each exception of the chain."""
        return tuple(stack.frames for stack in self.stacks)

    def whole(self) -> Iterator[Stack]:
        """The exceptions with all of their callers, the one raised first (the root) first."""
        return whole(self.stacks, self.user)

    def joined(self) -> Stack:
        """The frames of the whole chain as one stack."""
        return joined(self.stacks)

    def innermost_first(self) -> Iterator[Frame]:
        """The frames of the whole chain, innermost exception first, innermost frame first."""
        return (frame for stack in reversed(self.stacks) for frame in reversed(stack.frames))

    def user_frames(self) -> tuple[UserFrame, ...]:
        """All frames of the chain that run the user's code, each once, in that order."""
        own = (frame for frame in self.innermost_first() if isinstance(frame, UserFrame))
        return tuple({id(frame.frame): frame for frame in own}.values())

    def roots(self) -> Iterator[UserStack]:
        """The stacks that the user's code is in, the one raised first (the root) first."""
        return (UserStack(each.exception, each.frames) for each in reversed(self.stacks) if each.own is not None)


class Session(Protocol):
    """One recording by one adapter: from the framework's import to the end of the program."""

    def facts(self) -> Iterable[CaseGroup]:
        """What was recorded since the last call, as questions with their facts. Recording stops."""
        ...

    def pause(self) -> None:
        """See nothing until `resume`: what comes is not the program's own doing."""
        ...

    def resume(self) -> None:
        """Record on after `facts` or `pause`. What was recorded before counts: a notebook goes on cell by cell."""
        ...

    def about(self, thing: Any) -> Iterable[CaseGroup]:
        """What was recorded of the gradient questions that `thing` is a source or target of (None: of the last one).

        Recording goes on, and `facts` will still tell of them.
        """
        ...

    def coverage(self) -> Coverage:
        """How much was recorded and what was not."""
        ...

    def close(self) -> None:
        """Take every hook out and let go of everything. Called once, last."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A session that can let go of old steps."""

    def keep_steps(self, steps: int) -> None:
        """From now on, keep the last `steps` steps, and those in which something was lost."""
        ...


@runtime_checkable
class Experimenting(Protocol):
    """A session that can check its explanations by experiment."""

    def keep_for_experiments(self) -> None:
        """Keep what experiments need from now on, within bounds, and make them when `facts` is called."""
        ...


class Rehearsal(msgspec.Struct):
    """A run that is made only to be looked at: it begins with fixed seeds, and ends when enough was seen.

    The program is interrupted soon after it came as far as was asked for, by place (`file:line`): `until` so many
    answers of a gradient question, `train` so many steps of it, in eager code or by running a traced function, or
    `begin` so many times a statement, and then as long as it took there (`patience`, in seconds). Without any of those
    it runs to its end.

    The run fills in the others, by place too: `values` are what the targets added up to when they were asked for first,
    `answers` how often they were asked for, `lost` the answer that was the last to lose something new, `zero` the one
    by which zeros were known, `steps` how many steps were made. `begun` is how often the statements of `begin` were
    begun; without any, the statements at which the program failed, and `took` the seconds that they needed for it.
    """

    until: dict[str, int] = {}
    train: dict[str, int] = {}
    begin: dict[str, int] = {}
    patience: float = 0.0
    values: dict[str, float] = {}
    answers: dict[str, int] = {}
    lost: dict[str, int] = {}
    zero: dict[str, int] = {}
    steps: dict[str, int] = {}
    begun: dict[str, int] = {}
    took: float = 0.0


@runtime_checkable
class Rehearsing(Protocol):
    """A session that can be told that a run is made only to be looked at."""

    def rehearse(self, rehearsal: Rehearsal) -> None:
        """Begin with fixed seeds; interrupt the program when all its questions were answered often enough."""
        ...


@runtime_checkable
class Training(Protocol):
    """A session that saw the variables of a training."""

    def variable_histories(self) -> Iterable[VariableView]:
        """How each variable fared over the steps that were looked at, at the end of the run."""
        ...


@runtime_checkable
class Traceable(Protocol):
    """A session whose recording can be written out while the program runs."""

    def recorded(self) -> Recorded:
        """A view of everything that was recorded so far."""
        ...

    def tell_steps(self, take: Callable[[Stepped], None]) -> None:
        """Have `take` called after each gradient call from now on."""
        ...


@runtime_checkable
class Inquirable(Protocol):
    """A session that can be asked about a variable, a tensor or a line, healthy or not."""

    def attend(self) -> None:
        """Somebody will ask: keep more numbers from now on than a report needs."""
        ...

    def subjects(self) -> Iterable[Subject]:
        """Everything that has a name or a line of its own: variables, and calls that ask for or apply gradients."""
        ...

    def made_at(self, wanted: Callable[[Location], bool]) -> Iterable[Subject]:
        """The tensors that were computed at the lines that are wanted, the last one of each line."""
        ...

    def lines(self) -> Iterable[Location]:
        """The lines of the user's at which something was recorded."""
        ...

    def seen(self, subject: Subject) -> Iterable[Seen]:
        """What was seen of a subject, for each gradient question that the program asked of it."""
        ...

    def would(self, target: Any, sources: list[Any], recorder: Any) -> Iterable[Seen] | None:
        """The same for a question that the program did not ask. None when that was not recorded. Runs nothing."""
        ...

    def subject(self, thing: Any) -> Subject | None:
        """The live variable or tensor as a subject; None when it is not this framework's, or is not known."""
        ...


@runtime_checkable
class Tracing(Protocol):
    """A session whose framework traces functions."""

    def traces(self) -> Iterable[Trace]:
        """One row per trace so far, in their order."""
        ...


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One hook, tried. `detail` says what goes unobserved when it does not work."""

    name: str
    works: bool
    detail: str = ""


Ancestry = Callable[[Any, Any, UserCode, int], "History | None"]
Probe = Callable[[LiveFailure], Iterable[Fact]]
Audit = Callable[[Any], Iterable["Fact | CaseGroup"]]
Install = Callable[[UserCode], Callable[[], None]]


class Adapter(Protocol):
    """A framework, as the pipeline sees it. Nothing here imports the framework before the user has.

    `name` is the name of the adapter's folder. `modules` are the top-level modules whose import brings the adapter to
    life. Two adapters may name the same module (`keras` is Keras 2 or 3): `applies` decides, once it has been imported.
    """

    name: str
    modules: tuple[str, ...]

    def applies(self, module: str) -> bool:
        """Whether this imported module is one that the adapter knows."""
        ...

    def versions(self) -> dict[str, str]:
        """Names and versions of what was imported, for the report: {"tensorflow": "2.21.0"}."""
        ...

    def attach(self, user: UserCode, record: RecordMode) -> Session:
        """Start to observe. Called once, when the framework has been imported completely."""
        ...


@runtime_checkable
class Sharing(Protocol):
    """An adapter of one generation of a framework: what the generations have in common takes that as a parameter.

    `shared` is the folder below `adapters` with their `refusals` and `ancestry`.
    """

    generation: int
    shared: str

    def shared_probes(self) -> Iterable[tuple[str, str]]:
        """Modules below `adapters`, each with a function `(live, generation) -> Iterable[Fact]`."""
        ...

    def shared_audits(self) -> Iterable[tuple[str, str]]:
        """Modules below `adapters`, each with a function `(session, generation) -> Iterable[Fact]`."""
        ...
