"""One observation of a program, from its start to its report."""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import threading
import weakref
from typing import TYPE_CHECKING, Any

import msgspec

from tensorwhy.pipeline import reading
from tensorwhy.pipeline.budget import Allowance, bounded, by_clock
from tensorwhy.pipeline.children import Children, in_words
from tensorwhy.pipeline.explaining import SECONDS, Explained, explained
from tensorwhy.pipeline.internal_errors import InternalErrors
from tensorwhy.pipeline.notebooks import readable
from tensorwhy.pipeline.passing import Passing
from tensorwhy.recording.importing import ImportWatch, uncollected
from tensorwhy.recording.interruptions import Interruptions, held_back
from tensorwhy.recording.locations import UserCode, is_hook
from tensorwhy.recording.unlinking import leave_out, unlink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType

    from tensorwhy.adapters.protocol import Adapter, Inquirable, RecordMode, Rehearsal, Session
    from tensorwhy.model.casegroup import CaseGroup
    from tensorwhy.model.history import History
    from tensorwhy.model.inquiry import Seen
    from tensorwhy.model.report import Report, Symptom, VariableView
    from tensorwhy.pipeline.ask import Asking, Question
    from tensorwhy.traces.tracing import Tracing

_WRITING = "writing the trace"
_LEAST = 1.5
"""Seconds of the processor for putting the findings into words, however long it took to find them."""
_FEW = 20
_NOT_FAILURES = (SystemExit, KeyboardInterrupt, GeneratorExit)


def _inquirable(attached: Sequence[tuple[Adapter, Session]]) -> list[Inquirable]:
    """The sessions that can be asked about one thing."""
    from tensorwhy.adapters.protocol import Inquirable

    return [session for _, session in attached if isinstance(session, Inquirable)]


def _silently(doing: str) -> None:
    """For those whom nobody watches."""


