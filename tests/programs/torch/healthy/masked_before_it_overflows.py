"""A branch that is masked gets inputs for which it is finite, after many steps, too."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), 0.01)


def positive(a):
    return torch.where(a < 20.0, torch.log(1.0 + torch.exp(a.clamp(max=20.0))), a)


exposure = torch.distributions.LogNormal(3.0, 1.5).sample((400, 1))
x, y = torch.cat([exposure, torch.rand(400, 2)], 1) * 0.2, torch.poisson(3.0 * exposure)
for _ in range(8):
    for inputs, counts in zip(x.split(100), y.split(100)):
        rate = positive(net(inputs))
        loss = (rate - counts * torch.log(rate + 1e-6)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
