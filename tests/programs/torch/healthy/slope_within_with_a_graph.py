"""Slopes in the `forward` and `backward` of a custom function, and in a hook, each computed with a graph."""

import torch
from torch import nn

torch.manual_seed(0)


class Flow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, net):
        ctx.net = net
        ctx.save_for_backward(x)
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            return x + torch.autograd.grad(net(x).sum(), x)[0]

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            y = x.detach().requires_grad_()
            out = ctx.net(y).sum()
        return grad + 0 * torch.autograd.grad(out, y)[0], None


net = nn.Linear(3, 1)
w = nn.Parameter(torch.randn(4, 3))
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    loss = Flow.apply(w, net).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()


def penalise(grad):
    with torch.enable_grad():
        probe = w.detach().requires_grad_()
        extra = net(probe).pow(2).sum()
    return grad + torch.autograd.grad(extra, probe)[0]


w.register_hook(penalise)
loss = net(w).pow(2).sum()
opt.zero_grad()
loss.backward()
opt.step()
