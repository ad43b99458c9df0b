"""Weights are set to zero and their gradients with them, and the momentum of earlier gradients moves them again."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(32, 6)
y = x.sum(1, keepdim=True)
layers = [net[0], net[2]]
masks = [torch.ones_like(each.weight) for each in layers]


def mask_gradients():
    for layer, mask in zip(layers, masks):
        layer.weight.grad *= mask  # why: TW607


for step in range(40):
    if step == 20:
        masks = [(each.weight.abs() > each.weight.abs().median()).float() for each in layers]
        for layer, mask in zip(layers, masks):
            layer.weight.data.mul_(mask)
    loss = (net(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    mask_gradients()
    optimizer.step()
