"""The best model is kept as a copy, and loaded at the end."""

import torch
from torch import nn
import torch.nn.functional as F

import copy

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best, kept = 1e9, None
for step in range(5):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best, kept = loss.item(), copy.deepcopy(model)
    print(f"{loss.item():.4f}")
print(f"{kept(torch.ones(1, 4)).item():.4f}")
