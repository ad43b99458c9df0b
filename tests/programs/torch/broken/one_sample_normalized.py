"""The last batch has one sample, and batch normalization trains on it."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(9, 3).split(4):
    loss = net(x).pow(2).mean()  # why: TW701
    opt.zero_grad()
    loss.backward()
    opt.step()
