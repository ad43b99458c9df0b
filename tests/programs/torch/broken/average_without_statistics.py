"""An average of the weights is kept for tests, and nobody copies the running statistics into it."""

import copy

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
average = copy.deepcopy(net).requires_grad_(False)
average.eval()  # why: TW613
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(12):
    opt.zero_grad()
    (net(torch.randn(8, 4) + 3) - 1).pow(2).mean().backward()
    opt.step()
    with torch.no_grad():
        for old, new in zip(average.parameters(), net.parameters()):
            old.lerp_(new, 0.5)
print(average(torch.randn(2, 4) + 3).shape)
