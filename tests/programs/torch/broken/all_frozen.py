"""Everything was frozen, and the loss has no graph."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
for each in net.parameters():
    each.requires_grad = False  # why: TW116
loss = net(torch.randn(8, 4)).pow(2).mean()
loss.backward()
