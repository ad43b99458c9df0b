"""Parameters as plain tensors, updated by hand."""

import torch
from torch import nn
import torch.nn.functional as F

w, b = torch.randn(4, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(5):
    loss = (torch.randn(8, 4) @ w + b).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad = None
    print(f"{loss.item():.4f}")
