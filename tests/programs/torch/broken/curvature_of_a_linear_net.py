"""The curvature of a network without an activation: its slope has a graph, to the weights and not to the points."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 6), nn.Linear(6, 1))
optimizer = torch.optim.Adam(net.parameters())
for _ in range(3):
    points = torch.rand(12, 2, requires_grad=True)
    values = net(points)
    (slope,) = torch.autograd.grad(values.sum(), points, create_graph=True)  # why: TW106
    (bend,) = torch.autograd.grad(slope[:, 0].sum(), points, create_graph=True)
    loss = (bend.sum(1) + values[:, 0]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
