"""Batch normalization updates its running statistics inside a transform."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
parameters = {name: each.detach() for name, each in net.named_parameters()}


def loss(parameters, x):
    return functional_call(net, parameters, (x,)).pow(2).mean()  # why: TW123


print(vmap(grad(loss), in_dims=(None, 0))(parameters, torch.randn(2, 8, 3)))
