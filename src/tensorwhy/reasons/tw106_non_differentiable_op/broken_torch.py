"""Trains a classifier on how many of its predictions are right."""

# requires: torch
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, labels = torch.randn(32, 8), torch.randint(0, 3, (32,))

predicted = model(batch).argmax(dim=1)  # why: TW106
loss = 1 - (predicted == labels).float().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
