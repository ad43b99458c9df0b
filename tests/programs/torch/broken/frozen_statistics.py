"""A frozen batch norm that still follows the data."""

import torch
from torch import nn
import torch.nn.functional as F

body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
for each in body.parameters():
    each.requires_grad = False  # why: TW607
head = nn.Linear(8, 1)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(4):
    loss = head(body(torch.randn(8, 4))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
