"""A custom function in autocast mixes dtypes in its backward, where autocast is off."""

import torch
from torch import nn


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return (x.float() @ weight).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        back = grad @ weight.t()  # why: TW701
        return back, x.t() @ grad


net, weight = nn.Linear(4, 4), nn.Parameter(torch.randn(4, 2))
with torch.autocast("cpu", dtype=torch.bfloat16):
    loss = Mix.apply(net(torch.randn(8, 4)), weight).pow(2).mean()
loss.backward()
