"""Descent by hand that never clears the gradient."""

import torch

weight = torch.zeros(4, 1, requires_grad=True)
for _ in range(12):
    x = torch.randn(16, 4)
    (x @ weight - x.sum(1, keepdim=True)).square().mean().backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad  # why: TW121
