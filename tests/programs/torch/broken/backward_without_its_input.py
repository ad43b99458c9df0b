"""A custom function whose backward leaves out the gradient that comes in, and one that asks for a graph it has not."""

import torch
from torch import nn


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2  # why: TW119


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return torch.tanh(x * scale)

    @staticmethod
    def backward(ctx, grad):
        x, scale = (each.detach().requires_grad_() for each in ctx.saved_tensors)
        found = torch.tanh(x * scale).requires_grad_()
        return torch.autograd.grad(found, (x, scale), grad, allow_unused=True)  # why: TW119


first, scale, last = nn.Linear(4, 4), nn.Parameter(torch.ones(4)), nn.Linear(4, 1)
opt = torch.optim.SGD([*first.parameters(), scale, *last.parameters()], lr=0.01)
for step in range(5):
    opt.zero_grad()
    found = last(Cube.apply(first(torch.randn(8, 4))))
    (found.pow(2).mean() + Again.apply(first.weight, scale).mean()).backward()
    opt.step()
