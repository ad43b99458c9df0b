"""The map has one position by the time that it is normalized."""

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(*[nn.Conv2d(3, 3, 4, 2, 1) for _ in range(4)])
        self.norm = nn.InstanceNorm2d(3)

    def forward(self, x):
        return self.norm(self.down(x))  # why: TW701


net = Encoder()
print(net(torch.randn(4, 3, 16, 16)).shape)
