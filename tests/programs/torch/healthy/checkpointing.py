"""Checkpointed blocks, with and without re-entrance."""

import torch
from torch import nn
import torch.nn.functional as F

from torch.utils.checkpoint import checkpoint

first, second = nn.Sequential(nn.Linear(6, 8), nn.ReLU()), nn.Linear(8, 1)
opt = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 6, requires_grad=True)
    hidden = checkpoint(first, x, use_reentrant=True)
    loss = checkpoint(second, hidden, use_reentrant=False).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
