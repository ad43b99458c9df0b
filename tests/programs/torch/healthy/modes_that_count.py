"""Modes of the program's own count what is called: only what the program itself calls."""

from collections import Counter

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(0)
counts: Counter[str] = Counter()


class Functions(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        counts[f"function {getattr(func, '__name__', func)}"] += 1
        return func(*args, **(kwargs or {}))


class Dispatched(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        counts[f"dispatch {func}"] += 1
        return func(*args, **(kwargs or {}))


def train(steps):
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()


def ascend(steps):
    w = torch.ones(3, requires_grad=True)
    for _ in range(steps):
        (gradient,) = torch.autograd.grad((w * w).sum(), w)
        with torch.no_grad():
            w -= 0.1 * gradient
    buffer = torch.zeros(3)
    buffer.add_(1.0)
    buffer[0] = 2.0
    print((buffer * w).tolist(), buffer.numpy())


with Functions(), Dispatched():
    train(12)
    ascend(6)
train(200)
with Functions():
    train(6)
    ascend(6)
with Dispatched():
    train(6)
    ascend(6)
with Dispatched(), Functions(), Dispatched(), Functions():
    train(3)
for name, count in sorted(counts.items()):
    print(name, count)
