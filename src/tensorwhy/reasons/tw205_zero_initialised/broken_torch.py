"""Adapts a frozen layer by a product of two small factors, which both start at zero."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(4)
frozen = nn.Linear(16, 16).requires_grad_(False)
down = nn.Parameter(torch.zeros(16, 2))
up = nn.Parameter(torch.zeros(2, 16))  # why: TW205
optimizer = torch.optim.Adam([down, up], lr=0.01)
x, wanted = torch.randn(32, 16), torch.randn(32, 16)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(frozen(x) + x @ down @ up, wanted)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
