"""The optimizer holds the parameters of a model that was made again."""

import torch
from torch import nn
import torch.nn.functional as F

def build():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


net = build()
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # why: TW117
net = build()
for step in range(4):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
