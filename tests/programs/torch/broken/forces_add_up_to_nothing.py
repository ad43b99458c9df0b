"""Forces between particles add up to zero: the derivative of their sum is zero for any network."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters())


def stiffness(forces, places):
    return torch.autograd.grad(forces.sum(), places, create_graph=True)[0].pow(2).mean()  # why: TW206


for _ in range(4):
    places = torch.randn(5, 1, requires_grad=True)
    energy = net((places[:, None] - places[None, :]).pow(2)).sum()
    forces = -torch.autograd.grad(energy, places, create_graph=True)[0]
    loss = forces.pow(2).mean() + stiffness(forces, places)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
