"""A helper that starts afresh drops the gradients of the parameters, between `backward` and `step`."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def start_afresh(module):
    for each in module.parameters():
        each.grad = None  # why: TW604


for _ in range(12):
    x = torch.randn(16, 4)
    loss = (net(x) - x[:, :1]).square().mean()
    loss.backward()
    start_afresh(net)
    opt.step()