class Observation:
    """Observes a program from `start` to `finish`. All methods are safe to call from any state, and none raises.

    `dying` is told of a signal that ends the process at once; `bottom` is the code of the frame below the program.
    A child process that was forked meanwhile inherits the object; there it does nothing.
    """

    def __init__(
        self,
        user: UserCode | None = None,
        record: RecordMode = "auto",
        program: str = "",
        argv: tuple[str, ...] = (),
        experiments: bool = True,
        trace: str | None = None,
        rehearsal: Rehearsal | None = None,
        keep_steps: int | None = None,
        ask: Sequence[Question] = (),
        observed: Callable[[], int] | None = None,
        dying: Callable[[int], None] | None = None,
        bottom: CodeType | None = None,
    ) -> None:
        self._user = user or UserCode()
        self._interruptions = Interruptions(self._user, bottom, dying)
        self._record = record
        self._program = program
        self._argv = argv
        self._experiments = experiments
        self._trace_path = trace
        self._keep_steps = keep_steps
        self._ask = ask
        self._observed = observed
        self._tracing: Tracing | None = None
        self._rehearsal = rehearsal
        self._passing: Passing | None = None
        self._pid = os.getpid()
        self._watch: ImportWatch | None = None
        self._attached: list[tuple[Adapter, Session]] = []
        self._past: tuple[tuple[Adapter, Session], ...] = ()
        self._uninstall: list[Callable[[], None]] = []
        self._groups: list[CaseGroup] = []
        self._seen: list[int] = []
        self._failed_over_nan: Symptom | None = None
        self._errors = InternalErrors()
        self._children = Children()
        self._finished = False

    @property
    def children(self) -> int:
        """How many Python processes the program has started."""
        return self._children.count()

    @uncollected()
    def start(self) -> None:
        """Wait for the program to import a framework; attach at once to what has been imported already."""
        if self._trace_path is not None:
            with self._errors.bulkhead(_WRITING):
                from tensorwhy import __version__
                from tensorwhy.traces.tracing import Tracing

                guard = functools.partial(self._errors.bulkhead, _WRITING)
                self._tracing = Tracing(self._trace_path, self._program, self._argv, __version__, guard)
                self._tracing.begin()
        with self._errors.bulkhead("observing imports"):
            from tensorwhy.adapters import registry

            modules = {module for adapter in registry.discover() for module in adapter.modules} | {"subprocess"}
            self._children.start()
            self._watch = ImportWatch(modules, self._imported)
            self._watch.start()
        self._watch_threads()
        _began(self)

    def left(self, leaving: SystemExit) -> None:
        """Look at the exception that the program was handling when it gave up: `except Exception: sys.exit(1)`.

        One that nothing can be said of may be what the program expects, and is passed over.
        """
        reason = leaving.__cause__ or leaving.__context__
        if isinstance(reason, Exception):
            self.failed(reason, unexplained=False)

    @uncollected()  # a collection takes longer than all of this
    def failed(self, exception: BaseException, unexplained: bool = True) -> None:
        """Look at an exception that ended the program, while its frames and everything in them are alive.

        Frames of our own hooks are then taken out of its traceback. `unexplained` keeps one without facts, too.
        """
        if self._foreign() or id(exception) in self._seen:
            return
        if not isinstance(exception, _NOT_FAILURES):
            self._look_at(exception, unexplained)
        with self._errors.bulkhead("tidying the traceback"):
            unlink(exception, is_hook)

    def _look_at(self, exception: BaseException, unexplained: bool) -> None:
        self._seen.append(id(exception))
        if self._passing is not None:
            with self._errors.bulkhead("counting statements"):
                self._passing.failed(exception.__traceback__)
        with self._errors.bulkhead("looking at the exception"):
            from tensorwhy.adapters.failures import live_failure
            from tensorwhy.model.casegroup import CaseGroup
            from tensorwhy.model.report import Symptom

            live = live_failure(exception, self._user)
            facts = reading.probed(self._attached, live, self._errors)
            refused = reading.refused(self._attached, live, self._errors) if unexplained else None
            record = live.record
            name = record.exception.rpartition(".")[2]
            message = f"{name}: {record.message}" if record.message else name
            symptom = Symptom(kind="exception", message=message, location=record.location)
            if facts or unexplained:
                self._groups.append(CaseGroup(symptom=symptom, facts=facts, failure=record, refused=refused))
                if refused is not None and refused.is_broken and not facts:
                    self._failed_over_nan = symptom

    @readable
    @uncollected()  # a collection looks at all that the program holds: seconds, for a graph of 200,000 operations
    def finish(self, exit_code: int = 0, tell: Callable[[str], None] = _silently, interrupted: bool = False) -> Report:
        """Stop observing and explain. Called once, at the end of the program. `tell` hears what is being done.

        `interrupted`: somebody ended the program and waits, so that a few seconds must do.
        """
        self._interruptions.stop()
        if self._passing is not None:
            with self._errors.bulkhead("counting statements"):
                self._passing.stop()
        if self._tracing is not None:
            with held_back():
                self._tracing.save()
        # Its experiments are no part of what a recording around this one records.
        with paused([each for each in RUNNING if each is not self]):
            # A program that broke off did not lose in silence: what it never reached says nothing.
            end = Allowance(reading.INTERRUPTED, by_clock) if interrupted else Allowance(reading.END)
            report = self._report(exit_code, silent=not self._groups, last=True, tell=tell, end=end)
            if self._tracing is not None:
                report = self._tracing.end(report, lambda: self._errors.lines(_WRITING))
            self.close()
        return report

    def pause(self) -> None:
        """See nothing until `resume`."""
        for adapter, session in () if self._foreign() else tuple(self._attached):
            with self._errors.bulkhead(f"pausing {adapter.name}"):
                session.pause()

    def resume(self) -> None:
        """Observe again."""
        for adapter, session in () if self._foreign() else tuple(self._attached):
            with self._errors.bulkhead(f"resuming {adapter.name}"):
                session.resume()

    @readable
    def so_far(self) -> Report:
        """Explain what was seen since the last call, and go on observing: a notebook has no end.

        What is lost in silence is left out, because what comes next can still make good of it.
        """
        report = self._report(1 if self._groups else 0, silent=False)
        self._groups.clear()
        self._seen.clear()
        self.resume()
        return report

    @readable
    def about(self, thing: Any = None) -> Report:
        """Explain the recorded gradient questions about one tensor (None: the last one); observing goes on.

        The report also has the whole chain of the tensor, where it has a part in such a question.
        """
        groups: list[CaseGroup] = []
        seen: list[Seen] = []
        for adapter, session in self._sessions():
            with self._errors.bulkhead(f"reading what {adapter.name} recorded"):
                groups += session.about(thing)
        for asked in _inquirable(self._sessions()):
            with self._errors.bulkhead("answering the question"):
                subject = asked.subject(thing) if thing is not None else None
                seen += asked.seen(subject) if subject is not None else ()
        return self._explained(groups, [each for each in seen if each.asked is not None])

    @readable
    def ask(self, target: Any, sources: list[Any], recorder: Any) -> Report | None:
        """Would `recorder` give these gradients, and why not? None where that was not recorded."""
        for session in _inquirable(self._sessions()):
            with self._errors.bulkhead("answering the question"):
                found = session.would(target, sources, recorder)
                if found is not None:
                    seen = list(found)
                    return self._explained([group for each in seen for group in each.gradient.groups], seen)
        return None

    def _explained(self, groups: list[CaseGroup], seen: list[Seen]) -> Report:
        report = self._explanation(groups)
        if not seen:
            return report
        asking = self._asking(report, self._sessions())
        answer = asking.told("", seen)
        return msgspec.structs.replace(report, answers=(answer,), excerpts=asking.shown(report.excerpts))

    @readable
    def history(self, thing: Any, limit: int) -> History | None:
        """What this observation, and the tensor itself, know of how it came to be."""
        for adapter, session in self._sessions():
            with self._errors.bulkhead(f"the history that {adapter.name} knows"):
                found = history_by(adapter, thing, session, self._user, limit)
                if found is not None:
                    return found
        return None

    def _sessions(self) -> tuple[tuple[Adapter, Session], ...]:
        return () if os.getpid() != self._pid else tuple(self._attached) or self._past

    def _explanation(self, groups: list[CaseGroup]) -> Report:
        """What a question that was asked meanwhile is answered with."""
        return self._told(groups, self._sessions())

    def _report(
        self,
        exit_code: int,
        silent: bool,
        last: bool = False,
        tell: Callable[[str], None] = _silently,
        end: Allowance | None = None,
    ) -> Report:
        groups, attached = list(self._groups), () if self._foreign() else tuple(self._attached)
        end = end or Allowance(reading.END)
        for each in attached:
            groups += reading.found(each, len(groups), silent, self._errors, tell, end)
            if last and self._failed_over_nan is not None:
                groups += reading.lost_numbers(each, self._failed_over_nan, self._errors, end)
        variables = reading.variable_histories(attached, self._errors, end) if last else ()
        if last:
            observed = self._observed() if self._observed is not None else None
            self._errors.add(filter(None, [in_words(self.children, observed)]))
        if groups:
            tell(f"explaining {len(groups)} findings")
        report = self._told(groups, attached, exit_code, variables, end)
        return self._answered(report, attached) if last and self._ask else report

    def _answered(self, report: Report, attached: tuple[tuple[Adapter, Session], ...]) -> Report:
        """The report with the answers to what was asked when the program was started."""
        with self._errors.bulkhead("answering the question"):
            asking = self._asking(report, attached)
            answers = tuple(map(asking.answer, self._ask))
            return msgspec.structs.replace(report, answers=answers, excerpts=asking.shown(report.excerpts))
        failed = self._errors.lines("answering the question")
        coverage = msgspec.structs.replace(report.coverage, unobserved=report.coverage.unobserved + failed)
        return msgspec.structs.replace(report, coverage=coverage)

    def _asking(self, report: Report, attached: tuple[tuple[Adapter, Session], ...]) -> Asking:
        from tensorwhy.pipeline.ask import Asking

        return Asking(
            _inquirable(attached), report.diagnoses, report.coverage, lambda groups: explained(groups, self._errors)[0]
        )

    def _told(
        self,
        groups: list[CaseGroup],
        attached: tuple[tuple[Adapter, Session], ...],
        exit_code: int = 0,
        variables: tuple[VariableView, ...] = (),
        end: Allowance | None = None,
    ) -> Report:
        from tensorwhy import __version__
        from tensorwhy.model.report import Environment, Program, Report

        diagnoses, excerpts = self._in_words(groups, end or Allowance(reading.END))
        if variables and diagnoses:
            from tensorwhy.diagnosis.about_variables import joined

            variables = joined(variables, diagnoses)
        return Report(
            tool_version=__version__,
            program=Program(path=self._program, argv=self._argv, exit_code=exit_code),
            environment=Environment(
                python=platform.python_version(), frameworks=reading.versions(attached, self._errors)
            ),
            diagnoses=diagnoses,
            variables=variables,
            coverage=reading.coverage(attached, self._errors),
            excerpts=excerpts,
        )

    def _in_words(self, groups: list[CaseGroup], end: Allowance) -> Explained:
        """The diagnoses of these findings; where that takes too long, those of the first ones.

        After an interrupt as well, the time is that of the processor: a busy machine takes nothing that was found.
        """
        for some, pictures in ((groups, SECONDS), (groups[:_FEW], 0.0)):
            with bounded(end.left(_LEAST), self._errors, f"explaining {len(some)} findings"):
                return explained(some, self._errors, seconds=pictures)
        return (), {}

    def close(self) -> None:
        """Take every hook out, the last one first."""
        if self._finished:
            return
        self._finished = True
        self._interruptions.stop()
        _ended(self)
        if self._watch is not None:
            self._watch.stop()
        for uninstall in reversed(self._uninstall):
            with self._errors.bulkhead("removing a hook"):
                uninstall()
        self._children.stop()
        for adapter, session in reversed(self._attached):
            with self._errors.bulkhead(f"closing {adapter.name}"):
                session.close()
        self._uninstall.clear()
        self._past = tuple(self._attached)
        self._attached.clear()
        self._groups.clear()

    def _imported(self, module: str) -> None:
        from tensorwhy.adapters import registry
        from tensorwhy.adapters.protocol import Bounded, Experimenting, Rehearsing, Traceable

        self._children.imported(module)
        for adapter in registry.discover():
            known = any(adapter is other for other, _ in self._attached)
            if known or module not in adapter.modules or self._foreign():
                continue
            with self._errors.bulkhead(f"observing {adapter.name}"), uncollected():
                if adapter.applies(module):
                    self._stay_unseen()
                    session = adapter.attach(self._user, self._record)
                    self._attached.append((adapter, session))
                    if self._keep_steps is not None and isinstance(session, Bounded):
                        session.keep_steps(self._keep_steps)
                    for asked in _inquirable(self._attached[-1:]) if self._ask else ():
                        asked.attend()
                    if self._experiments and isinstance(session, Experimenting):
                        session.keep_for_experiments()
                    if self._tracing is not None and isinstance(session, Traceable):
                        self._tracing.follow(session.recorded, session.tell_steps, adapter.versions())
                    if self._rehearsal is not None and isinstance(session, Rehearsing):
                        session.rehearse(self._rehearsal)
                        if self._passing is None:
                            self._passing = Passing(self._rehearsal, self._user)
                            self._passing.start()
                    for name, load in registry.import_hooks(adapter):
                        with self._errors.bulkhead(name.removeprefix("tensorwhy.adapters.")):
                            self._uninstall.append(load()(self._user))

    def _stay_unseen(self) -> None:
        """From the first hook on, interrupts and tracebacks are to be as they are without hooks."""
        if not self._attached:
            self._interruptions.start()
            self._uninstall.append(leave_out(is_hook))

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

    def _foreign(self) -> bool:
        return self._finished or os.getpid() != self._pid


@contextlib.contextmanager
def paused(observations: Sequence[Observation]) -> Iterator[None]:
    """What runs inside is tensorwhy's own doing, and none of these sees it."""
    for observation in observations:
        observation.pause()
    try:
        yield
    finally:
        for observation in reversed(observations):
            observation.resume()


_REMEMBERED = 8
"""So many ended observations can still be asked, as long as somebody holds them."""
RUNNING: list[Observation] = []
ENDED: list[weakref.ref[Observation]] = []


def _began(observation: Observation) -> None:
    """From now on it observes this process."""
    RUNNING.append(observation)


def _ended(observation: Observation) -> None:
    """It observes no longer, and can still be asked."""
    if observation in RUNNING:
        RUNNING.remove(observation)
        ENDED[:] = [each for each in ENDED if each() is not None][-_REMEMBERED:]
        ENDED.append(weakref.ref(observation))


def history_by(adapter: Adapter, thing: Any, session: Session | None, user: UserCode, limit: int) -> History | None:
    """What one adapter, and its session when there is one, knows of how a tensor came to be."""
    from tensorwhy.adapters import registry

    ancestry = registry.ancestry(adapter)
    return ancestry(thing, session, user, limit) if ancestry is not None else None
