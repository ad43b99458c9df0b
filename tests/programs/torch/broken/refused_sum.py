"""A shortcut past a convolution with a stride."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, given, made, stride):
        super().__init__()
        self.conv = nn.Conv2d(given, made, 3, stride=stride, padding=1)

    def forward(self, x):
        changed = self.conv(x)
        return torch.relu(changed + x)  # why: TW701


nn.Sequential(Block(3, 3, 1), Block(3, 8, 2))(torch.randn(2, 3, 16, 16))
