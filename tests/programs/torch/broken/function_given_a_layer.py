"""A custom function computes with a layer that it is given, whose parameters are no arguments."""

import torch
from torch import nn

torch.manual_seed(0)


class Implicit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, layer):
        ctx.layer = layer
        z = x
        for _ in range(3):
            z = torch.tanh(layer(z) + x)
        return z

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(Implicit.apply(self.head.weight * x, self.inner))  # why: TW115


net = Block()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
