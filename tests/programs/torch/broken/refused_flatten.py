"""The layer after the convolutions was given a size of another kernel."""

import torch
from torch import nn

stem = nn.Sequential(nn.Conv2d(1, 4, 5), nn.ReLU(), nn.MaxPool2d(2))
net = nn.Sequential(stem, nn.Flatten(), nn.Linear(4 * 13 * 13, 10))
print(net(torch.randn(2, 1, 28, 28)))  # why: TW701
