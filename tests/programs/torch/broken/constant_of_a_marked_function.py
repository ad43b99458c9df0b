"""The gradient of a function that is marked as differentiable once is a constant, and is differentiated again."""

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
    @once_differentiable  # why: TW106
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


x = torch.randn(4, requires_grad=True)
(slope,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
slope.pow(2).sum().backward()
