"""Anomaly mode raises at a logarithm whose NaN a selection before it would drop: no parameter would get it."""

import torch
from torch import nn

torch.manual_seed(0)
torch.autograd.set_detect_anomaly(True)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    chance = net(torch.randn(8, 4)).sigmoid()
    kept = torch.where(torch.rand(8, 2) > 0.5, chance, torch.zeros_like(chance))
    terms = torch.where(kept > 0, kept.log(), kept)  # why: TW611
    opt.zero_grad()
    terms.sum().backward()
    opt.step()
