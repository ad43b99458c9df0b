"""The function that initialises a model looks for another kind of layer."""

import torch
from torch import nn


def start(module):
    if isinstance(module, nn.Conv2d):
        nn.init.kaiming_normal_(module.weight)
        module.bias.data.fill_(0.01)


net = nn.Sequential(nn.Conv1d(1, 4, 3), nn.ReLU(), nn.Conv1d(4, 1, 3))
net.apply(start)  # why: TW612
opt = torch.optim.Adam(net.parameters())
for step in range(4):
    opt.zero_grad()
    net(torch.randn(8, 1, 9)).pow(2).mean().backward()
    opt.step()
