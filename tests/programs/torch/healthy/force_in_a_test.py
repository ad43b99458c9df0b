"""A force is a gradient, also in the last test, which runs in `no_grad`."""

import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x).sum()


def force(model, x, training):
    with torch.enable_grad():
        x = x.clone().requires_grad_()
        return -torch.autograd.grad(model(x), x, create_graph=training)[0]


def error(model, x, training):
    return (force(model, x, training) + x).pow(2).mean()


torch.manual_seed(7)
model = Potential()
optimizer = torch.optim.Adam(list(model.parameters())[:3], lr=0.02)
for step in range(8):
    loss = error(model, torch.randn(16, 3), True)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

with torch.no_grad():
    print(error(model, torch.randn(16, 3), False) < 10)
