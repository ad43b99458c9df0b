"""A custom function whose backward forgets one input."""

import torch
from torch import nn
import torch.nn.functional as F

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad * w, None  # why: TW119


w = nn.Parameter(torch.ones(4))
net = nn.Linear(4, 4)
opt = torch.optim.SGD([w, *net.parameters()], lr=0.1)
for step in range(3):
    loss = Scale.apply(net(torch.randn(8, 4)), w).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
