"""Parameters that are made anew on purpose: perturbations, inner loops with their own optimizer, and constants."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def attacked(x):
    delta = nn.Parameter(torch.zeros_like(x))
    net(x + delta).pow(2).sum().backward()
    return x + 0.1 * delta.grad.sign()


def refined(x):
    shift = nn.Parameter(torch.zeros(4))
    inner = torch.optim.SGD([shift], lr=0.1)
    for _ in range(2):
        inner.zero_grad()
        net(x + shift).pow(2).mean().backward()
        inner.step()
    return x + shift.detach()


def slope(x):
    point = nn.Parameter(x.clone())
    (found,) = torch.autograd.grad(net(point).sum(), point, create_graph=True)
    return found.pow(2).mean()


for step in range(5):
    x = refined(attacked(torch.randn(8, 4)))
    scale = nn.Parameter(torch.tensor(2.0), requires_grad=False)
    loss = (scale * net(x)).pow(2).mean() + slope(x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
