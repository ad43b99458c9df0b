"""A function of the program's own hands integers on: its backward pass, which is right, is never called."""

import torch
from torch import nn


class Packed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        scale = values.abs().max() / 127
        ctx.save_for_backward(scale)
        ctx.mark_non_differentiable(scale)
        return (values / scale).round().to(torch.int8), scale

    @staticmethod
    def backward(ctx, grad, _):
        return grad / ctx.saved_tensors[0]


def sent(values):
    packed, scale = Packed.apply(values)  # why: TW106
    return packed.float() * scale


first, second = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for _ in range(3):
    loss = second(sent(first(torch.randn(8, 4)))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
