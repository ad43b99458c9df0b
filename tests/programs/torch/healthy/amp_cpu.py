"""Autocast to bfloat16 on the CPU."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(torch.randn(8, 6))
        loss = out.float().pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.3f}")
