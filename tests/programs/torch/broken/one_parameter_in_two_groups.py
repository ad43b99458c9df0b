"""A tied weight is in two groups of an optimizer."""

import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        self.out.weight = self.table.weight


model = Tied()
groups = [{"params": model.table.parameters(), "lr": 0.01}, {"params": model.out.parameters()}]
opt = torch.optim.SGD(groups, lr=0.1)  # why: TW701
