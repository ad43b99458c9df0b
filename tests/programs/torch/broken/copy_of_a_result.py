"""A module keeps a result as an attribute, and is copied."""

import copy

import torch
from torch import nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(3, 4))
        self.weight = self.raw / self.raw.norm(dim=1, keepdim=True)

    def forward(self, x):
        return x @ self.weight.t()


model = Normed()
average = copy.deepcopy(model)  # why: TW701
