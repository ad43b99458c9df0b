"""Custom functions: straight through, reversed, clipped, a loss that knows its gradient, one that computes again."""

import torch
from torch import nn

torch.manual_seed(0)


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, grad):
        return grad


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, *grads):
        return -ctx.factor * grads[0].clamp(-1, 1), None


class Known(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.grad = 2 * x / x.numel()
        return x.pow(2).mean()

    @staticmethod
    def backward(ctx, one):
        return ctx.grad


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        with torch.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            return torch.autograd.grad(x.sin(), x, grad)[0]


net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(4):
    opt.zero_grad()
    Known.apply(Again.apply(Reverse.apply(Step.apply(net(torch.randn(8, 4))), 0.5))).backward()
    opt.step()
    print(f"{net[0].weight.sum().item():.4f}")
