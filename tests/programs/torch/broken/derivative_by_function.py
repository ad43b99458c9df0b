"""The loss is computed with a derivative that is a constant."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
point = torch.tensor([0.4], requires_grad=True)
optimizer = torch.optim.SGD([point], lr=0.05)
for _ in range(5):
    slope = torch.autograd.functional.jacobian(net, point).view(1)  # why: TW107
    loss = (net(point) + slope * (0.9 - point)).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
