"""Squared errors of scores with class numbers: no other layout of the scores is meant, although one would broadcast."""

import torch
from torch import nn

torch.manual_seed(0)
scores = nn.Linear(6, 7)(torch.randn(4, 6))
kinds = torch.randint(0, 7, (4,))
loss = nn.MSELoss()(scores, kinds)  # why: TW701
