"""A plain list of layers whose gradients are cleared after each step, in a function that has returned."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.rest = [nn.Linear(4, 4) for _ in range(2)]  # why: TW602

    def forward(self, x):
        x = self.first(x)
        for layer in self.rest:
            x = layer(x.relu())
        return x


def train():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(6):
        net(torch.randn(8, 4)).square().mean().backward()
        opt.step()
        for layer in [net, *net.rest]:
            layer.zero_grad()


train()
