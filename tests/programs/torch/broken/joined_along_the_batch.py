"""Features are joined along the axis of the batch, and a layer refuses them."""

import torch
from torch import nn

parts = nn.ModuleList(nn.Linear(3, 5) for _ in range(4))
head = nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 1))
inputs = [torch.randn(6, 3) for _ in range(4)]
features = torch.cat([part(x) for part, x in zip(parts, inputs)])
print(head(features).mean())  # why: TW701
