"""A part of `forward` that forgets to return."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def features(self, x):
        x = torch.relu(self.body(x))

    def forward(self, x):
        return self.head(self.features(x))  # why: TW701


Net()(torch.randn(2, 4))
