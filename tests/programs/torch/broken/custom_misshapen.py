"""The `backward` of a function gives a gradient in another shape than its input has."""

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad @ weight.t(), grad.t() @ x  # why: TW119


x = torch.randn(4, 3, requires_grad=True)
weight = torch.randn(3, 2, requires_grad=True)
Product.apply(x, weight).sum().backward()
