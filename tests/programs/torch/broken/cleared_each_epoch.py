"""Gradients are cleared once in an epoch, and used in each batch."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batches = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(5)]
for _ in range(3):
    optimizer.zero_grad()  # why: TW121
    for x, y in batches:
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
