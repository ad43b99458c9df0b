"""Gradients for each sample, by a loss that expects a batch."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 4), nn.Tanh(), nn.Linear(4, 3))
weights = {name: each.detach() for name, each in net.named_parameters()}


def scores(weights, series):
    return functional_call(net, weights, (series.permute(0, 2, 1),)).mean(1)  # why: TW701


def loss_of(weights, series, label):
    return nn.functional.cross_entropy(scores(weights, series), label)


series, labels = torch.randn(5, 6, 7), torch.randint(0, 3, (5,))
print(loss_of(weights, series, labels))
per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))(weights, series, labels)
print({name: each.shape for name, each in per_sample.items()})
