"""A step with a bad gradient is executed again, and the program does not notice."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import Runner

PROGRAM = """
import gc, weakref
import torch
from torch import nn

torch.manual_seed(0)
norm, drop = nn.BatchNorm1d(4), nn.Dropout(0.5)
scale = nn.Parameter(torch.zeros(4))
optimizer = torch.optim.SGD([scale, *norm.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 4)
    hidden = drop(norm(x)) * scale
    loss = hidden.pow(2).sum().sqrt() + (scale * 0).sum()
    optimizer.zero_grad()
    loss.backward()
    AGAIN
    gone = weakref.ref(hidden)
    del hidden, loss
    gc.collect()
    print(gone() is None, norm.running_mean.tolist(), int(norm.num_batches_tracked), scale.grad.tolist())
    optimizer.step()
    print(torch.rand(2).tolist(), torch.is_grad_enabled())
"""


AGAIN = """
    try:
        loss.backward()
    except RuntimeError:
        print("the graph is gone")
"""


@pytest.mark.parametrize("again", ["", AGAIN], ids=["once", "twice"])
def test_a_step_that_is_executed_again_leaves_no_trace(again: str, runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("    AGAIN\n", again))
    alone, watched = runner.run(program, plain=True), runner.run(program)
    assert alone.exit_code == 0, alone.account()
    assert watched.stdout == alone.stdout
    assert watched.report is not None
    assert {each.code for each in watched.report.diagnoses} == {"TW120" if again else "TW211"}, watched.account()


WARNING = """
import warnings
import torch

def warn():
    for level in range(1, LEVELS + 1):
        warnings.warn(f"level {level}", stacklevel=level)

class Double(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        warn()
        return x * 2

    @staticmethod
    def backward(context, gradient):
        warn()
        return gradient * 2

weight = torch.nn.Parameter(torch.ones(2))
def method():
    Double.apply(weight).sum().backward()

def function():
    torch.autograd.backward(Double.apply(weight).sum())

def asked():
    torch.autograd.grad(Double.apply(weight).sum(), [weight])

for train in (method, function, asked):
    train()
"""


def test_warnings_inside_of_calls_that_are_watched_name_the_same_lines(runner: Runner, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(WARNING.replace("LEVELS", "5"))
    alone, watched = runner.run(program, plain=True), runner.run(program)
    assert alone.stderr.count("UserWarning: level") > 10, alone.account()
    assert watched.stderr == alone.stderr
