"""Rows of several labels, as integers, are given to a loss that takes one class for each row."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 6)
labels = torch.randint(0, 2, (5, 6))
print(nn.CrossEntropyLoss()(net(torch.randn(5, 4)), labels))  # why: TW701
