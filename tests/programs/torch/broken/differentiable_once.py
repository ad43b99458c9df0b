"""The gradient of a function that is marked as differentiable once is differentiated again."""

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

torch.manual_seed(0)


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable  # why: TW107
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


def field(x, w):
    return (Cube.apply(x * w) * w).sum()


x, w = torch.randn(4, requires_grad=True), torch.randn(4, requires_grad=True)
(slope,) = torch.autograd.grad(field(x, w), x, create_graph=True)
slope.pow(2).sum().backward()
