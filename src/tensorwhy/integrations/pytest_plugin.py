"""pytest: a failing test that lost a gradient, a history or a graph has the explanation in its report.

Idle unless a framework was imported and a test fails. `--why` records every test, so that a None gradient is explained
where an assert found it, and what passing tests lost is listed at the end. The fixture `tensorwhy_recording` does the
same for one test, and has its report.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tensorwhy.model.report import Report
    from tensorwhy.pipeline import Observation

_FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
_TITLE = "tensorwhy"
_RECORDING = pytest.StashKey["TestRecording"]()


class TestRecording:
    """What is recorded of one test. `so_far()` explains what was lost up to now."""

    __test__ = False

    def __init__(self) -> None:
        from tensorwhy.pipeline import Observation

        self._observation: Observation = Observation(record="full", program="pytest")
        self._observation.start()

    def so_far(self) -> Report:
        """Explain what was seen since the last call."""
        return self._observation.so_far()

    def finish(self, exception: BaseException | None) -> Report:
        """Explain the rest; called by the plugin."""
        if exception is not None:
            self._observation.failed(exception)
        return self._observation.finish(0 if exception is None else 1)

    def close(self) -> None:
        """Take the hooks out."""
        self._observation.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("tensorwhy").addoption(
        "--why", action="store_true", help="record every test, and explain lost gradients, histories and graphs"
    )


@pytest.fixture
def tensorwhy_recording(request: pytest.FixtureRequest) -> Iterator[TestRecording]:
    """Records this test from here on; an explanation of its failure is in its report."""
    stash = request.node.stash
    if _RECORDING not in stash:
        stash[_RECORDING] = TestRecording()
    yield stash[_RECORDING]
    stash[_RECORDING].close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.getoption("--why"):
        item.stash[_RECORDING] = TestRecording()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    recording = item.stash.get(_RECORDING, None)
    if recording is not None:
        recording.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    outcome = yield
    test = outcome.get_result()
    if call.when == "teardown" or not (test.failed or (call.when == "call" and test.passed)):
        return
    exception = call.excinfo.value if call.excinfo is not None else None
    text = _explanation(item.stash.get(_RECORDING, None), exception)
    if not text:
        return
    test.sections.append((_TITLE, text))
    if test.passed:
        test.user_properties.append((_TITLE, text))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What passing tests lost: pytest does not show the sections of those."""
    for test in terminalreporter.getreports("passed"):
        for name, text in test.user_properties:
            if name == _TITLE:
                terminalreporter.section(f"{_TITLE}: {test.nodeid} passed, but")
                terminalreporter.write_line(text)


def _explanation(recording: TestRecording | None, exception: BaseException | None) -> str:
    """The explanation of a failed test, or of what a passed one lost; empty when there is nothing to say."""
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
    return str(report) if report.worst() in ("error", "warning") else ""
