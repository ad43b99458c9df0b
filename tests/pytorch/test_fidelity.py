"""A program that trains with PyTorch behaves as under plain python, however it is started, in all else that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from cli.surfaces import KINDS, compare

TRAINING = """
import torch

def train():
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = (layer(torch.ones(3, 2)) - 1).pow(2).sum()
        loss.detach().requires_grad_().backward()
        optimizer.step()
    return round(loss.item(), 4)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_does_what_it_does_however_it_is_started(kind: str, tmp_path: Path) -> None:
    if kind == "ipython":
        pytest.importorskip("IPython")
    compare(kind, TRAINING, tmp_path)
