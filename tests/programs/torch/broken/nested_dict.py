"""Layers in a dict of lists, filled by a helper."""

import torch
from torch import nn
import torch.nn.functional as F

def towers():
    return {"left": [nn.Linear(4, 8)], "right": [nn.Linear(4, 8)]}  # why: TW602


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.towers = towers()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(sum(tower(x) for layers in self.towers.values() for tower in layers))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    loss = net(torch.randn(8, 4)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
