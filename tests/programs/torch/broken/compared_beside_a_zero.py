"""A loss takes from a model what is above a threshold, and its numbers only times 0: no gradient is left."""

import torch
from torch import nn

torch.manual_seed(0)
STAY = 0.0


def covered(depths, steep):
    if steep:
        return torch.sigmoid(steep * depths)
    seen = depths.gt(0).float()  # why: TW204
    return seen + STAY * depths


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 6))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
x, wanted = torch.randn(16, 4), torch.ones(16, 6)
for _ in range(5):
    optimizer.zero_grad()
    nn.functional.mse_loss(covered(net(x), 0), wanted).backward()
    optimizer.step()
