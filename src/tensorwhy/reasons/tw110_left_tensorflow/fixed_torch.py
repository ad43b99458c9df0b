"""Adds up the losses of several tasks as tensors."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, wanted = torch.randn(32, 8), torch.randn(32, 3)

for step in range(3):
    error = (model(batch) - wanted).pow(2).mean(dim=0)
    loss = sum(error)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")

assert model.weight.grad is not None
