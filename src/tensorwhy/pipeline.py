"""The only place that wires the stages: adapters observe, reasons explain, and a report comes out.

The user's program is never disturbed: whatever fails in here costs coverage, which the report names.
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tensorwhy.recording.importing import ImportWatch
from tensorwhy.recording.locations import UserCode
from tensorwhy.recording.unlinking import unlink

if TYPE_CHECKING:
    from collections.abc import Callable

    from tensorwhy.adapters.protocol import Adapter, LiveFailure, RecordMode, Rehearsal, Session, Traceable
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.facts import Fact
    from tensorwhy.model.history import History
    from tensorwhy.model.report import Diagnosis, Report, VariableView
    from tensorwhy.traces.tracing import Tracing

Found = TypeVar("Found")
_REMEMBERED = 8
"""So many ended observations can still be asked, as long as somebody holds them."""
_DRAWN = 2_000
"""Nodes that the lineage of one diagnosis has in a report."""
_RUNNING: list[Observation] = []
_ENDED: list[weakref.ref[Observation]] = []
_WRITING = "writing the trace"
_NOT_FAILURES = (SystemExit, KeyboardInterrupt, GeneratorExit)


def _silently(doing: str) -> None:
    """For those whom nobody watches."""


class Observation:
    """Observes a program from `start` to `finish`. All methods are safe to call from any state, and none raises.

    A child process that was forked meanwhile inherits the object; there it does nothing.
    """

    def __init__(
        self,
        user: UserCode | None = None,
        record: RecordMode = "auto",
        program: str = "",
        argv: tuple[str, ...] = (),
        experiments: bool = False,
        trace: str | None = None,
        rehearsal: Rehearsal | None = None,
        keep_steps: int | None = None,
    ) -> None:
        self._user = user or UserCode()
        self._record = record
        self._program = program
        self._argv = argv
        self._experiments = experiments
        self._trace_path = trace
        self._keep_steps = keep_steps
        self._tracing: Tracing | None = None
        self._rehearsal = rehearsal
        self._pid = os.getpid()
        self._watch: ImportWatch | None = None
        self._attached: list[tuple[Adapter, Session]] = []
        self._past: tuple[tuple[Adapter, Session], ...] = ()
        self._uninstall: list[Callable[[], None]] = []
        self._groups: list[CaseGroup] = []
        self._seen: list[int] = []
        self._lost: dict[str, None] = {}
        self._finished = False

    def start(self) -> None:
        """Wait for the program to import a framework; attach at once to what has been imported already."""
        if self._trace_path is not None:
            with self._bulkhead(_WRITING):
                from tensorwhy.traces.tracing import Tracing

                guard = functools.partial(self._bulkhead, _WRITING)
                self._tracing = Tracing(self._trace_path, self._program, self._argv, _version(), guard)
                self._tracing.begin()
        with self._bulkhead("observing imports"):
            from tensorwhy.adapters import registry

            modules = {module for adapter in registry.discover() for module in adapter.modules}
            self._watch = ImportWatch(modules, self._imported)
            self._watch.start()
        self._watch_threads()
        _RUNNING.append(self)

    def failed(self, exception: BaseException) -> None:
        """Look at an exception that nobody caught, while its frames and everything in them are alive.

        Frames of our own hooks are then taken out of its traceback.
        """
        if self._foreign() or isinstance(exception, _NOT_FAILURES) or id(exception) in self._seen:
            return
        self._seen.append(id(exception))
        with self._bulkhead("looking at the exception"):
            from tensorwhy.adapters.failures import live_failure
            from tensorwhy.model.casegroup import CaseGroup
            from tensorwhy.model.report import Symptom

            live = live_failure(exception, self._user)
            facts = tuple(fact for adapter, _ in self._attached for fact in self._probe(adapter, live))
            record = live.record
            name = record.exception.rpartition(".")[2]
            message = f"{name}: {record.message}" if record.message else name
            symptom = Symptom(kind="exception", message=message, location=record.location)
            self._groups.append(CaseGroup(symptom=symptom, facts=facts, failure=record))
        with self._bulkhead("tidying the traceback"):
            unlink(exception, self._user.hidden.__contains__)

    def finish(self, exit_code: int = 0, tell: Callable[[str], None] = _silently) -> Report:
        """Stop observing and explain. Called once, at the end of the program. `tell` hears what is being done."""
        # A program that broke off did not lose in silence: what it never reached says nothing.
        report = self._report(exit_code, silent=not self._groups, last=True, tell=tell)
        if self._tracing is not None:
            report = self._tracing.end(report, lambda: tuple(each for each in self._lost if each.startswith(_WRITING)))
        self.close()
        return report

    def pause(self) -> None:
        """See nothing until `resume`."""
        for adapter, session in () if self._foreign() else tuple(self._attached):
            with self._bulkhead(f"pausing {adapter.name}"):
                session.pause()

    def resume(self) -> None:
        """Observe again."""
        for adapter, session in () if self._foreign() else tuple(self._attached):
            with self._bulkhead(f"recording on with {adapter.name}"):
                session.resume()

    def so_far(self) -> Report:
        """Explain what was seen since the last call, and go on observing: a notebook has no end.

        What is lost in silence is left out, because what comes next can still make good of it.
        """
        report = self._report(1 if self._groups else 0, silent=False)
        self._groups.clear()
        self._seen.clear()
        self.resume()
        return report

    def about(self, thing: Any = None) -> Report:
        """Explain the recorded gradient questions about one tensor (None: the last one); observing goes on."""
        groups: list[CaseGroup] = []
        for adapter, session in self._sessions():
            with self._bulkhead(f"reading what {adapter.name} recorded"):
                groups += session.about(thing)
        return self._explanation(groups)

    def ask(self, target: Any, sources: list[Any], tape: Any) -> tuple[Report, tuple[int, ...]] | None:
        """Would `tape` give these gradients, and why not? The report, and the positions of the sources that get one."""
        for adapter, session in self._sessions():
            with self._bulkhead(f"asking {adapter.name} for a gradient"):
                asked = session.ask(target, sources, tape)
                if asked is not None:
                    return self._explanation(list(asked.groups)), asked.arrive
        return None

    def history(self, thing: Any, limit: int) -> History | None:
        """What this observation, and the tensor itself, know of how it came to be."""
        for adapter, session in self._sessions():
            with self._bulkhead(f"the history that {adapter.name} knows"):
                found = _history(adapter, thing, session, self._user, limit)
                if found is not None:
                    return found
        return None

    def _sessions(self) -> tuple[tuple[Adapter, Session], ...]:
        return () if os.getpid() != self._pid else tuple(self._attached) or self._past

    def _explanation(self, groups: list[CaseGroup]) -> Report:
        from tensorwhy.model.report import Coverage, Environment, Program, Report

        diagnoses: tuple[Diagnosis, ...] = ()
        excerpts: dict[str, dict[int, str]] = {}
        if groups:
            with self._bulkhead("explaining"):
                diagnoses, excerpts = self._explain(groups)
        coverages = [session.coverage() for _, session in self._sessions()]
        return Report(
            tool_version=_version(),
            program=Program(path=self._program, argv=self._argv),
            environment=Environment(python=platform.python_version(), frameworks=self._versions()),
            diagnoses=diagnoses,
            coverage=Coverage(
                recorded_ops=sum(each.recorded_ops for each in coverages),
                steps_recorded=max((each.steps_recorded for each in coverages), default=0),
                unobserved=tuple(self._lost),
            ),
            excerpts=excerpts,
        )

    def _report(
        self, exit_code: int, silent: bool, last: bool = False, tell: Callable[[str], None] = _silently
    ) -> Report:
        from tensorwhy.model.report import Coverage, Environment, Program, Report

        groups = list(self._groups)
        operations = steps = 0
        for adapter, session in () if self._foreign() else tuple(self._attached):
            with self._bulkhead(f"reading what {adapter.name} recorded"):
                tell("reading what was recorded")
                for group in session.facts():
                    groups.append(group)
                    tell(f"explaining what was lost, and checking it: {len(groups)} so far")
            if silent:
                tell("looking for what was lost in silence")
                with self._bulkhead(f"auditing what {adapter.name} saw"):
                    groups += self._audit(adapter, session)
            with self._bulkhead(f"the coverage of {adapter.name}"):
                coverage = session.coverage()
                operations, steps = operations + coverage.recorded_ops, max(steps, coverage.steps_recorded)
                self._lost.update(dict.fromkeys(coverage.unobserved))
        variables = self._fates() if last else ()
        versions = self._versions()
        diagnoses: tuple[Diagnosis, ...] = ()
        excerpts: dict[str, dict[int, str]] = {}
        if groups:
            # The catalogue is loaded only for something to explain: a healthy program does not pay for it.
            tell(f"putting {len(groups)} findings into words")
            with self._bulkhead("explaining"):
                diagnoses, excerpts = self._explain(groups)
        if variables and diagnoses:
            from tensorwhy.diagnosis.fates import joined

            variables = joined(variables, diagnoses)
        unobserved = tuple(self._lost)
        if not self._attached and not unobserved:
            unobserved = ("the program imported neither TensorFlow nor Keras",)
        return Report(
            tool_version=_version(),
            program=Program(path=self._program, argv=self._argv, exit_code=exit_code),
            environment=Environment(python=platform.python_version(), frameworks=versions),
            diagnoses=diagnoses,
            variables=variables,
            coverage=Coverage(recorded_ops=operations, steps_recorded=steps, unobserved=unobserved),
            excerpts=excerpts,
        )

    def _explain(self, groups: list[CaseGroup]) -> tuple[tuple[Diagnosis, ...], dict[str, dict[int, str]]]:
        from tensorwhy.diagnosis.engine import diagnose
        from tensorwhy.diagnosis.excerpts import excerpts
        from tensorwhy.reasons import catalogue
        from tensorwhy.recording.sources import Sources

        sources = Sources()
        diagnosed = diagnose(groups, catalogue(), sources)
        self._lost.update(dict.fromkeys(diagnosed.lost))
        return tuple(map(_bounded, diagnosed.diagnoses)), excerpts(diagnosed.diagnoses, sources)

    def close(self) -> None:
        """Take every hook out, the last one first."""
        if self._finished:
            return
        self._finished = True
        if self in _RUNNING:
            _RUNNING.remove(self)
            _ENDED[:] = [each for each in _ENDED if each() is not None][-_REMEMBERED:]
            _ENDED.append(weakref.ref(self))
        if self._watch is not None:
            self._watch.stop()
        for uninstall in reversed(self._uninstall):
            with self._bulkhead("removing a hook"):
                uninstall()
        for adapter, session in reversed(self._attached):
            with self._bulkhead(f"closing {adapter.name}"):
                session.close()
        self._uninstall.clear()
        self._past = tuple(self._attached)
        self._attached.clear()
        self._groups.clear()

    def _imported(self, module: str) -> None:
        from tensorwhy.adapters import registry
        from tensorwhy.adapters.protocol import Bounded, Experimenting, Rehearsing, Traceable

        for adapter in registry.discover():
            known = any(adapter is other for other, _ in self._attached)
            if known or module not in adapter.modules or self._foreign():
                continue
            with self._bulkhead(f"observing {adapter.name}"):
                if adapter.applies(module):
                    session = adapter.attach(self._user, self._record)
                    self._attached.append((adapter, session))
                    if self._keep_steps is not None and isinstance(session, Bounded):
                        session.keep_steps(self._keep_steps)
                    if self._experiments and isinstance(session, Experimenting):
                        session.keep_for_experiments()
                    if self._tracing is not None and isinstance(session, Traceable):
                        self._trace(self._tracing, session)
                    if self._rehearsal is not None and isinstance(session, Rehearsing):
                        session.rehearse(self._rehearsal)
                    for name, load in registry.stamps(adapter):
                        with self._bulkhead(name.removeprefix("tensorwhy.adapters.")):
                            self._uninstall.append(load()(self._user))

    def _trace(self, tracing: Tracing, session: Traceable) -> None:
        def explain() -> Report:
            return self._explanation(list(session.lost_so_far()))

        tracing.follow(session.recorded, session.tell_steps, explain)

    def _probe(self, adapter: Adapter, live: LiveFailure) -> list[Fact]:
        from tensorwhy.adapters import registry

        return self._walk(registry.probes(adapter), live)

    def _audit(self, adapter: Adapter, session: Session) -> Iterator[CaseGroup]:
        from tensorwhy.adapters import registry
        from tensorwhy.model.casegroup import CaseGroup
        from tensorwhy.model.report import Symptom

        for found in self._walk(registry.audits(adapter), session):
            if isinstance(found, CaseGroup):
                yield found
            else:
                yield CaseGroup(symptom=Symptom(kind="silent"), facts=(found,))

    def _fates(self) -> tuple[VariableView, ...]:
        """How the variables of the program fared."""
        from tensorwhy.adapters.protocol import Training

        found: list[VariableView] = []
        for adapter, session in () if self._foreign() else tuple(self._attached):
            if isinstance(session, Training):
                with self._bulkhead(f"the variables that {adapter.name} saw"):
                    found += session.fates()
        return tuple(found)

    def _walk(
        self, modules: Iterable[tuple[str, Callable[[], Callable[[Any], Iterable[Found]]]]], given: object
    ) -> list[Found]:
        """What every function of a folder says; one that fails, or cannot be loaded, costs only its own answer."""
        found: list[Found] = []
        for name, load in modules:
            with self._bulkhead(name.removeprefix("tensorwhy.adapters.")):
                found += load()(given)
        return found

    def _watch_threads(self) -> None:
        before = threading.excepthook

        def excepthook(args: threading.ExceptHookArgs) -> None:
            if args.exc_value is not None and not self._finished:
                self.failed(args.exc_value)
            before(args)

        def restore() -> None:
            if threading.excepthook is excepthook:
                threading.excepthook = before

        threading.excepthook = excepthook
        self._uninstall.append(restore)

    def _versions(self) -> dict[str, str]:
        versions: dict[str, str] = {}
        for adapter, _ in self._sessions():
            with self._bulkhead(f"the version of {adapter.name}"):
                versions |= adapter.versions()
        return versions

    def _foreign(self) -> bool:
        return self._finished or os.getpid() != self._pid

    @contextlib.contextmanager
    def _bulkhead(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".strip().splitlines()[0]
            self._lost[f"{what} failed: {reason}{_own_line(error.__traceback__)}"] = None


def observations() -> tuple[Observation, ...]:
    """What observes this process now, the innermost first, then what did and is still held by somebody."""
    ended = [each() for each in reversed(_ENDED)]
    return (*reversed(_RUNNING), *(each for each in ended if each is not None))


def running() -> bool:
    """Whether something observes this process now."""
    return bool(_RUNNING)


@contextlib.contextmanager
def unobserved() -> Iterator[None]:
    """What runs inside is tensorwhy's own doing, and none of the running observations sees it."""
    here = tuple(_RUNNING)
    for observation in here:
        observation.pause()
    try:
        yield
    finally:
        for observation in reversed(here):
            observation.resume()


