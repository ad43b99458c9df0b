"""Gradients are meant to add up over three batches, and are cleared after each of them."""

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def advance(number):
    if number % 3 == 2:
        opt.step()


for number in range(12):
    loss = net(torch.randn(8, 4)).square().mean() / 3
    loss.backward()
    advance(number)
    net.zero_grad()  # why: TW121
