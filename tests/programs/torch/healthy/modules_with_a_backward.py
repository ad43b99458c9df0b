"""Modules whose method `backward` runs: one computes losses, and one is called by hand, from a hook, with a gradient."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)

    def backward(self, output, wanted):
        loss = (output - wanted).square().mean()
        loss.backward()
        return loss


class Scaled(nn.Module):
    def forward(self, x):
        if x.requires_grad:
            x.register_hook(self.backward)
        return x * 1.0

    def backward(self, grad):
        return grad * 0.5


model, scaled = Model(), Scaled()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(5, 4)
    optimizer.zero_grad()
    model.backward(scaled(model(x)), x[:, :2])
    optimizer.step()
