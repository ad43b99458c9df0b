"""Masked gradients whose values stay: without momentum, with the momentum masked as well, or set back after each step."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 6)
y = x.sum(1, keepdim=True)


def train(way, **settings):
    layer = nn.Linear(6, 1)
    kind = torch.optim.Adam if way == "again" else torch.optim.SGD
    optimizer = kind(layer.parameters(), lr=0.05, **settings)
    mask = torch.tensor([[1.0, 1.0, 0.0, 1.0, 0.0, 1.0]])
    for step in range(20):
        if step == 10:
            layer.weight.data.mul_(mask)
            for held in optimizer.state[layer.weight].values() if way == "state" else ():
                held.mul_(mask)
        loss = (layer(x) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        if step >= 10 or way == "plain":
            layer.weight.grad.mul_(mask)
        else:
            layer.weight.grad.mul_(1.0)
        optimizer.step()
        if way == "again" and step >= 10:
            layer.weight.data.mul_(mask)
    print(way, int((layer.weight == 0).sum()))


train("plain")
train("state", momentum=0.9)
train("again", weight_decay=0.1)
