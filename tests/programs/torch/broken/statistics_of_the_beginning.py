"""A network that no batch has gone through in training mode is compared with itself in both modes."""

import torch
from torch import nn

net = nn.Sequential(nn.Conv1d(1, 4, 3), nn.BatchNorm1d(4), nn.ReLU())
x = torch.rand(8, 1, 16) * 5 + 2
net.eval()  # why: TW613
with torch.no_grad():
    first = net(x)
net.train()
print((first - net(x)).abs().max() > 0.1)
