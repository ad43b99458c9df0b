"""A loss of more terms than are looked at: the report says that they were not."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner

LEFT_OUT = "which terms of a loss have no gradient, of more than 500"
PROGRAM = """
import torch

weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(NUMBER)]
optimizer = torch.optim.SGD(weights, lr=0.01)
for step in range(3):
    loss = HOW
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
HOW = {
    "sum": "sum((each * each).sum() for each in weights)",
    "stack": "torch.stack([(each * each).sum() for each in weights]).sum()",
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(("number", "told"), [(600, True), (20, False)])
def test_a_loss_of_many_terms(how: str, number: int, told: bool, runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("NUMBER", str(number)).replace("HOW", HOW[how]))
    watched = runner.run(program)
    assert watched.report is not None, watched.account()
    assert watched.report.diagnoses == ()
    assert (LEFT_OUT in watched.report.coverage.unobserved) == told
