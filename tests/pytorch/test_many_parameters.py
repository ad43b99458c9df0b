"""Of more parameters than a step can look at, each looks at some; a bad step is executed again only at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner

PROGRAM = """
import torch

torch.manual_seed(0)
weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(1100)]
optimizer = torch.optim.SGD(weights, lr=0.01)
for step in range(8):
    terms = [(each * each).sum() for each in weights]
    terms.append((weights[700] SCALED).sqrt().sum())
    loss = torch.stack(terms).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("scaled", "codes"), [("* 0.0", {"TW211"}), ("+ 1.0", set())], ids=["NaN", "healthy"])
def test_one_of_many_parameters(scaled: str, codes: set[str], runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("SCALED", scaled))
    watched = runner.run(program)
    assert watched.report is not None, watched.account()
    assert {each.code for each in watched.report.diagnoses} == codes, watched.account()
    assert "of 1100 variables, each step looked at 512, in turn" in watched.report.coverage.unobserved


HELD = """
import torch
from tensorwhy.adapters.torch.replays import replay

EXECUTED = []
original = replay.executed
replay.executed = lambda *given: EXECUTED.append(given) or original(*given)
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([weight], lr=0.1)
for step in range(5):
    loss = (weight * 0.0).sqrt().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    assert not EXECUTED
"""


def test_no_step_is_executed_again_while_the_program_runs(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HELD)
    watched = runner.run(program)
    assert watched.exit_code == 0 and watched.report is not None, watched.account()
    assert [each.code for each in watched.report.diagnoses] == ["TW211"], watched.account()
