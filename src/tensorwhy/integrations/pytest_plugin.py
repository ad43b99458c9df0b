"""The pytest plugin: explains a test that fails because of a lost gradient, history or graph, in its report.

It does nothing unless a framework was imported and a test fails. Failures that need a recording (a gradient that was
None some time before) are recorded when the failed test runs once more, if that cannot disturb other tests. `--why`
records every test and lists problems of passing tests at the end. The fixture `tensorwhy_recording` does the same for
one test and provides its report.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import os
import random
import sys
import time
import traceback
import types
import unittest
import warnings
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tensorwhy.model.report import Report
    from tensorwhy.pipeline import Observation

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras", "torch")
_TITLE = "tensorwhy"
_RECORDING = pytest.StashKey["TestRecording"]()
_OPEN = pytest.StashKey["TestRecording"]()
_INTERRUPTED = pytest.StashKey[str]()
_AGAIN = pytest.StashKey[str]()
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_MOST = 10_000
"""Items of a list that may be gradients."""
_LONGEST = 20.0
"""Seconds that a test may take, and be run once more."""
_HINT = "`pytest --why` records this test and explains a gradient, history or graph that it lost"


class TestRecording:
    """The recording of one test. `so_far()` explains what was lost up to now."""

    __test__ = False

    def __init__(self) -> None:
        from tensorwhy.pipeline import Observation

        self._observation: Observation = Observation(record="full", program="pytest")
        self._observation.start()
        self.closed = False

    def so_far(self) -> Report:
        """Explain what was observed since the last call."""
        return self._observation.so_far()

    def failed(self, exception: BaseException) -> None:
        """Look at the exception of the test, and take the frames of our hooks out of its traceback."""
        self._observation.failed(exception)

    def finish(self, exception: BaseException | None) -> Report:
        """Explain the rest; called by the plugin."""
        self.closed = True
        if exception is not None:
            self._observation.failed(exception)
        return self._observation.finish(0 if exception is None else 1)

    def close(self) -> None:
        """Remove the hooks."""
        self.closed = True
        self._observation.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("tensorwhy").addoption(
        "--why", action="store_true", help="record every test, and explain lost gradients, histories and graphs"
    )


@pytest.fixture
def tensorwhy_recording(request: pytest.FixtureRequest) -> Iterator[TestRecording]:
    """Record this test from here on; its report explains a failure."""
    recording = request.node.stash.get(_RECORDING, None) or _record(request.node)
    yield recording
    recording.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.getoption("--why"):
        _record(item)


def _record(item: pytest.Item) -> TestRecording:
    recording = item.stash[_RECORDING] = item.config.stash[_OPEN] = TestRecording()
    return recording


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    recording = item.stash.get(_RECORDING, None)
    if recording is not None:
        recording.close()


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    began = time.monotonic()
    outcome = yield
    failure = outcome.excinfo[1] if outcome.excinfo is not None else None
    if isinstance(failure, Exception) and _RECORDING not in item.stash and _concerned(failure):
        may = time.monotonic() - began < _LONGEST and _repeatable(item)
        item.stash[_AGAIN] = _again(item, failure) if may else _HINT if _lost_gradients(failure) else ""


def _concerned(failure: Exception) -> bool:
    """Return whether the test uses a framework: it is imported, and a module in the traceback uses it."""
    if not any(name in sys.modules for name in _FRAMEWORKS):
        return False
    spaces = {id(frame.f_globals): frame.f_globals for frame, _ in traceback.walk_tb(failure.__traceback__)}
    return any(_of_framework(value) for space in spaces.values() for value in tuple(space.values()))


def _of_framework(value: Any) -> bool:
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.partition(".")[0] in _FRAMEWORKS


def _lost_gradients(failure: Exception) -> bool:
    """Return whether a frame of the failure held a None gradient, next to its variable or what was asked for it."""
    for frame, number in traceback.walk_tb(failure.__traceback__):
        if not frame.f_code.co_filename.startswith(_OURS):
            values, line = list(frame.f_locals.values()), linecache.getline(frame.f_code.co_filename, number)
            if _paired(values) or _asked(values) or (".grad" in line and "None" in f"{line} {failure}"):
                return True
    return False


def _asked(values: list[Any]) -> bool:
    tapes = any(type(value).__name__ == "GradientTape" and _of_framework(value) for value in values)
    return tapes and any(value is None for value in values)


def _paired(values: list[Any]) -> bool:
    lists = [value for value in values if isinstance(value, (list, tuple)) and 0 < len(value) <= _MOST]
    whole = {len(value) for value in lists if all(map(_of_framework, value))}
    answers = [value for value in lists if any(each is None for each in value) and len(value) in whole]
    pairs = (each for value in lists for each in value if isinstance(each, tuple) and len(each) == 2)
    return any(all(each is None or _of_framework(each) for each in value) for value in answers) or any(
        first is None and _of_framework(second) for first, second in pairs
    )


def _repeatable(item: pytest.Item) -> bool:
    """Return whether the test function can run once more without affecting other tests: it shares no fixture."""
    if not isinstance(item, pytest.Function) or item.get_closest_marker("xfail") is not None:
        return False
    function = item.obj
    if inspect.iscoroutinefunction(function) or hasattr(function, "is_hypothesis_test"):
        return False
    if item.cls is not None and issubclass(item.cls, unittest.TestCase):
        return False
    info = item._fixtureinfo
    shared = [
        fixture
        for name in info.names_closure
        for fixture in info.name2fixturedefs.get(name, ())[-1:]
        if fixture.scope != "function" and not fixture.func.__module__.startswith("_pytest.")
    ]
    return not shared


def _again(item: pytest.Item, failure: Exception) -> str:
    """Return the report of a recording of the same call, if it fails in the same way."""
    assert isinstance(item, pytest.Function)
    needed = {name: item.funcargs[name] for name in inspect.signature(item.obj).parameters if name in item.funcargs}
    recording = TestRecording()
    try:
        with _unheard(), _same_chance():
            item.obj(**needed)
    except (KeyboardInterrupt, pytest.exit.Exception):  # the test has failed already: report that, then end
        item.session.shouldstop = "interrupted"
        return _HINT
    except (Exception, pytest.skip.Exception, pytest.fail.Exception) as error:
        report = recording.finish(error)
        alike = type(error) is type(failure) and report.worst() in ("error", "warning")
        return str(report) if alike else ""
    finally:
        recording.close()
    return ""


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _same_chance() -> Iterator[None]:
    """Restore the random state, so later tests get the same random numbers."""
    numbers = sys.modules.get("numpy")
    torch = sys.modules.get("torch")
    before, of_numpy = random.getstate(), numbers.random.get_state() if numbers is not None else None
    of_torch = torch.get_rng_state() if torch is not None else None
    try:
        yield
    finally:
        random.setstate(before)
        if numbers is not None:
            numbers.random.set_state(of_numpy)
        if torch is not None:
            torch.set_rng_state(of_torch)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    recording = item.stash.get(_RECORDING, None)
    if recording is not None and call.excinfo is not None:
        recording.failed(call.excinfo.value)  # pytest cannot show frames that `traceback` leaves out
    outcome = yield
    test = outcome.get_result()
    if call.when == "teardown" or not (test.failed or (call.when == "call" and test.passed)):
        return
    exception = call.excinfo.value if call.excinfo is not None else None
    text = _explanation(item.stash.get(_RECORDING, None), exception) or item.stash.get(_AGAIN, "")
    if not text:
        return
    test.sections.append((_TITLE, text))
    if test.passed:
        test.user_properties.append((_TITLE, text))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Explain what an interrupted test lost so far. pytest makes no report of it."""
    recording = session.config.stash.get(_OPEN, None)
    if recording is not None and not recording.closed:
        session.config.stash[_INTERRUPTED] = _told(recording.finish(None))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the problems of tests whose sections pytest does not show: that passed, or were interrupted."""
    interrupted = terminalreporter.config.stash.get(_INTERRUPTED, "")
    if interrupted:
        terminalreporter.section(f"{_TITLE}: the interrupted test")
        terminalreporter.write_line(interrupted)
    for test in terminalreporter.getreports("passed"):
        for name, text in test.user_properties:
            if name == _TITLE:
                terminalreporter.section(f"{_TITLE}: {test.nodeid} passed, but")
                terminalreporter.write_line(text)


def _explanation(recording: TestRecording | None, exception: BaseException | None) -> str:
    """Return the explanation of a test; empty if there is none."""
    if recording is None and (exception is None or not any(name in sys.modules for name in _FRAMEWORKS)):
        return ""
    if recording is not None:
        report = recording.finish(exception)
    else:
        from tensorwhy.pipeline import Observation

        observation = Observation(record="off", program="pytest")
        observation.start()
        assert exception is not None
        observation.failed(exception)
        report = observation.finish(1)
    return _told(report)


def _told(report: Report) -> str:
    return str(report) if report.worst() in ("error", "warning") else ""
