"""Gradients are taken out before they are cleared, and put back added up; only that sum is used."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(8):
    kept = []
    for _ in range(3):
        opt.zero_grad()
        (net(torch.randn(16, 4)) - 1).square().mean().backward()
        kept.append([each.grad for each in net.parameters()])
    for parameter, grads in zip(net.parameters(), zip(*kept)):
        parameter.grad = torch.stack(grads).mean(0)
    opt.step()
print("done")
