"""A second derivative through a function that computes its slope from what it saved, and keeps something beside."""

import torch


class Bump(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        bump = torch.exp(-x.square())
        ctx.largest = bump.max()
        ctx.save_for_backward(x)
        return bump

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * -2 * x * torch.exp(-x.square()) * (ctx.largest > 0)


def derivative(of, by):
    return torch.autograd.grad(of.sum(), by, create_graph=True)[0]


x = torch.linspace(-1, 1, 9, requires_grad=True)
slope = derivative(3 * Bump.apply(2 * x), x)
bend = derivative(slope, x)
assert bend.abs().sum() > 1
line = derivative(derivative(5 * x, x) * x, x)
assert bool((line == 5).all())
