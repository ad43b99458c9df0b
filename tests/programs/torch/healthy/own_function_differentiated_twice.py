"""The gradient of a function of one's own is differentiated again."""

import torch
from torch.autograd import Function

torch.manual_seed(0)


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grad


def field(x, w):
    return (Cube.apply(x * w) * w).sum()


x, w = torch.randn(4, requires_grad=True), torch.randn(4, requires_grad=True)
(slope,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
slope.pow(2).sum().backward()
(slope,) = torch.autograd.grad(field(x, w), x, create_graph=True)
slope.pow(2).sum().backward()
