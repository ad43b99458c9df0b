"""A guard before a logarithm, with inputs of a size for which no probability is exactly 0 or 1."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.rand(16, 3) * 5000 + 1000, torch.zeros(16, 1)
x = (x - x.mean(0)) / x.std(0)
for step in range(5):
    p = torch.clamp(torch.sigmoid(net(x)), 1e-5, 1 - 1e-5)
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(round(float(loss.detach()), 4) > 0)
