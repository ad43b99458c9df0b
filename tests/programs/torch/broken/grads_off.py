"""Gradients are switched off for evaluation, and never on again."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def evaluate():
    torch.set_grad_enabled(False)
    return net(torch.randn(8, 4)).mean().item()


print(evaluate() < 10)
loss = net(torch.randn(8, 4)).pow(2).mean()  # why: TW103
loss.backward()
