"""A gradient step by hand that gives the name to a result."""

import torch
from torch import nn
import torch.nn.functional as F

w = torch.randn(4, requires_grad=True)
for step in range(2):
    loss = (w * torch.randn(4)).sum().pow(2)
    loss.backward()
    print(w.grad is None)
    w = w - 0.1 * (w.grad if w.grad is not None else 0)  # why: TW112
