"""What a run of many steps says of gradients, although they are followed only in some of its steps."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner

PROGRAM = """
import torch

torch.manual_seed(0)
x = torch.randn(8, 3)
nets = [torch.nn.Linear(3, 1) for _ in range(NETS)]
optimizers = [torch.optim.SGD(net.parameters(), lr=1e-6) for net in nets]
for step in range(900):
    for net, optimizer in zip(nets, optimizers):
LOOP
"""
HEALTHY = """
        for part in x.split(4):
            net(part).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
"""
SUMMED = """
        net(x).sum().backward()
        optimizer.step()
"""
CLEARED = """
        net(x).sum().backward()
        optimizer.zero_grad()
        optimizer.step()
"""
SELDOM = """
        if step % 4 == 0:
            optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
"""
TOGETHER = """
        net(x).sum().backward()
    for optimizer in optimizers:
        optimizer.step()
    for optimizer in optimizers:
        optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("loop", "nets", "said"),
    [
        (HEALTHY, 3, ""),
        (TOGETHER, 3, ""),
        (SUMMED, 1, "are never cleared: each of the"),
        (SUMMED, 3, "are never cleared: each of the"),
        (CLEARED, 3, "cleared between `backward()` and `step()`"),
        (SELDOM, 3, "are not cleared before every step"),
    ],
    ids=["accumulated", "together", "summed", "summed, several", "cleared", "seldom"],
)
def test_gradients_of_many_steps(loop: str, nets: int, said: str, runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("NETS", str(nets)).replace("LOOP", loop))
    watched = runner.run(program)
    assert watched.report is not None, watched.account()
    messages = [each.message for each in watched.report.diagnoses]
    if said:
        assert messages and all(said in each for each in messages), watched.account()
    else:
        assert not messages, watched.account()
