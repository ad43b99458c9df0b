"""The same kinds of work as `workloads`, in PyTorch: realistic training steps, and the worst case.

As in Keras' eager mode, the recurrent one runs operation by operation: `torch.nn.LSTM` would be a single one.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from sampling import Step
from torch import Tensor, nn


def tiny_ops() -> Step:
    """Two hundred operations on scalars and their gradient: nothing but overhead."""
    x = torch.tensor(0.5, requires_grad=True)

    def step() -> object:
        y = x * 1.0
        for _ in range(100):
            y = torch.sin(y) + x
        return torch.autograd.grad(y, x)

    return step


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))


def cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10),
    )  # fmt: skip


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell, self.head = nn.LSTMCell(32, 64), nn.Linear(64, 10)

    def forward(self, x: Tensor) -> Tensor:
        hidden = state = x.new_zeros(len(x), 64)
        for moment in x.unbind(1):
            hidden, state = self.cell(moment, (hidden, state))
        return self.head(hidden)


class TransformerBlock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(64, 4, batch_first=True)
        self.first, self.second = nn.LayerNorm(64), nn.LayerNorm(64)
        self.wide, self.narrow, self.head = nn.Linear(64, 128), nn.Linear(128, 64), nn.Linear(64, 10)

    def forward(self, x: Tensor) -> Tensor:
        attended = self.first(x + self.attention(x, x, x, need_weights=False)[0])
        hidden = self.narrow(torch.relu(self.wide(attended)))
        return self.head(self.second(attended + hidden).mean(1))


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "MLP": (mlp, (64, 128)),
    "CNN": (cnn, (16, 3, 28, 28)),
    "LSTM": (Recurrent, (32, 20, 32)),
    "transformer block": (TransformerBlock, (16, 32, 64)),
}
"""How each model is made, and the shape of a batch."""


def training(name: str) -> Step:
    make, shape = MODELS[name]
    model, x, y = make(), torch.randn(shape), torch.randint(10, shape[:1])
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)

    def step() -> object:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step


WORKLOADS: dict[str, Callable[[], Step]] = {
    "micro loop of tiny ops": tiny_ops,
    **{f"{name} + Adam, eager": lambda name=name: training(name) for name in MODELS},
}
