"""A parameter that is made of a result."""

import torch
from torch import nn
import torch.nn.functional as F

source = nn.Linear(4, 3)
opt = torch.optim.SGD(source.parameters(), lr=0.1)
for step in range(3):
    weight = nn.Parameter(source(torch.ones(2, 4)))  # why: TW106
    loss = F.linear(torch.randn(5, 3), weight).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
