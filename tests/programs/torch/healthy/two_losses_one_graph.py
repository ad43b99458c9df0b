"""Two losses on one graph, backward twice with the graph kept."""

import torch
from torch import nn
import torch.nn.functional as F

trunk, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = torch.optim.SGD([*trunk.parameters(), *a.parameters(), *b.parameters()], lr=0.1)
for step in range(4):
    hidden = torch.tanh(trunk(torch.randn(8, 4)))
    first, second = a(hidden).pow(2).mean(), b(hidden).abs().mean()
    opt.zero_grad()
    first.backward(retain_graph=True)
    second.backward()
    opt.step()
    print(f"{first.item():.4f} {second.item():.4f}")
