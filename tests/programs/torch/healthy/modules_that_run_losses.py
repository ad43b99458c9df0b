"""A module whose method `backward` takes a loss, as those of training frameworks do, beside a layer without one."""

import torch
from torch import nn


class Engine(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        return self.model(x)

    def backward(self, loss):
        loss.backward()
        return loss.detach()


engine = Engine(nn.Linear(4, 2))
optimizer = torch.optim.SGD(engine.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(5, 4)
    optimizer.zero_grad()
    engine.backward((engine(x) - x[:, :2]).square().mean())
    optimizer.step()
