"""A function makes the step already, and the loop makes it again."""

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)


def update(loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


for _ in range(12):
    update((net(torch.randn(16, 4)) - 1).square().mean())
    opt.step()  # why: TW121
