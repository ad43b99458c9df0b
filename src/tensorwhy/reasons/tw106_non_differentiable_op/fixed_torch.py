"""Trains a classifier with the loss that stands for how many of its predictions are right."""

# requires: torch
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, labels = torch.randn(32, 8), torch.randint(0, 3, (32,))

logits = model(batch)
loss = nn.functional.cross_entropy(logits, labels)
optimizer.zero_grad()
loss.backward()
optimizer.step()
print("right", (logits.argmax(dim=1) == labels).float().mean().item())

assert all(each.grad is not None for each in model.parameters())
