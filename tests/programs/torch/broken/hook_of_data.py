"""The backward hook of the first layer returns a gradient, and the data need none."""

import torch
from torch import nn

torch.manual_seed(0)


def smaller(module, grad_input, grad_output):
    return (torch.zeros(5, 4),)  # why: TW701


model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
model[0].register_full_backward_hook(smaller)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = model(torch.randn(5, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
