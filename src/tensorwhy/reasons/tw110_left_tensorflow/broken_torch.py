"""Adds up the losses of several tasks as Python numbers, and makes a tensor of the sum."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, wanted = torch.randn(32, 8), torch.randn(32, 3)

for step in range(3):
    error = (model(batch) - wanted).pow(2).mean(dim=0)
    total = sum(each.item() for each in error)  # why: TW110
    loss = torch.tensor(total, requires_grad=True)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