def history(thing: Any, limit: int) -> History | None:
    """The history of a tensor, from the observation that knows most of it; None when it is no tensor."""
    from tensorwhy.adapters import registry

    best: History | None = None
    for observation in observations():
        found = observation.history(thing, limit)
        if found is not None and found.made is not None:
            return found
        best = best or found
    if best is not None:
        return best
    for adapter in registry.discover():
        if any(module in sys.modules and adapter.applies(module) for module in adapter.modules):
            found = _history(adapter, thing, None, UserCode(), limit)
            if found is not None:
                return found
    return None


def _history(adapter: Adapter, thing: Any, session: Session | None, user: UserCode, limit: int) -> History | None:
    from tensorwhy.adapters import registry

    ancestry = registry.ancestry(adapter)
    return ancestry(thing, session, user, limit) if ancestry is not None else None


def _bounded(diagnosis: Diagnosis) -> Diagnosis:
    """With a lineage of a size that a report can hold: long stretches in which nothing happens become summaries."""

    from tensorwhy.rendering.html.lineage import summarise

    if diagnosis.lineage is None or len(diagnosis.lineage.nodes) <= _DRAWN:
        return diagnosis
    return msgspec.structs.replace(diagnosis, lineage=summarise(diagnosis.lineage, _DRAWN))


def _own_line(tb: TracebackType | None) -> str:
    """Where in tensorwhy the failure happened, for the report that a user sends us."""
    where = ""
    folder = os.path.dirname(os.path.abspath(__file__))
    while tb is not None:
        file = tb.tb_frame.f_code.co_filename
        if file.startswith(folder):
            where = f" ({os.path.relpath(file, folder)}:{tb.tb_lineno})"
        tb = tb.tb_next
    return where


def _version() -> str:
    from tensorwhy import __version__

    return __version__
