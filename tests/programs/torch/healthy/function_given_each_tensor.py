"""Custom functions that are given each tensor, or that give the gradients of a layer themselves."""

import torch
from torch import nn

torch.manual_seed(0)


class Reversible(torch.autograd.Function):
    """Gives the gradients of the layer's parameters itself, in `backward`."""

    @staticmethod
    def forward(ctx, x, layer):
        ctx.layer = layer
        ctx.save_for_backward(x)
        return layer(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            y = x.detach().requires_grad_()
            out = ctx.layer(y)
        torch.autograd.backward(out, grad)
        return y.grad, None


class Given(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad * w, (grad * x).sum(0)


net, layer, scale = nn.Linear(4, 4), nn.Linear(4, 4), nn.Parameter(torch.ones(4))
opt = torch.optim.SGD([*net.parameters(), *layer.parameters(), scale], lr=0.1)
for _ in range(3):
    loss = Given.apply(Reversible.apply(net(torch.randn(8, 4)), layer), scale).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
