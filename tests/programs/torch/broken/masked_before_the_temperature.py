"""Scores are masked before they are divided by a learned temperature, which gets infinity times a gradient of zero."""

import torch
from torch import nn

torch.manual_seed(0)
temperature = nn.Parameter(torch.tensor(0.5))
keys = nn.Linear(4, 6)
optimizer = torch.optim.SGD([temperature, *keys.parameters()], lr=0.1)
valid = torch.tensor([True, True, False, True, True, False])


def scaled(scores):
    return scores / temperature  # why: TW211


for _ in range(4):
    scores = keys(torch.randn(8, 4)).masked_fill(~valid, float("-inf"))
    loss = nn.functional.cross_entropy(scaled(scores), torch.zeros(8, dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
