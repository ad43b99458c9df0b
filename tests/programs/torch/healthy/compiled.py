"""A compiled model and loss."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
fast = torch.compile(model, backend="eager")


@torch.compile(backend="eager")
def loss_of(out):
    return out.pow(2).mean()


opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    loss = loss_of(fast(torch.randn(8, 4)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
