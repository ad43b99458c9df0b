"""Tensors that share the memory of parameters are anchors of a penalty, and an input to be changed."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
net[0].bias.requires_grad_(False)
anchors = [each.detach().requires_grad_(False) for each in net.parameters()]
optimizer = torch.optim.SGD([each for each in net.parameters() if each.requires_grad], 0.1)
for _ in range(4):
    prompt = net[0].bias.detach().requires_grad_(True)
    (slope,) = torch.autograd.grad((net[0].weight @ prompt).sum(), prompt)
    penalty = sum((each - anchor).pow(2).sum() for each, anchor in zip(net.parameters(), anchors))
    loss = net(torch.randn(8, 3) + slope).pow(2).mean() + penalty
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
