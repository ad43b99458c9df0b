"""Gradients of four small batches for each step."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Linear(6, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
opt.zero_grad()
for number in range(16):
    loss = model(torch.randn(4, 6)).pow(2).mean() / 4
    loss.backward()
    if number % 4 == 3:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        print(f"{loss.item():.4f}")
