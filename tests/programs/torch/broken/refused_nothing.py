"""`forward` forgets to return its result."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 3)

    def forward(self, x):
        x = torch.relu(self.layer(x))


scores = Model()(torch.randn(4, 2))
scores.argmax(1)  # why: TW701
