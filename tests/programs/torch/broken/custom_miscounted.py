"""A custom function takes a tensor and a number, and its backward returns one gradient."""

import torch
from torch import nn


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad  # why: TW119


features, domain = nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*features.parameters(), *domain.parameters()], lr=0.1)
loss = domain(Reverse.apply(features(torch.randn(8, 4)), 0.5)).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()
