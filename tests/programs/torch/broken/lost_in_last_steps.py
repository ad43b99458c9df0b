"""A rate that is far too large: the weights are not finite after some steps, and gone at the end."""

import torch
from torch import nn


def train():
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=3e3)
    x = torch.randn(16, 2)
    for _ in range(11):
        loss = (net(x) - 1).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()  # why: TW611


train()
