"""A model that returns nothing, and one that returns a pair."""

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        hidden = self.layer(x)
        return hidden, hidden.mean()


loss = Pair()(torch.randn(4, 2))
loss.backward()  # why: TW701
