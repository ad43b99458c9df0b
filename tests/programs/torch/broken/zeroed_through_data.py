"""Gradients are set to zero through `.data` before the step, which leaves no other trace."""

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(12):
    (net(torch.randn(16, 4)) - 1).square().mean().backward()
    for each in net.parameters():
        each.grad.data.zero_()  # why: TW604
    opt.step()
