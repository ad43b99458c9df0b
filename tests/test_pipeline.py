"""From an import to a report, with an adapter that stands in for a framework's."""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tensorwhy.adapters import registry
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.gradient import NotPassed
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import Coverage, Symptom
from tensorwhy.pipeline import Observation, reading
from tensorwhy.recording.locations import UserCode


class Seen(Fact, frozen=True, kw_only=True):
    text: str = ""


class Session:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def facts(self) -> Iterable[CaseGroup]:
        yield CaseGroup(symptom=Symptom(kind="none-gradient"), asked=True)

    def resume(self) -> None:
        self.log.append("resumed")

    def coverage(self) -> Coverage:
        return Coverage(recorded_ops=5, steps_recorded=2, unobserved=("something",))

    def close(self) -> None:
        self.log.append("closed")


class Adapter:
    name = "pretended"
    modules = ("pretended_framework", "pretended_keras")

    def __init__(self) -> None:
        self.log: list[str] = []
        self.probed: list[LiveFailure] = []
        self.found: tuple[Fact, ...] = (Seen(),)

    def applies(self, module: str) -> bool:
        return True

    def versions(self) -> dict[str, str]:
        return {"pretended": "1.0"}

    def attach(self, user: UserCode, record: Any) -> Session:
        complete = [name for name in self.modules if getattr(sys.modules.get(name), "DONE", False)]
        self.log.append(f"attached {record} {' '.join(complete)}")
        return Session(self.log)

    def install(self, user: UserCode) -> Callable[[], None]:
        self.log.append("hooked")
        return functools.partial(self.log.append, "unhooked")

    def probe(self, live: LiveFailure) -> Iterable[Fact]:
        self.probed.append(live)
        return self.found

    def audit(self, session: Session) -> Iterable[Fact]:
        self.log.append("audited")
        return ()

    def fail(self, given: object) -> Iterable[Fact]:
        raise ZeroDivisionError("a fault of our own")


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Adapter]:
    made = Adapter()

    def walked(*functions: object) -> Callable[[Any], Iterator[tuple[str, Callable[[], object]]]]:
        return lambda _: iter([(f"walked{n}", lambda f=f: f) for n, f in enumerate(functions)])

    monkeypatch.setattr(registry, "discover", lambda: (made,))
    monkeypatch.setattr(registry, "import_hooks", walked(made.install))
    monkeypatch.setattr(registry, "probes", walked(made.fail, made.probe))
    monkeypatch.setattr(registry, "audits", walked(made.fail, made.audit))
    (tmp_path / "pretended_framework.py").write_text("import pretended_keras\nDONE = True\n")
    (tmp_path / "pretended_keras.py").write_text("DONE = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield made
    for name in made.modules:
        sys.modules.pop(name, None)


@pytest.fixture
def observation(adapter: Adapter) -> Iterator[Observation]:
    made = Observation(UserCode())
    made.start()
    yield made
    made.close()


def raised(function: Callable[[], object]) -> BaseException:
    try:
        function()
    except BaseException as error:
        return error
    raise AssertionError


def test_the_adapter_attaches_once_all_frameworks_in_the_making_are_complete(
    observation: Observation, adapter: Adapter
) -> None:
    import pretended_framework  # noqa: F401

    assert adapter.log == ["attached auto pretended_framework pretended_keras", "hooked"]


def test_the_adapter_attaches_to_what_was_imported_before(adapter: Adapter) -> None:
    import pretended_keras  # noqa: F401

    made = Observation(UserCode(), record="full")
    made.start()
    made.close()
    assert adapter.log == ["attached full pretended_keras", "hooked", "unhooked", "closed"]


def test_watching_imports_leaves_no_trace_in_the_module(observation: Observation) -> None:
    import importlib.machinery

    import pretended_keras

    assert type(pretended_keras.__spec__) is importlib.machinery.ModuleSpec
    assert type(pretended_keras.__loader__) is importlib.machinery.SourceFileLoader


def test_an_import_that_fails_attaches_nothing_and_may_be_tried_again(
    observation: Observation, adapter: Adapter, tmp_path: Path
) -> None:
    file = tmp_path / "pretended_keras.py"
    file.write_text("raise ImportError('half installed')\n")
    with pytest.raises(ImportError, match="half installed"):
        import pretended_framework
    assert adapter.log == []
    file.write_text("DONE = True  # repaired\n")
    import importlib

    importlib.invalidate_caches()
    import pretended_framework  # noqa: F401

    assert adapter.log[0].startswith("attached")


def test_everything_is_released_in_the_end(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    meta_path, hook = len(sys.meta_path), threading.excepthook
    observation.finish()
    assert adapter.log[-2:] == ["unhooked", "closed"]
    assert threading.excepthook is not hook
    assert len(sys.meta_path) <= meta_path


def test_the_report_says_what_was_recorded_and_what_not(observation: Observation) -> None:
    import pretended_framework  # noqa: F401

    report = observation.finish(3)
    assert report.program.exit_code == 3
    assert report.environment.frameworks == {"pretended": "1.0"}
    assert (report.coverage.recorded_ops, report.coverage.steps_recorded) == (5, 2)
    assert "something" in report.coverage.unobserved


def test_a_fault_of_ours_costs_one_answer_and_is_reported(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    report = observation.finish()
    assert "audited" in adapter.log
    assert any("walked0 failed: ZeroDivisionError: a fault of our own" in text for text in report.coverage.unobserved)


@pytest.mark.parametrize("interrupted", [False, True], ids=["", "interrupted"])
@pytest.mark.parametrize("part", ["facts", "audit", "words"])
def test_an_end_without_end_is_stopped_and_keeps_what_was_found(
    part: str, interrupted: bool, observation: Observation, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pretended_framework  # noqa: F401

    def for_ever(*_: object) -> Any:
        while True:
            pass

    here, sources = Location(file=__file__, line=1), (Source(tensor=1, name="w", position=0),)
    asked = GradientQuestion(event=9, recorder=1, targets=(5,), sources=sources, asked=1, location=here)
    stopped = NotPassed(kind="stop-gradient", op="StopGradient", location=here, question=asked, sources=sources)
    group = CaseGroup(symptom=Symptom(kind="none-gradient", location=here), facts=(stopped,), asked=True)

    def then_for_ever(_: object) -> Iterator[CaseGroup]:
        yield group
        for_ever()

    if part == "facts":
        monkeypatch.setattr(Session, "facts", then_for_ever)
    elif part == "audit":
        monkeypatch.setattr(Session, "facts", lambda _: iter([group]))
        monkeypatch.setattr(registry, "audits", lambda _: iter([("walked", lambda: for_ever)]))
    else:
        drawn = msgspec.structs.replace(group, lineage=for_ever)
        monkeypatch.setattr(Session, "facts", lambda _: iter([drawn]))
    monkeypatch.setattr(reading, "INTERRUPTED" if interrupted else "END", 1.0)
    start = time.thread_time()
    report = observation.finish(interrupted=interrupted)
    assert time.thread_time() - start < 30
    [found] = report.diagnoses
    assert found.code == "TW104"
    said = " after an interrupt" if interrupted and part != "words" else ""
    stopped_early = f" s{said}: it was stopped, and the report is incomplete"
    assert any(stopped_early in text for text in report.coverage.unobserved)


def test_a_failure_is_seen_with_its_hidden_causes(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    def fail() -> None:
        try:
            raise KeyError("first")
        except KeyError:
            raise ValueError("second") from None

    observation.failed(raised(fail))
    (live,) = adapter.probed
    assert [type(each) for each in live.exceptions] == [ValueError, KeyError]
    assert live.record.exception == "ValueError"
    assert [each.message for each in live.record.chain] == ["'first'"]
    assert live.user_frames()[0].frame.f_code is fail.__code__


def test_a_failure_is_looked_at_once(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    error = raised(lambda: 1 / 0)
    observation.failed(error)
    observation.failed(error)
    assert len(adapter.probed) == 1


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
def test_leaving_is_no_failure(kind: type[BaseException], observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    observation.failed(kind())
    assert adapter.probed == []


def test_what_a_program_gave_up_over_is_looked_at(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    def give_up() -> None:
        try:
            {}["missing"]
        except KeyError:
            raise SystemExit("failed") from None

    observation.left(raised(give_up))
    observation.left(SystemExit(1))
    (live,) = adapter.probed
    assert [type(each) for each in live.exceptions] == [KeyError]


def test_a_program_that_gave_up_over_what_nothing_can_be_said_of_is_audited_all_the_same(
    observation: Observation, adapter: Adapter
) -> None:
    import pretended_framework  # noqa: F401

    adapter.found = ()
    leaving = SystemExit(2)
    leaving.__context__ = raised(lambda: 1 / 0)
    observation.left(leaving)
    observation.finish(2)
    assert "audited" in adapter.log


def test_nothing_is_audited_where_the_program_broke_off(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    observation.failed(raised(lambda: 1 / 0))
    observation.finish(1)
    assert "audited" not in adapter.log


def test_observing_goes_on_after_a_report_so_far(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    observation.failed(raised(lambda: 1 / 0))
    assert observation.so_far().program.exit_code == 1
    assert "resumed" in adapter.log
    assert "audited" not in adapter.log
    assert observation.so_far().program.exit_code == 0


def test_an_exception_whose_text_cannot_be_had_is_still_looked_at(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    class Bad(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fail() -> None:
        raise Bad

    observation.failed(raised(fail))
    assert "__str__ failed" in adapter.probed[0].record.message


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_exception_in_a_thread_is_looked_at(observation: Observation, adapter: Adapter) -> None:
    import pretended_framework  # noqa: F401

    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert [live.record.exception for live in adapter.probed] == ["ZeroDivisionError"]


def test_a_forked_child_observes_nothing(observation: Observation, adapter: Adapter) -> None:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            import pretended_framework  # noqa: F401

            code = 0 if adapter.log == [] else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_the_real_adapters_are_found_and_name_their_folder() -> None:
    for each in registry.discover():
        assert (Path(registry.__file__).parent / each.name / "adapter.py").exists()
        assert each.modules
