"""Labels of each pixel are integers of 32 bits."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
scores = nn.Conv2d(3, 4, 1)(torch.rand(2, 3, 5, 5))
print(nn.CrossEntropyLoss()(scores, torch.zeros(2, 5, 5, dtype=torch.int32)))  # why: TW701
