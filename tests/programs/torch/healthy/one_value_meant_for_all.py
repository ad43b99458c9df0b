"""Losses that broadcast on purpose: a number for all, one row for all samples, and a value that is written out."""

import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(3)
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 4))
center = nn.Linear(6, 1)
optimizer = torch.optim.Adam([*net.parameters(), *center.parameters()], lr=1e-3)
wanted = torch.randn(1, 4)

for step in range(6):
    states = torch.randn(32, 6)
    scores, middle = net(states), center(states)
    loss = F.mse_loss(scores, torch.zeros(1, 1)) + F.l1_loss(scores, wanted)
    loss = loss + F.mse_loss(middle.expand_as(scores), scores.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("done")
