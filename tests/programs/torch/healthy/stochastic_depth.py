"""Layers that are skipped at random, and an early exit."""

import torch
from torch import nn
import torch.nn.functional as F

import random

layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(4))
head = nn.Linear(4, 1)
opt = torch.optim.Adam([*layers.parameters(), *head.parameters()])
for step in range(10):
    x = torch.randn(8, 4)
    for layer in layers:
        if random.random() < 0.6:
            x = x + torch.relu(layer(x))
    loss = head(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("done")
