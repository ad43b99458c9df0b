"""Anomaly mode is on, and the program goes on without what raises there."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.autograd.detect_anomaly(check_nan=True):
    for _ in range(4):
        loss = (net(torch.randn(8, 4)).square().sum(1) + 1e-6).sqrt().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
print(torch.is_anomaly_enabled())
