"""Layers that `__init__` assigns to local names are gone when the optimizer asks for parameters."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        first = nn.Linear(4, 8)  # why: TW116
        second = nn.Linear(8, 1)

    def parts(self):
        return filter(lambda p: p.requires_grad, self.parameters())


net = Net()
parameters = net.parts()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
