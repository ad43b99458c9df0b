"""A layer assigns what it computes from a parameter to that parameter."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        self.scale = self.scale / self.scale.norm()  # why: TW701
        return x * self.scale


scaled = Scaled()
optimizer = torch.optim.SGD(scaled.parameters(), lr=0.1)
scaled(torch.ones(3, 4)).sum().backward()
optimizer.step()
