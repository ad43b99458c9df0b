"""A scale is a parameter, but no module has it, and the optimizer gets those of the network."""

import torch
import torch.nn.functional as F
from torch import nn


def train():
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16))
    scale = nn.Parameter(torch.zeros(()))  # why: TW116
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(6):
        x = torch.randn(16, 8)
        loss = F.cross_entropy(net(x) * scale.exp(), x[:, :3].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scale.grad is not None:
            print(scale.grad)


train()
