"""Fixtures of all tests."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from support import selected
from support.forks import Server
from support.runner import Runner
from tensorwhy.recording import hot_path

# A shell that starts pytest in the background has interrupts ignored, by it and by all programs that tests start;
# `nohup` has hangups ignored.
_USUAL = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}
for _name, _handler in _USUAL.items() if threading.current_thread() is threading.main_thread() else ():
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

pytest_plugins = ("pytester",)

# The same examples in every run, however slow the machine is: a test that fails, fails for everybody.
settings.register_profile("tests", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-explanations",
        action="store_true",
        help="write every explanation.txt of the catalogue anew instead of comparing it",
    )
    parser.addoption(
        "--update-plain-runs",
        action="store_true",
        help="run every healthy program without the tool, and record what it does in tests/plain_runs.txt",
    )


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is kept in the folders of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def fork_server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A process that has imported the frameworks, and is forked: one for all workers."""
    base = tmp_path_factory.getbasetemp()
    server = Server((base.parent if hasattr(request.config, "workerinput") else base) / "fork-server")
    yield server
    server.close()


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory, fork_server: Server) -> Runner:
    """Runs programs, in forks where possible."""
    return Runner(tmp_path_factory.mktemp("programs"), fork_server)


@pytest.fixture(scope="session")
def python(fork_server: Server) -> str:
    """A Python that has imported the frameworks already, as have the processes that it starts."""
    return sys.executable if sys.platform == "win32" or selected.everything() else fork_server.python


@pytest.fixture(autouse=True)
def _same_limits() -> Iterator[None]:
    """Give the worker back the memory that a command took from it: commands that only read bound their process."""
    if sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture
def run_program(runner: Runner):
    """`run_program(path, *args)` runs a program under tensorwhy and gives its Result."""
    return runner.run


@pytest.fixture(params=["python", "compiled"])
def either_hot_path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a test run twice: with the hot path in Python, and with the compiled one where it was built."""
    if request.param == "python":
        monkeypatch.setenv("TENSORWHY_PURE", "1")
    elif hot_path.compiled is None:
        pytest.skip("it was not built")
