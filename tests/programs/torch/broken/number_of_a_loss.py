"""The loss is made a number of Python before `backward`, which only tensors have."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(8, 2)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(16, 8), torch.randint(0, 2, (16,))
for step in range(3):
    loss = F.cross_entropy(net(x), y).item()
    opt.zero_grad()
    loss.backward()  # why: TW701
    opt.step()
