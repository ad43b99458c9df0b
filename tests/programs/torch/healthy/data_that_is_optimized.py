"""An optimizer is given data that requires a gradient."""

import torch
from torch import nn

torch.manual_seed(0)


class Batch:
    def __init__(self):
        self.x = torch.randn(8, 3, requires_grad=True)


def optimizer_of(batch):
    return torch.optim.Adam([batch.x], 0.1)


net, batch = nn.Linear(3, 1), Batch()
optimizer = optimizer_of(batch)
for _ in range(4):
    optimizer.zero_grad()
    net(batch.x).pow(2).mean().backward()
    optimizer.step()
