"""The last layer is an object of a class that is no module, and nothing is left of the model at the end."""

from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


class Output:
    def __init__(self, width):
        self.norm = nn.LayerNorm(width)  # why: TW602
        self.weight = nn.Parameter(torch.randn(3, width))

    def __call__(self, x):
        return F.linear(self.norm(x), self.weight)


@dataclass
class Parts:
    heads: list


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.parts = Parts([Output(8)])

    def forward(self, x):
        return self.parts.heads[0](self.body(x).relu())


def main():
    net = Net()
    opt = torch.optim.Adam(net.parameters())
    for _ in range(5):
        loss = F.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 3, (8,)))
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
