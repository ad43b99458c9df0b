"""Where graphs are switched off is known after recording rests, and what is recorded for it ends soon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from support.runner import Runner
from tensorwhy.adapters.torch.session import TorchSession
from tensorwhy.recording.locations import UserCode

TRAINING = """
import torch
from torch import nn

torch.manual_seed(2)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    if step == 7:
        LATE
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.fixture
def session() -> Iterator[TorchSession]:
    """A session whose recording rests after its first steps."""
    session = TorchSession(UserCode([__file__]), "auto")
    session.start()
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        net(torch.ones(2, 3)).sum().backward()
        optimizer.step()
    assert not session.recorder.armed
    yield session
    session.close()


def test_an_optimizer_that_is_made_while_a_short_time_is_recorded_has_its_first_steps_recorded(
    session: TorchSession,
) -> None:
    with torch.no_grad():
        torch.ones(2).sum()
    assert session.recorder.short.on
    torch.optim.SGD(torch.nn.Linear(3, 1).parameters(), lr=0.1)
    assert session.recorder.armed and not session.recorder.short.on


def line(session: TorchSession) -> int:
    found = session.journal.location(session.recorder.switch.place)
    assert found is not None
    return found.line - line_of(test_the_switch_that_counts_is_the_innermost_one)


def line_of(function: Callable[..., Any]) -> int:
    return function.__code__.co_firstlineno


def test_the_switch_that_counts_is_the_innermost_one(session: TorchSession) -> None:
    with torch.no_grad():  # 1
        assert (line(session), session.recorder.switch.word) == (1, "torch.no_grad")
        with torch.inference_mode():  # 3
            assert (line(session), session.recorder.switch.word) == (3, "torch.inference_mode")
        assert line(session) == 1
        with torch.enable_grad(), torch.set_grad_enabled(False):  # 6
            assert (line(session), session.recorder.switch.word) == (6, "torch.set_grad_enabled")
        assert line(session) == 1
    torch.set_grad_enabled(False)  # 9
    torch.set_grad_enabled(True)
    assert line(session) == 9


def test_a_short_recording_ends_with_the_next_step(session: TorchSession) -> None:
    net, x = torch.nn.Linear(3, 1), torch.ones(2, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        net(x).sum().backward()
        optimizer.step()
    with torch.no_grad():
        net(x)
    assert session.recorder.short.on
    net(x).sum().backward()
    assert not session.recorder.armed and session.recorder.writing
    with torch.no_grad():
        net(x)
    assert session.recorder.short.on
    optimizer.step()
    assert not session.recorder.armed


def test_a_line_is_recorded_once_and_a_program_a_few_times(session: TorchSession) -> None:
    woken = 0
    codes = [compile("\n" * line + "with torch.no_grad(): net(x)", __file__, "exec") for line in range(20)]
    for code in codes:
        for _ in range(2):
            net, x = torch.nn.Linear(3, 1), torch.ones(2, 3)
            before = session.recorder.armed
            exec(code, {"torch": torch, "net": net, "x": x})
            woken += session.recorder.armed and not before
            net(x).sum().backward()
    assert woken == 8


def test_what_pytorch_itself_computes_without_a_graph_is_not_recorded(session: TorchSession) -> None:
    net = torch.nn.Linear(3, 1)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    torch.nn.init.zeros_(net.weight)
    assert not session.recorder.armed


@pytest.mark.parametrize("around", [nullcontext, lambda: torch.device("cpu")], ids=["alone", "a mode of the program"])
def test_a_mode_of_the_program_is_left_alone(session: TorchSession, around: Callable[[], Any]) -> None:
    net = torch.nn.Linear(3, 1)
    with around():
        with torch.no_grad():
            net(torch.ones(2, 3))
        assert session.recorder.armed == (around is nullcontext)
    net(torch.ones(2, 3)).sum().backward()
    assert not session.recorder.armed


@pytest.mark.parametrize(
    ("late", "code", "words"),
    [
        ("loss = loss.detach()", "TW901", "--record full"),
        ("loss = torch.tensor(0.5)", "TW901", "--record full"),
        ("torch.set_grad_enabled(False); loss = net(torch.ones(1, 4)).sum()", "TW103", "after"),
        ("with torch.no_grad(): loss = net(torch.ones(1, 4)).sum()", "TW103", "inside"),
    ],
)
def test_a_late_refusal_is_not_answered_with_what_pytorch_said(
    late: str, code: str, words: str, runner: Runner, tmp_path: Any
) -> None:
    program = tmp_path / "late.py"
    program.write_text(TRAINING.replace("LATE", late))
    result = runner.run(program)
    assert result.report is not None and result.exit_code == 1
    (found,) = result.report.diagnoses
    assert found.code == code, result.account()
    assert words in result.account() + "".join(fix.summary for fix in found.fixes)


def test_a_refusal_that_the_program_expects_is_not_told(runner: Runner, tmp_path: Any) -> None:
    program = tmp_path / "expected.py"
    attempt = "try: torch.zeros(()).backward()\n        except RuntimeError: print('as expected')"
    program.write_text(TRAINING.replace("LATE", attempt))
    result = runner.run(program)
    assert result.report is not None and not result.report.diagnoses, result.account()
