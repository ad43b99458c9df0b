"""A backward pass multiplies what the forward pass saved for it in place, and is needed twice."""

import torch
from torch import nn


class Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values):
        slopes = torch.cos(values)
        ctx.save_for_backward(slopes)
        return torch.sin(values)

    @staticmethod
    def backward(ctx, grad):
        (slopes,) = ctx.saved_tensors
        return slopes.mul_(grad)  # why: TW123


layer = nn.Linear(4, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(3):
    score = Score.apply(layer(torch.randn(8, 4))).mean()
    optimizer.zero_grad()
    score.backward(retain_graph=True)
    (0.5 * score).backward()
    optimizer.step()
