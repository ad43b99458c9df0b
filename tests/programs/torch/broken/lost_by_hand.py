"""Gradient descent without an optimizer, with a rate that is far too large."""

import torch

torch.manual_seed(0)
x = torch.randn(16, 2)
weight = torch.zeros(2, 1, requires_grad=True)
for _ in range(60):
    loss = (x @ weight - 1).square().mean()
    loss.backward()
    with torch.no_grad():
        weight -= 300 * weight.grad  # why: TW611
        weight.grad.zero_()
