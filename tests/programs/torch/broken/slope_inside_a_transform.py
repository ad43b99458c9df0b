"""`torch.autograd.functional` makes a leaf of its input, which `vmap` does not allow."""

import torch
from torch import nn
from torch.func import vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))


def slope(x):
    return torch.autograd.functional.jacobian(net, x)  # why: TW701


print(vmap(slope)(torch.randn(8, 2)).shape)
