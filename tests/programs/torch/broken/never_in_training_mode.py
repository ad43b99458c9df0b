"""The builder of a model ends with `eval()`, and nobody calls `train()` before it is trained."""

import torch
from torch import nn


def build():
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
    return net.eval()  # why: TW613


net = build()
opt = torch.optim.Adam(net.parameters())
for step in range(8):
    opt.zero_grad()
    (net(torch.randn(8, 4) + 3) - 1).pow(2).mean().backward()
    opt.step()
