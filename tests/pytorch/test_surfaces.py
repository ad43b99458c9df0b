"""PyTorch through the Python API, asserts, the summary, the pytest plugin, and notebooks."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from support.runner import environment

NET = """
import torch
import tensorwhy
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.head = nn.Linear(4, 1)
        self.extra = [nn.Linear(4, 4)]

    def forward(self, x):
        hidden = self.norm(torch.tanh(self.encoder(x)).detach())
        return self.head(torch.relu(self.extra[0](hidden)))

net, x = Net(), torch.randn(5, 3)

def refused(check, *args):
    try:
        check(*args)
    except AssertionError as error:
        return str(error)
    raise SystemExit(f"{check} passed")
"""

CALLS = """
before = [each.clone() for each in net.buffers()], torch.get_rng_state()
summary = tensorwhy.summary(net, x)
rows = {row.name: row for row in summary.layers}
assert rows["encoder"].gradient == "none" and rows["encoder"].reasons == ("TW104",), rows
assert rows["head"].gradient == "flows" and not rows["Linear"].tracked, rows
assert all(torch.equal(one, other) for one, other in zip(before[0], net.buffers()))
assert torch.equal(before[1], torch.get_rng_state())
assert all(each.grad is None for each in net.parameters())

told = refused(tensorwhy.assert_gradients_flow, net, x)
assert "None for 2 of 6: `encoder.weight`, `encoder.bias`" in told and "TW104" in told, told
told = refused(tensorwhy.assert_gradients_flow, lambda x: torch.ones(1) * x.sum().item(), torch.rand(3))
assert "TW110" in told and "leaf tensor `input`" in told, told
tensorwhy.assert_gradients_flow(lambda x, y: (x * y).sum(), (torch.rand(3), torch.rand(3)))
tensorwhy.assert_gradients_flow(net.head, torch.rand(2, 4))

optimizer = torch.optim.SGD([*net.norm.parameters(), *net.head.parameters()], lr=0.1)

def step():
    optimizer.zero_grad()
    net(x).pow(2).sum().backward()
    optimizer.step()

told = refused(tensorwhy.assert_all_trained, net, step)
assert "2 of 6 trainable variables did not change: `encoder.weight`, `encoder.bias`" in told, told
tensorwhy.assert_all_trained(net.head, step)

with tensorwhy.record(show=False):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    v = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (w.detach() * v).sum()
    assert "TW104" in str(tensorwhy.explain_gradient(y, w))
    assert "no broken link" in str(tensorwhy.explain_gradient(y, v))
    both = str(tensorwhy.explain_gradient(net(x).sum(), [net.encoder.weight, net.head.weight]))
    assert "1 of 2 chains are broken" in both and "`encoder.weight`" in both, both
    try:
        net(torch.rand(2, 7))
    except RuntimeError as error:
        told = str(tensorwhy.why(error))
        assert "TW701" in told and "`self.encoder.in_features` is 3" in told, told
"""

TESTS = """
def test_shapes():
    net(torch.rand(2, 7))

def test_gradients():
    loss = net(x).sum()
    loss.backward()
    for name, each in net.named_parameters():
        assert each.grad is not None, name

def test_asked():
    gradients = torch.autograd.grad(net(x).sum(), list(net.parameters()), allow_unused=True)
    assert all(each is not None for each in gradients)

def test_trains():
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(x).sum().backward()
    optimizer.step()

def test_numbers():
    assert torch.ones(2).sum() == 3
"""

CELLS = [
    "%load_ext tensorwhy",
    "import torch; from torch import nn; encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)",
    "optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)\n"
    "for step in range(2):\n"
    "    loss = head(encoder(torch.rand(5, 3)).detach()).sum()\n"
    "    loss.backward()\n"
    "    optimizer.step()",
    "print('nothing new')",
    "head(torch.rand(5, 3))",
]


@pytest.fixture
def run(python: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run(*args, folder=FOLDER)` runs Python there."""
    return lambda *args, folder: subprocess.run(
        [python, *args], cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )


def test_asserts_the_summary_and_predictions_know_modules(tmp_path: Path, run) -> None:
    (tmp_path / "program.py").write_text(NET + CALLS)
    done = run("program.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("options", [(), ("--why",)], ids=["plain", "why"])
def test_the_plugin_explains_tests_of_modules(options: tuple[str, ...], tmp_path: Path, run) -> None:
    (tmp_path / "test_net.py").write_text(NET + TESTS)
    done = run("-m", "pytest", "-p", "no:cacheprovider", *options, "test_net.py", folder=tmp_path)
    said = done.stdout + done.stderr
    assert "4 failed, 1 passed" in said, said
    assert said.count("TW701") == 1 and "`self.encoder.in_features` is 3" in said, said
    assert said.count("[TW104") == (3 if options else 2), said
    assert ("test_trains passed, but" in said) == bool(options), said
    assert f"tensorwhy{os.sep}adapters" not in said, said


def test_a_test_that_shares_a_fixture_is_told_how_to_be_explained(tmp_path: Path, run) -> None:
    test = """
import pytest, torch

@pytest.fixture(scope="module")
def weight():
    return torch.ones(2, requires_grad=True)

def test_it(weight):
    (weight.detach() * torch.ones(2, requires_grad=True)).sum().backward()
    assert weight.grad is not None
"""
    (tmp_path / "test_shared.py").write_text(test)
    said = run("-m", "pytest", "-p", "no:cacheprovider", "test_shared.py", folder=tmp_path).stdout
    assert "`pytest --why` records this test" in said, said


def test_an_operation_that_an_assert_ran_has_its_own_name(tmp_path: Path, run) -> None:
    program = (
        NET
        + """
import tensorwhy
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
nn.init.constant_(net[0].bias, -100.0)
try:
    tensorwhy.assert_gradients_flow(net, torch.rand(5, 3), allow_zeros=False)
except AssertionError as error:
    print(error)
"""
    )
    (tmp_path / "program.py").write_text(program)
    done = run("program.py", folder=tmp_path)
    assert "`relu` gets only negative inputs" in " ".join(done.stdout.split()), done.stdout + done.stderr


def test_a_notebook_shows_what_a_cell_lost_once_and_no_frame_of_ours(tmp_path: Path, run) -> None:
    pytest.importorskip("IPython")
    program = f"""
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance(colors="nocolor")
    for cell in {CELLS!r}:
        shell.run_cell(cell, store_history=True)
    """
    (tmp_path / "cells.py").write_text(textwrap.dedent(program))
    done = run("cells.py", folder=tmp_path)
    said = done.stdout + done.stderr
    assert said.count("[TW104") == 1 and said.count("[TW701") == 1, said
    assert "__torch_function__" not in said, said
