"""A probability that is exactly 1 for inputs in the thousands: the guard before the logarithm then passes nothing."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
with torch.no_grad():
    for parameter in net.parameters():
        parameter.abs_()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.rand(16, 3) * 5000 + 1000, torch.zeros(16, 1)
for step in range(5):
    p = torch.sigmoid(net(x))
    p = torch.clamp(p, 1e-5, 1 - 1e-5)  # why: TW203
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
