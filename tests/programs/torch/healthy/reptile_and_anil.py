"""Reptile: weights move toward those of a trained copy. ANIL: only the head adapts in the inner loop."""

from copy import deepcopy

import torch
from torch import nn


def make_task():
    amplitude, phase = torch.rand(1) * 4 + 0.1, torch.rand(1) * 3
    return lambda x: amplitude * torch.sin(x + phase)


model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
for iteration in range(3):
    task = make_task()
    before = deepcopy(model.state_dict())
    for _ in range(3):
        x = torch.rand(10, 1) * 10 - 5
        model.zero_grad()
        loss = (model(x) - task(x)).pow(2).mean()
        loss.backward()
        for param in model.parameters():
            param.data -= 0.02 * param.grad.data
    after = model.state_dict()
    step = 0.1 * (1 - iteration / 3)
    model.load_state_dict({name: before[name] + (after[name] - before[name]) * step for name in before})
    print(f"{iteration} {loss.item():.4f}")


class ANIL(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(1, 16), nn.ReLU())
        self.w, self.b = nn.Parameter(torch.randn(16, 1) * 0.1), nn.Parameter(torch.zeros(1))

    def forward(self, x, head=None):
        w, b = head if head is not None else (self.w, self.b)
        return self.features(x) @ w + b


model = ANIL()
meta = torch.optim.Adam(model.parameters(), lr=1e-2)
for iteration in range(3):
    meta.zero_grad()
    total = 0.0
    for _ in range(2):
        task = make_task()
        head = (model.w, model.b)
        x = torch.rand(8, 1) * 10 - 5
        for _ in range(2):
            inner = (model(x, head) - task(x)).pow(2).mean()
            grads = torch.autograd.grad(inner, head, create_graph=True)
            head = tuple(p - 0.01 * g for p, g in zip(head, grads))
        x = torch.rand(8, 1) * 10 - 5
        outer = (model(x, head) - task(x)).pow(2).mean() / 2
        outer.backward()
        total += outer.item()
    meta.step()
    print(f"{iteration} {total:.4f}")
