"""An optimizer gets the parameters that require gradients while all of them are frozen: it has none."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net.requires_grad_(False)
groups = [{"params": [each for each in net.parameters() if each.requires_grad], "lr": 1e-2}]
optimizer = torch.optim.Adam(groups)  # why: TW604
net.requires_grad_(True)
for _ in range(5):
    x = torch.randn(16, 4)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    net.zero_grad()
    loss.backward()
    optimizer.step()
