"""Blocks leave themselves out by Python's random numbers, which a checkpoint does not repeat."""

import random

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
random.seed(1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        x = self.first(x).tanh()
        return self.second(x).tanh().exp() if random.random() < 0.5 else x


blocks = nn.Sequential(*[Block() for _ in range(6)])
optimizer = torch.optim.SGD(blocks.parameters(), lr=0.1)
x = torch.randn(3, 4)
for block in blocks:
    x = checkpoint(block, x, use_reentrant=False)
loss = x.sum()
loss.backward()  # why: TW701
optimizer.step()
