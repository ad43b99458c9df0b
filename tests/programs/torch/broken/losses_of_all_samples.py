"""A function that is differentiated returns one loss for each sample."""

import torch
from torch import nn
from torch.func import functional_call, grad

torch.manual_seed(0)
net = nn.Linear(4, 2)
weights = {name: each.detach() for name, each in net.named_parameters()}


def losses(weights, x):
    return functional_call(net, weights, (x,)).square().mean(1)  # why: TW701


print(grad(losses)(weights, torch.randn(3, 4)))
