"""Anomaly mode raises in `backward`: the distance of a point to itself is the root of 0."""

import torch
from torch import nn

net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)


def distances(points):
    apart = points[:, None] - points[None]
    return apart.square().sum(-1).sqrt()  # why: TW211


with torch.autograd.set_detect_anomaly(True):
    for _ in range(3):
        loss = distances(net(torch.randn(5, 4))).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
