"""Lazy layers that one batch completes before the optimizer is made."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), nn.LazyLinear(1))
model(torch.randn(2, 5))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = model(torch.randn(8, 5)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
