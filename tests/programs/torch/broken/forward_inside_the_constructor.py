"""`forward` of a module is indented too far: it is a local function of `__init__`."""

import torch
from torch import nn


class Net(nn.Module):  # why: TW701
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(3, 1)

        def forward(self, x):
            return self.dense(x)


class Deep(Net):
    pass


net = nn.Sequential(nn.Linear(3, 3), Deep())
print(net(torch.ones(2, 3)))
