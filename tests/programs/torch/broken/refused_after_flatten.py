"""`flatten` merges the axis of the batch, and the layer after it gets one long vector."""

import torch
from torch import nn


class Routing(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(6, 3)

    def forward(self, x):
        x = torch.flatten(self.pool(x))
        return self.fc(torch.relu(x))  # why: TW701


Routing()(torch.randn(8, 6, 4, 4))
