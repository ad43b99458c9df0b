"""The curvature is asked of a slope that was computed without a graph of its own."""

# requires: torch
import torch
from torch import nn


def slope(values, points):
    return torch.autograd.grad(values.sum(), points)[0]  # why: TW106


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.linspace(0, 1, 5)[:, None].requires_grad_()
first = slope(net(x), x)
print(torch.autograd.grad(net(x).sum(), first))
