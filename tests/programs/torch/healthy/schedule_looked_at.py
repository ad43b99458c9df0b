"""Who looks at a schedule alone makes steps without a gradient."""

import torch
from torch import nn

layer = nn.Linear(2, 2)
looked_at = torch.optim.SGD(layer.parameters(), lr=0.1)
falling = torch.optim.lr_scheduler.ExponentialLR(looked_at, 0.9)
rates = []
for step in range(10):
    rates.append(falling.get_last_lr()[0])
    looked_at.step()
    falling.step()
assert rates[-1] < rates[0]
